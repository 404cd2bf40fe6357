import type { Speech } from '../types.ts'
import { SPEECH_CORE } from './encode-core.ts'
import { SPEECH_UPKEEP } from './encode-maintenance.ts'
import { SMART_SPEECH_16 } from './encode-smart-charging.ts'

/** How our commands are said in OCPP 1.6; one file a family of commands. */
export const SPEECH_16: Speech = {
  ...SPEECH_CORE,
  ...SPEECH_UPKEEP,
  ...SMART_SPEECH_16,
}
