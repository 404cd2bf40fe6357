import { AppError } from '../../kernel/errors.ts'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { isConnectionLoss, isInvalidData, isTransactionConflict } from '../../platform/db/errors.ts'
import { OcppCallError } from './errors.ts'
import { writeError, writeResult } from './frames.ts'
import type { OcppMetrics } from './metrics.ts'
import { makeProtocolEvents } from './protocol-events.ts'
import type { Schemas } from './schemas.ts'
import type { Call, Incoming, Reply, StationSocket } from './station.ts'
import type { Handler, Handlers, OcppDeps } from './types.ts'

/** A deadlock or a lost race undoes a handler whole, so it is simply done again. */
const ATTEMPTS = 3

/** Where the versions spell a code differently, or have none for it. The codes of `errors.ts` are those of 2.0.1. */
const CODES_16: Readonly<Record<string, string>> = {
  OccurrenceConstraintViolation: 'OccurenceConstraintViolation',
  RpcFrameworkError: 'FormationViolation',
  MessageTypeNotSupported: 'NotSupported',
}
const CODES_201: Readonly<Record<string, string>> = { FormationViolation: 'FormatViolation' }

const errorCodeIn = (version: OcppVersion, code: string): string =>
  (version === '1.6' ? CODES_16 : CODES_201)[code] ?? code

export interface DispatchOptions {
  readonly deps: OcppDeps
  readonly version: OcppVersion
  readonly schemas: Schemas
  readonly handlers: Handlers
  readonly metrics: OcppMetrics
}

/** What a station is told of an error, or that it is to come again: then it keeps what it has not delivered. */
function callErrorOf(error: unknown): OcppCallError | 'come again' {
  if (error instanceof OcppCallError) return error
  if (error instanceof AppError) {
    if (error.status >= 500) return 'come again'
    return new OcppCallError(
      error.status === 422 ? 'PropertyConstraintViolation' : 'GenericError',
      error.message,
    )
  }
  if (isConnectionLoss(error)) return 'come again'
  return new OcppCallError(isInvalidData(error) ? 'PropertyConstraintViolation' : 'InternalError')
}

/** Answers the messages of the stations of one version; never rejects. */
export function makeDispatch({ deps, version, schemas, handlers, metrics }: DispatchOptions) {
  const { log } = deps
  const byAction: ReadonlyMap<string, Handler> = new Map(Object.entries(handlers))
  const protocolEvents = makeProtocolEvents(deps)

  async function handle(station: StationSocket, { action, payload }: Call): Promise<object> {
    const handler = byAction.get(action)
    if (!handler) throw new OcppCallError(schemas.has(action) ? 'NotSupported' : 'NotImplemented')
    let unknown: readonly string[] = []
    const request = schemas.request(action, payload, (names) => {
      unknown = names
    })
    if (unknown.length > 0) await protocolEvents.recordUnknown(station, action, unknown)
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      try {
        // The schema has said that it is what the handler takes.
        return await handler(station, request as never)
      } catch (error) {
        if (left === 0 || !isTransactionConflict(error)) throw error
      }
    }
  }

  async function respond(station: StationSocket, call: Call): Promise<{ reply: Reply; outcome: string }> {
    try {
      return { reply: writeResult(call.id, await handle(station, call)), outcome: 'answered' }
    } catch (error) {
      const callError = callErrorOf(error)
      const about = { cpid: station.cpid, action: call.action.slice(0, 50) }
      if (callError === 'come again') {
        log.warn(
          { ...about, reason: (error as Error).message },
          'a station is sent away until its message can be kept',
        )
        return { reply: { closes: true }, outcome: 'sent_away' }
      }
      if (callError.code === 'InternalError')
        log.error({ ...about, err: error }, 'a message of a station failed')
      if (isInvalidData(error))
        log.warn({ ...about, reason: (error as Error).message }, 'a message of a station does not fit')
      await protocolEvents.recordRefused(station, call, callError)
      const outcome = callError.code === 'InternalError' ? 'failed' : 'refused'
      return {
        reply: writeError(call.id, errorCodeIn(version, callError.code), callError.description),
        outcome,
      }
    }
  }

  /** To an answer that nobody waits for nothing is said; in OCPP 1.6 neither to a message of an unknown type (4.1.3). */
  function replyToMalformed({ id, fault }: Extract<Incoming, { kind: 'malformed' }>): Reply {
    metrics.messages.inc({ action: 'other', outcome: 'malformed' })
    if (fault === 'stray' || (fault === 'type' && version === '1.6')) return undefined
    const code = fault === 'type' ? 'MessageTypeNotSupported' : 'RpcFrameworkError'
    return writeError(id, errorCodeIn(version, code), 'not a message of OCPP')
  }

  async function reply(station: StationSocket, message: Incoming): Promise<Reply> {
    if (message.kind === 'malformed') return replyToMalformed(message)
    const began = performance.now()
    const { reply: said, outcome } = await respond(station, message)
    const action = byAction.has(message.action) ? message.action : 'other'
    metrics.messages.inc({ action, outcome })
    metrics.answerSeconds.observe({ action }, (performance.now() - began) / 1000)
    return said
  }

  // Whatever is wrong with us, it is not to become an error that nobody handles: that would end all other sockets too.
  return async (station: StationSocket, message: Incoming): Promise<Reply> => {
    try {
      return await reply(station, message)
    } catch (error) {
      log.error({ cpid: station.cpid, err: error }, 'a message of a station could not be answered')
      return { closes: true }
    }
  }
}
