import type { Speech } from '../types.ts'
import { SMART_SPEECH_201 } from './speech-smart.ts'

/** How our commands are said in OCPP 2.0.1. */
export const SPEECH_201: Speech = { ...SMART_SPEECH_201 }
