import { AppError } from '../../kernel/errors.ts'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { isConnectionLoss, isInvalidData, isTransactionConflict } from '../../platform/db/errors.ts'
import { OcppCallError } from './errors.ts'
import { type Call, payloadOf, writeError, writeResult } from './frames.ts'
import type { OcppMetrics } from './metrics.ts'
import { makeProtocolEvents } from './protocol-events.ts'
import type { ChangedProperties, Schemas } from './schemas.ts'
import type { Incoming, Reply, StationSocket } from './station.ts'
import type { Handlers, Messages, OcppDeps } from './types.ts'

/**
 * Attempts at a message. A deadlock or a serialization failure rolls back all of a handler, so that it can be
 * repeated.
 */
const ATTEMPTS = 3

/** Codes that a version spells differently or does not have. The codes of `errors.ts` are those of 2.0.1. */
const CODES_16: Readonly<Record<string, string>> = {
  OccurrenceConstraintViolation: 'OccurenceConstraintViolation',
  RpcFrameworkError: 'FormationViolation',
  MessageTypeNotSupported: 'NotSupported',
}
const CODES_201: Readonly<Record<string, string>> = { FormationViolation: 'FormatViolation' }

const errorCodeIn = (version: OcppVersion, code: string): string =>
  (version === '1.6' ? CODES_16 : CODES_201)[code] ?? code

export interface DispatchOptions<M extends Messages> {
  readonly deps: OcppDeps
  readonly version: OcppVersion
  readonly schemas: Schemas<M>
  readonly handlers: Handlers<M>
  readonly metrics: OcppMetrics
}

/**
 * The CALLERROR for an error of a handler, or `disconnect` where the message cannot be stored at present: an
 * offline station keeps what it has not delivered, while a CALLERROR uses up one of its few attempts.
 */
function callErrorOf(error: unknown): OcppCallError | 'disconnect' {
  if (error instanceof OcppCallError) return error
  if (error instanceof AppError) {
    if (error.status >= 500) return 'disconnect'
    return new OcppCallError(
      error.status === 422 ? 'PropertyConstraintViolation' : 'GenericError',
      error.message,
    )
  }
  if (isConnectionLoss(error)) return 'disconnect'
  return new OcppCallError(isInvalidData(error) ? 'PropertyConstraintViolation' : 'InternalError')
}

/** Makes the function that answers the messages of the stations of one version. It never rejects. */
export function makeDispatch<M extends Messages>(options: DispatchOptions<M>) {
  const { deps, version, schemas, handlers, metrics } = options
  const { log } = deps
  const isHandled = (action: string): action is keyof M & string => Object.hasOwn(handlers, action)
  const protocolEvents = makeProtocolEvents(deps)

  /**
   * Validates a call and hands it to its handler. This function is not async, and the call gives its payload away, so
   * that only the handler decides whether a message lives until its commit.
   */
  function attempt<Action extends keyof M & string>(
    station: StationSocket,
    action: Action,
    call: Call,
  ): Promise<object> {
    const handler = handlers[action]
    if (!handler) throw new OcppCallError('NotSupported')
    let changed: ChangedProperties | undefined
    const request = schemas.request(action, payloadOf(call), (properties) => {
      changed = properties
    })
    call.payload = undefined
    if (!changed) return handler(station, request)
    return protocolEvents.recordChanged(station, action, changed).then(() => handler(station, request))
  }

  async function handle(station: StationSocket, action: keyof M & string, call: Call): Promise<object> {
    for (let remaining = ATTEMPTS - 1; ; remaining -= 1) {
      try {
        return await attempt(station, action, call)
      } catch (error) {
        if (remaining === 0 || !isTransactionConflict(error)) throw error
      }
    }
  }

  async function respond(station: StationSocket, call: Call): Promise<{ reply: Reply; outcome: string }> {
    const { id, action } = call
    try {
      if (!isHandled(action)) throw new OcppCallError(schemas.has(action) ? 'NotSupported' : 'NotImplemented')
      return { reply: writeResult(id, await handle(station, action, call)), outcome: 'answered' }
    } catch (error) {
      const callError = callErrorOf(error)
      const about = { cpid: station.cpid, action: action.slice(0, 50) }
      if (callError === 'disconnect') {
        log.warn(
          { ...about, reason: (error as Error).message },
          'a station is disconnected because its message cannot be stored',
        )
        return { reply: { closes: true }, outcome: 'sent_away' }
      }
      if (callError.code === 'InternalError')
        log.error({ ...about, err: error }, 'the handler of a charging station message failed')
      if (isInvalidData(error))
        log.warn(
          { ...about, reason: (error as Error).message },
          'a charging station message does not fit the database',
        )
      await protocolEvents.recordRefused(station, call, callError)
      const outcome = callError.code === 'InternalError' ? 'failed' : 'refused'
      return {
        reply: writeError(id, errorCodeIn(version, callError.code), callError.description),
        outcome,
      }
    }
  }

  /**
   * A response that nothing waits for gets no reply; in OCPP 1.6 neither does a message of an unknown type
   * (4.1.3).
   */
  function replyToMalformed({ id, fault }: Extract<Incoming, { kind: 'malformed' }>): Reply {
    metrics.messages.inc({ action: 'other', outcome: 'malformed' })
    if (fault === 'stray' || (fault === 'type' && version === '1.6')) return undefined
    const code = fault === 'type' ? 'MessageTypeNotSupported' : 'RpcFrameworkError'
    return writeError(id, errorCodeIn(version, code), 'not a message of OCPP')
  }

  async function handleMessage(station: StationSocket, message: Incoming): Promise<Reply> {
    if (message.kind === 'malformed') return replyToMalformed(message)
    const began = performance.now()
    const { reply, outcome } = await respond(station, message)
    const action = isHandled(message.action) ? message.action : 'other'
    metrics.messages.inc({ action, outcome })
    metrics.answerSeconds.observe({ action }, (performance.now() - began) / 1000)
    return reply
  }

  // No fault of ours may become an unhandled rejection: that would end the process and all other sockets with
  // it.
  return async (station: StationSocket, message: Incoming): Promise<Reply> => {
    try {
      return await handleMessage(station, message)
    } catch (error) {
      log.error({ cpid: station.cpid, err: error }, 'a charging station message could not be answered')
      return { closes: true }
    }
  }
}
