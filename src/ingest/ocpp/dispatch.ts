import { AppError } from '../../kernel/errors.ts'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { OCPP_REFUSALS_NOTED_PER_MINUTE } from '../../kernel/ocpp-limits.ts'
import { recordEvent, withoutPasswords } from '../../modules/chargers/index.ts'
import { isConnectionLoss, isPassing, isUnfit } from '../../platform/db/connection-loss.ts'
import { inTenantTx } from '../../platform/db/tenant.ts'
import { OcppCallError } from './errors.ts'
import { writeError, writeResult } from './frames.ts'
import type { OcppMetrics } from './metrics.ts'
import type { Schemas } from './schemas.ts'
import type { Incoming, Reply, StationSocket } from './station.ts'
import { storable } from './tidy.ts'
import type { Handler, Handlers, OcppDeps } from './types.ts'

/** A deadlock or a lost race undoes a handler whole, so it is simply done again. */
const TRIES = 3
const MINUTE_MS = 60_000
const PAYLOAD_NOTED_MAX = 1_000

/** Where the versions spell a code differently, or have none for it. The codes of `errors.ts` are those of 2.0.1. */
const CODES_16: Readonly<Record<string, string>> = {
  OccurrenceConstraintViolation: 'OccurenceConstraintViolation',
  RpcFrameworkError: 'FormationViolation',
  MessageTypeNotSupported: 'NotSupported',
}
const CODES_201: Readonly<Record<string, string>> = { FormationViolation: 'FormatViolation' }

const codeIn = (version: OcppVersion, code: string): string =>
  (version === '1.6' ? CODES_16 : CODES_201)[code] ?? code

type Call = Extract<Incoming, { kind: 'call' }>

export interface DispatchOrder {
  readonly deps: OcppDeps
  readonly version: OcppVersion
  readonly schemas: Schemas
  readonly handlers: Handlers
  readonly metrics: OcppMetrics
}

/** What a station is told of an error, or that it is to come again: then it keeps what it has not delivered. */
function refusalOf(error: unknown): OcppCallError | 'come again' {
  if (error instanceof OcppCallError) return error
  if (error instanceof AppError) {
    if (error.status >= 500) return 'come again'
    return new OcppCallError(
      error.status === 422 ? 'PropertyConstraintViolation' : 'GenericError',
      error.message,
    )
  }
  if (isConnectionLoss(error)) return 'come again'
  return new OcppCallError(isUnfit(error) ? 'PropertyConstraintViolation' : 'InternalError')
}

/** Answers the messages of the stations of one version; never rejects. */
export function makeDispatch({ deps, version, schemas, handlers, metrics }: DispatchOrder) {
  const { log } = deps
  const byAction: ReadonlyMap<string, Handler> = new Map(Object.entries(handlers))
  const note = makeRefusalNotes(deps)

  async function handle(station: StationSocket, { action, payload }: Call): Promise<object> {
    const handler = byAction.get(action)
    if (!handler) throw new OcppCallError(schemas.knows(action) ? 'NotSupported' : 'NotImplemented')
    const request = schemas.request(action, payload)
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        // The schema has said that it is what the handler takes.
        return await handler(station, request as never)
      } catch (error) {
        if (left === 0 || !isPassing(error)) throw error
      }
    }
  }

  async function answer(station: StationSocket, call: Call): Promise<{ reply: Reply; outcome: string }> {
    try {
      return { reply: writeResult(call.id, await handle(station, call)), outcome: 'answered' }
    } catch (error) {
      const refusal = refusalOf(error)
      const about = { cpid: station.cpid, action: call.action.slice(0, 50) }
      if (refusal === 'come again') {
        log.warn(
          { ...about, reason: (error as Error).message },
          'a station is sent away until its message can be kept',
        )
        return { reply: { closes: true }, outcome: 'sent_away' }
      }
      if (refusal.code === 'InternalError')
        log.error({ ...about, err: error }, 'a message of a station failed')
      if (isUnfit(error))
        log.warn({ ...about, reason: (error as Error).message }, 'a message of a station does not fit')
      await note(station, call, refusal)
      const outcome = refusal.code === 'InternalError' ? 'failed' : 'refused'
      return { reply: writeError(call.id, codeIn(version, refusal.code), refusal.description), outcome }
    }
  }

  /** To an answer that nobody waits for nothing is said; in OCPP 1.6 neither to a message of an unknown type (4.1.3). */
  function toMalformed({ id, fault }: Extract<Incoming, { kind: 'malformed' }>): Reply {
    metrics.messages.inc({ action: 'other', outcome: 'malformed' })
    if (fault === 'stray' || (fault === 'type' && version === '1.6')) return undefined
    const code = fault === 'type' ? 'MessageTypeNotSupported' : 'RpcFrameworkError'
    return writeError(id, codeIn(version, code), 'not a message of OCPP')
  }

  async function reply(station: StationSocket, message: Incoming): Promise<Reply> {
    if (message.kind === 'malformed') return toMalformed(message)
    const began = performance.now()
    const { reply: said, outcome } = await answer(station, message)
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

/** As it was sent, from its beginning. One that is nested so deep that it cannot be written has no beginning worth keeping. */
function excerpt(payload: unknown): string {
  try {
    return storable(JSON.stringify(withoutPasswords(payload)).slice(0, PAYLOAD_NOTED_MAX))
  } catch {
    return ''
  }
}

/** Keeps refused messages among the events of their station, a few a minute: nobody else could tell what it lost. */
function makeRefusalNotes({ database, clock, log }: OcppDeps) {
  const recent = new WeakMap<StationSocket, { from: number; count: number }>()
  return async (station: StationSocket, { action, payload }: Call, refusal: OcppCallError): Promise<void> => {
    const now = clock.now()
    const minute = recent.get(station)
    const current = minute && now - minute.from < MINUTE_MS ? minute : { from: now, count: 0 }
    current.count += 1
    recent.set(station, current)
    if (current.count > OCPP_REFUSALS_NOTED_PER_MINUTE) return
    const { code, description } = refusal
    const details = { action: storable(action.slice(0, 50)), code, description, payload: excerpt(payload) }
    try {
      await inTenantTx(database.kysely, station.tenantId, (tx) =>
        recordEvent(tx, station, { type: 'message_refused', details, now: new Date(now) }),
      )
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'a refused message was not noted')
    }
  }
}
