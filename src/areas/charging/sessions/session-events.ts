import { isDeepStrictEqual } from 'node:util'
import { found } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { EndedCommand } from '../commands/index.ts'
import { deviceOfConnector } from '../connectors/index.ts'
import { markGroupDue } from '../groups/index.ts'
import { WAITING_SAMPLES_MAX } from '../limits.ts'
import { type ChargerRef, lockCharger } from '../registry/index.ts'
import { useReservation } from '../reservations/index.ts'
import { type Authorization, authorize } from '../tags/index.ts'
import { placeInTime } from './flags.ts'
import { join, missingSeqNos, type SessionEvent, type Told, type ToldTag, toldBy } from './session-state.ts'
import * as store from './session-state-store.ts'

export interface NewSessionEvent extends Omit<SessionEvent, 'tag'> {
  readonly tag?: string | undefined
  readonly samples: readonly store.WaitingSample[]
  readonly now: Date
}

export interface RecordedEvent {
  readonly sessionId: string
  readonly deviceId: string
  /** What is to be stored now: of this event, and what waited for the device. */
  readonly samples: readonly store.WaitingSample[]
  /** Some of them waited: `setWaiting` is to be told once they are stored. */
  readonly hadWaiting: boolean
  /** Where the event has a tag. */
  readonly authorization?: Authorization | undefined
}

const sameTag = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

/**
 * A tag that has started the session already does not stand in its own way; what was answered first is kept.
 */
async function authorizeTag(
  tx: TenantTx,
  { tag, kind, now }: NewSessionEvent,
  known: Told | undefined,
): Promise<{ readonly answer: Authorization; readonly told: ToldTag } | undefined> {
  if (tag === undefined) return undefined
  const before = [known?.startTag, known?.stopTag].find((other) => sameTag(other?.value.tag, tag))?.value
  const isStart = kind !== 'ended' && known?.ended === undefined && before === undefined
  const answer = await authorize(tx, tag, now, { isStart })
  const told = before ?? { tag, status: answer.status, parentTag: answer.parentTag }
  const isRefusedStill = told.status === 'concurrent' && answer.status === 'accepted'
  return { answer: isRefusedStill ? { ...answer, status: 'concurrent' } : answer, told }
}

/** No event has named the EVSE, and none can any more: the station as a whole has measured it. */
const isNowhere = (told: Told): boolean =>
  told.connector === undefined && told.ended !== undefined && missingSeqNos(told).length === 0

async function deviceOf(tx: TenantTx, charger: ChargerRef, told: Told): Promise<string> {
  const connectorId = told.connector?.value ?? 0
  return connectorId === 0 ? store.deviceOfCharger(tx, charger) : deviceOfConnector(tx, charger, connectorId)
}

/** What of the samples can be stored now; the others wait until it is known whose they are. */
async function route(tx: TenantTx, session: store.ToldSession, event: NewSessionEvent) {
  const { id, told, waiting, device_id: deviceId } = session
  if (told.connector !== undefined || isNowhere(told)) {
    return { samples: [...waiting, ...event.samples], hadWaiting: waiting.length > 0 }
  }
  const fresh = event.samples.filter((sample) => !waiting.some((other) => isDeepStrictEqual(other, sample)))
  const all = [...waiting, ...fresh]
  if (all.length > WAITING_SAMPLES_MAX) return { samples: event.samples, hadWaiting: false }
  if (fresh.length > 0) await store.setWaiting(tx, id, all)
  return { samples: [], hadWaiting: false, deviceId }
}

/** Writes what is told by now; makes the session with its first event. */
async function write(
  tx: TenantTx,
  charger: ChargerRef,
  known: store.ToldSession | undefined,
  { event: { transactionId, now }, told }: { readonly event: NewSessionEvent; readonly told: Told },
): Promise<store.ToldSession> {
  const isSamePlace = known !== undefined && known.told.connector?.value === told.connector?.value
  const deviceId = isSamePlace ? known.device_id : await deviceOf(tx, charger, told)
  if (known) {
    await store.updateTold(tx, known.id, { deviceId, told, now })
    return { ...known, device_id: deviceId, told }
  }
  const id = await store.insertTold(tx, charger, { transactionId, deviceId, told, now })
  return { id, device_id: deviceId, told, waiting: [] }
}

/**
 * A reservation is used as soon as the EVSE is known, and who charges there or what the station says it uses.
 */
async function reserved(
  tx: TenantTx,
  charger: ChargerRef,
  { id, told }: store.ToldSession,
  at: Date,
): Promise<Told> {
  const { connector, startTag, reservation, used } = told
  if (!connector || (!startTag && !reservation) || used !== undefined) return told
  const found = await useReservation(tx, charger, {
    connectorId: connector.value,
    idTag: startTag?.value.tag ?? null,
    parentTag: startTag?.value.parentTag ?? null,
    reservationNumber: reservation?.value ?? null,
    sessionId: id,
    at,
  })
  return found === null ? told : { ...told, used: found }
}

/**
 * An EVSE has one session at a time: a later one shows that an earlier one is over, whose end was never told.
 */
async function overtaken(tx: TenantTx, charger: ChargerRef, { id, told }: store.ToldSession, now: Date) {
  const { started, connector } = told
  if (started === undefined || connector === undefined) return told
  const startedAt = placeInTime(new Date(started), now)
  const begun = { ...charger, id, connectorId: connector.value, startedAt }
  return (await store.overtake(tx, begun, now)) ? { ...told, overtaken: true as const } : told
}

const isPlaced = (told: Told | undefined) => told?.started !== undefined && told.connector !== undefined
const keysOf = (told: Told | undefined) => [told?.connector, told?.startTag, told?.reservation]

interface Following {
  readonly session: store.ToldSession
  readonly before: Told | undefined
  readonly event: NewSessionEvent
}

/**
 * What becomes known of a session only with one of its events: what it came of, and what it is the end of.
 */
async function follow(
  tx: TenantTx,
  charger: ChargerRef,
  { session, before, event }: Following,
): Promise<store.ToldSession> {
  const { id, told, device_id: deviceId } = session
  const { at, now } = event
  if (told.remoteStart && before?.remoteStart?.value !== told.remoteStart.value) {
    await store.linkCommand(tx, id, { ...charger, commandNumber: told.remoteStart.value })
  }
  let known = told
  if (!isDeepStrictEqual(keysOf(before), keysOf(told)))
    known = await reserved(tx, charger, session, new Date(at))
  if (!isPlaced(before)) known = await overtaken(tx, charger, { ...session, told: known }, now)
  if (known !== told) await store.updateTold(tx, id, { deviceId, told: known, now })
  return { ...session, told: known }
}

/**
 * Takes one event of a 2.0.1 session, in whatever order and however often it comes: the session is what all
 * of them together tell. The samples are left to the caller, who stores them after the commit.
 */
export async function recordSessionEvent(
  tx: TenantTx,
  charger: ChargerRef,
  event: NewSessionEvent,
): Promise<RecordedEvent> {
  found('charger', await lockCharger(tx, charger.chargerId))
  const known = await store.findTold(tx, charger, event.transactionId)
  const tag = await authorizeTag(tx, event, known?.told)
  const news = toldBy({ ...event, tag: tag?.told })
  const told = known ? join(known.told, news) : news
  const isKnown = known !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(told)), known.told)
  const session = isKnown
    ? known
    : await follow(tx, charger, {
        session: await write(tx, charger, known, { event, told }),
        before: known?.told,
        event,
      })
  if (known?.told.connector?.value !== told.connector?.value || known?.told.ended !== told.ended)
    await markGroupDue(tx, charger.chargerId, event.now)
  const routed = await route(tx, session, event)
  return { sessionId: session.id, deviceId: session.device_id, ...routed, authorization: tag?.answer }
}

/** The samples that waited for a session's device are stored. */
export const clearWaitingSamples = (tx: TenantTx, sessionId: string) => store.setWaiting(tx, sessionId, [])

/**
 * A 2.0.1 station that had begun a transaction before it was asked to start, with the cable, answers with its
 * id.
 */
export async function linkRemoteStart(
  tx: TenantTx,
  { command, response: answer }: EndedCommand,
): Promise<void> {
  const { transactionId } = (answer ?? {}) as { readonly transactionId?: unknown }
  if (typeof transactionId !== 'string' || command.state !== 'accepted') return
  const charger = { chargerId: command.charger_id }
  const session = await store.findTold(tx, charger, transactionId)
  if (session) await store.linkCommand(tx, session.id, { ...charger, commandNumber: command.number })
}
