import type { Speech } from '../types.ts'
import { SPEECH_CORE } from './encode-core.ts'
import { MODEL_SPEECH_201 } from './encode-device-model.ts'
import { UPKEEP_SPEECH_201 } from './encode-maintenance.ts'
import { SMART_SPEECH_201 } from './encode-smart-charging.ts'

/** How our commands are said in OCPP 2.0.1. */
export const SPEECH_201: Speech = {
  ...SPEECH_CORE,
  ...MODEL_SPEECH_201,
  ...SMART_SPEECH_201,
  ...UPKEEP_SPEECH_201,
}
