import type { Handlers, OcppDeps } from '../types.ts'

/** What is done about each message of an OCPP 1.6 station; one file a family of messages. */
export const makeHandlers16 = (_deps: OcppDeps): Handlers => ({})
