import type { Speech } from '../types.ts'

/** How our commands are said in OCPP 2.0.1. */
export const SPEECH_201: Speech = {}
