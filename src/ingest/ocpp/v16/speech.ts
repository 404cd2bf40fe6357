import type { Speech } from '../types.ts'

/** How our commands are said in OCPP 1.6. */
export const SPEECH_16: Speech = {}
