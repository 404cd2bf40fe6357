import type { Handlers, OcppDeps } from '../types.ts'

/** What is done about each message of an OCPP 2.0.1 station; one file a family of messages. */
export const makeHandlers201 = (_deps: OcppDeps): Handlers => ({})
