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
import { orderingTime } from './flags.ts'
import {
  type AuthorizedTag,
  join,
  missingSeqNos,
  type SessionEvent,
  type SessionState,
  stateOfEvent,
} from './session-state.ts'
import * as store from './session-state-store.ts'

export interface NewSessionEvent extends Omit<SessionEvent, 'tag'> {
  readonly tag?: string | undefined
  readonly samples: readonly store.WaitingSample[]
  readonly now: Date
}

export interface RecordedEvent {
  readonly sessionId: string
  readonly deviceId: string
  /** The samples to store now: those of this event, and those that waited for the device. */
  readonly samples: readonly store.WaitingSample[]
  /** Some of the samples waited: `clearWaitingSamples` is to be called once they are stored. */
  readonly hadWaiting: boolean
  /** The authorization of the tag, where the event has one. */
  readonly authorization?: Authorization | undefined
}

const isSameTag = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

/**
 * Authorizes the tag of an event. The session that it has started does not make it concurrent; the state
 * keeps the first status.
 */
async function authorizeTag(
  tx: TenantTx,
  { tag, kind, now }: NewSessionEvent,
  known: SessionState | undefined,
): Promise<{ readonly answer: Authorization; readonly state: AuthorizedTag } | undefined> {
  if (tag === undefined) return undefined
  const before = [known?.startTag, known?.stopTag].find((other) => isSameTag(other?.value.tag, tag))?.value
  const isStart = kind !== 'ended' && known?.ended === undefined && before === undefined
  const answer = await authorize(tx, tag, now, { isStart })
  const state = before ?? { tag, status: answer.status, parentTag: answer.parentTag }
  const isRefusedStill = state.status === 'concurrent' && answer.status === 'accepted'
  return { answer: isRefusedStill ? { ...answer, status: 'concurrent' } : answer, state: state }
}

/** No event has named the EVSE and none is missing: the samples are those of the station as a whole. */
const isWithoutConnector = (state: SessionState): boolean =>
  state.connector === undefined && state.ended !== undefined && missingSeqNos(state).length === 0

async function deviceOf(tx: TenantTx, charger: ChargerRef, state: SessionState): Promise<string> {
  const connectorId = state.connector?.value ?? 0
  return connectorId === 0 ? store.deviceOfCharger(tx, charger) : deviceOfConnector(tx, charger, connectorId)
}

/** Assigns the samples to a device, or stores them until the EVSE is known. */
async function assignSamples(tx: TenantTx, session: store.StoredSession, event: NewSessionEvent) {
  const { id, state, waiting, device_id: deviceId } = session
  if (state.connector !== undefined || isWithoutConnector(state)) {
    return { samples: [...waiting, ...event.samples], hadWaiting: waiting.length > 0 }
  }
  const fresh = event.samples.filter((sample) => !waiting.some((other) => isDeepStrictEqual(other, sample)))
  const all = [...waiting, ...fresh]
  if (all.length > WAITING_SAMPLES_MAX) return { samples: event.samples, hadWaiting: false }
  if (fresh.length > 0) await store.setWaiting(tx, id, all)
  return { samples: [], hadWaiting: false, deviceId }
}

/** Stores the state; creates the session with its first event. */
async function storeState(
  tx: TenantTx,
  charger: ChargerRef,
  known: store.StoredSession | undefined,
  { event: { transactionId, now }, state }: { readonly event: NewSessionEvent; readonly state: SessionState },
): Promise<store.StoredSession> {
  const isSameConnector = known !== undefined && known.state.connector?.value === state.connector?.value
  const deviceId = isSameConnector ? known.device_id : await deviceOf(tx, charger, state)
  if (known) {
    await store.updateState(tx, known.id, { deviceId, state: state, now })
    return { ...known, device_id: deviceId, state: state }
  }
  const id = await store.insertSession(tx, charger, { transactionId, deviceId, state: state, now })
  return { id, device_id: deviceId, state: state, waiting: [] }
}

/**
 * Uses the reservation as soon as the EVSE is known, and the tag or the reservation that the station names.
 */
async function applyReservation(
  tx: TenantTx,
  charger: ChargerRef,
  { id, state }: store.StoredSession,
  at: Date,
): Promise<SessionState> {
  const { connector, reservation, used } = state
  const startTag = state.startTag?.value ?? state.remoteTag
  if (!connector || (!startTag && !reservation) || used !== undefined) return state
  const found = await useReservation(tx, charger, {
    connectorId: connector.value,
    idTag: startTag?.tag ?? null,
    parentTag: startTag?.parentTag ?? null,
    reservationNumber: reservation?.value ?? null,
    sessionId: id,
    at,
  })
  return found === null ? state : { ...state, used: found }
}

/** Ends earlier sessions of the EVSE, which has one at a time, and this one when a later one is known. */
async function applySupersession(
  tx: TenantTx,
  charger: ChargerRef,
  { id, state }: store.StoredSession,
  now: Date,
) {
  const { started, connector } = state
  if (started === undefined || connector === undefined) return state
  const startedAt = orderingTime(new Date(started), now)
  const begun = { ...charger, id, connectorId: connector.value, startedAt }
  return (await store.supersedeEarlier(tx, begun, now)) ? { ...state, superseded: true as const } : state
}

const hasStartAndConnector = (state: SessionState | undefined) =>
  state?.started !== undefined && state.connector !== undefined
const keysOf = (state: SessionState | undefined) => [state?.connector, state?.startTag, state?.reservation]

/** The service has authorized a remote start, so its tag counts as accepted whatever its record says. */
async function addRemoteTag(
  tx: TenantTx,
  state: SessionState,
  tag: string | undefined,
  now: Date,
): Promise<SessionState> {
  if (tag === undefined || state.remoteTag !== undefined) return state
  const { parentTag } = await authorize(tx, tag, now)
  return { ...state, remoteTag: { tag, status: 'accepted', parentTag } }
}

interface Transition {
  readonly session: store.StoredSession
  readonly before: SessionState | undefined
  readonly event: NewSessionEvent
}

/**
 * Applies what depends on other records once an event makes it known: the remote start, the reservation, and
 * the order of sessions on the EVSE.
 */
async function applyConsequences(
  tx: TenantTx,
  charger: ChargerRef,
  { session, before, event }: Transition,
): Promise<store.StoredSession> {
  const { id, state, device_id: deviceId } = session
  const { at, now } = event
  let known = state
  if (state.remoteStart && before?.remoteStart?.value !== state.remoteStart.value) {
    const commandNumber = state.remoteStart.value
    known = await addRemoteTag(tx, state, await store.linkCommand(tx, id, { ...charger, commandNumber }), now)
  }
  if (!isDeepStrictEqual(keysOf(before), keysOf(state)))
    known = await applyReservation(tx, charger, { ...session, state: known }, new Date(at))
  if (!hasStartAndConnector(before))
    known = await applySupersession(tx, charger, { ...session, state: known }, now)
  if (known !== state) await store.updateState(tx, id, { deviceId, state: known, now })
  return { ...session, state: known }
}

/**
 * Records one event of a 2.0.1 session. Events may come in any order and repeatedly: the session is the join
 * of all of them (`session-state.ts`). The caller stores the samples after the commit.
 */
export async function recordSessionEvent(
  tx: TenantTx,
  charger: ChargerRef,
  event: NewSessionEvent,
): Promise<RecordedEvent> {
  found('charger', await lockCharger(tx, charger.chargerId))
  const known = await store.findByTransactionId(tx, charger, event.transactionId)
  const tag = await authorizeTag(tx, event, known?.state)
  const eventState = stateOfEvent({ ...event, tag: tag?.state })
  const state = known ? join(known.state, eventState) : eventState
  const isUnchanged = known !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(state)), known.state)
  const session = isUnchanged
    ? known
    : await applyConsequences(tx, charger, {
        session: await storeState(tx, charger, known, { event, state: state }),
        before: known?.state,
        event,
      })
  if (known?.state.connector?.value !== state.connector?.value || known?.state.ended !== state.ended)
    await markGroupDue(tx, charger.chargerId, event.now)
  const assigned = await assignSamples(tx, session, event)
  return { sessionId: session.id, deviceId: session.device_id, ...assigned, authorization: tag?.answer }
}

/** Clears the waiting samples of a session; they are stored. */
export const clearWaitingSamples = (tx: TenantTx, sessionId: string) => store.setWaiting(tx, sessionId, [])

/**
 * Links a session to its remote start when the station had begun the transaction before, with the cable, and
 * answers with its id.
 */
export async function linkRemoteStart(
  tx: TenantTx,
  { command, response: answer, now }: EndedCommand,
): Promise<void> {
  const { transactionId } = (answer ?? {}) as { readonly transactionId?: unknown }
  if (typeof transactionId !== 'string' || command.state !== 'accepted') return
  const charger = { chargerId: command.charger_id }
  const session = await store.findByTransactionId(tx, charger, transactionId)
  if (!session) return
  const tag = await store.linkCommand(tx, session.id, { ...charger, commandNumber: command.number })
  const state = await addRemoteTag(tx, session.state, tag, now)
  if (state !== session.state)
    await store.updateState(tx, session.id, { deviceId: session.device_id, state, now })
}
