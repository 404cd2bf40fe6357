import type { Speech } from '../types.ts'
import { SPEECH_CORE } from './speech-core.ts'
import { SMART_SPEECH_201 } from './speech-smart.ts'

/** How our commands are said in OCPP 2.0.1. */
export const SPEECH_201: Speech = {
  ...SPEECH_CORE,
  ...SMART_SPEECH_201,
}
