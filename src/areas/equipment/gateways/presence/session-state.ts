/**
 * Decides from the events of message brokers whether a gateway is connected (ADR 0028).
 *
 * The problem: a broker reports "connected" and "disconnected" over several HTTP connections, repeats failed
 * calls, and in a cluster each node reports by itself. When a gateway reconnects while its old session still
 * hangs, the end of the old session arrives after the start of the new one. Taking the last event shows such
 * a gateway as offline while it sends.
 *
 * The solution: the state depends on the set of events, not on their order. `applyEvent` is commutative and
 * idempotent (an operation-based CRDT); a property test applies the events of up to three sessions in any
 * order and twice. The state holds
 *
 * - `newest`: the session with the latest start. Later events of older sessions do not change it.
 * - `ends`: ends that may belong to the newest session, or to a newer one whose start has not arrived yet.
 *
 * The gateway is connected when no end matches the newest session. An end matches
 *
 * 1. by the start of its session, where the broker reports it (newer versions of EMQX);
 * 2. else by its node and time: the same node, and not before the start of the session.
 *
 * An end by takeover matches nothing, because it proves that a newer session exists.
 *
 * Brokers without times (VerneMQ): the time of arrival counts, so the order matters. `replacedAt` covers the
 * frequent case: after an untimed takeover, an end within GATEWAY_TAKEOVER_WINDOW_MS is taken as that of the
 * old session.
 *
 * Trade-off: a cluster whose nodes' clocks differ by more than the gap between two sessions can show a
 * gateway as online until its silence ends that (presence-store). The number of remembered ends is bounded by
 * GATEWAY_SESSION_ENDS_MAX.
 */
import { GATEWAY_SESSION_ENDS_MAX, GATEWAY_TAKEOVER_WINDOW_MS } from '../limits.ts'

/** An event of one session of a gateway, reported by its broker. */
export interface SessionEvent {
  readonly kind: 'connected' | 'disconnected'
  /**
   * Epoch milliseconds, by the broker's clock, or by ours when the broker reports no time (`isTimed` is
   * false).
   */
  readonly at: number
  readonly isTimed: boolean
  /** Of an end: start of its session, if the broker reports it. It identifies the session without doubt. */
  readonly connectedAt?: number | undefined
  /** Broker node that held the session. */
  readonly node?: string | undefined
  readonly reason?: string | undefined
  /** Address and port of the gateway. */
  readonly peer?: string | undefined
}

type Session = Pick<SessionEvent, 'at' | 'isTimed' | 'node' | 'peer'>
type SessionEnd = Pick<SessionEvent, 'at' | 'connectedAt' | 'node'>

/** The persisted state (jsonb; its property names are stored). */
export interface SessionState {
  readonly newest: Session | null
  readonly ends: readonly SessionEnd[]
  /** Time at which an untimed session replaced an open one, whose end is still to come. */
  readonly replacedAt: number | null
  /** Number of sessions that became the newest one. */
  readonly epoch: number
}

export const NO_SESSION: SessionState = { newest: null, ends: [], replacedAt: null, epoch: 0 }

/** The same client has connected again, so a newer session exists. */
const isTakeover = ({ reason }: SessionEvent): boolean =>
  /^(taken?_?over|takenover|takeovered|discarded|session_taken_over)$/i.test(reason ?? '')

function isEndOf(end: SessionEnd, session: Session): boolean {
  if (end.node !== undefined && session.node !== undefined && end.node !== session.node) return false
  return end.connectedAt === undefined ? end.at >= session.at : end.connectedAt === session.at
}

export const isOpen = ({ newest, ends }: SessionState): boolean =>
  newest !== null && !ends.some((end) => isEndOf(end, newest))

/** End of the newest session, if known. */
export const endTimeOf = ({ newest, ends }: SessionState): number | undefined =>
  newest === null ? undefined : ends.find((end) => isEndOf(end, newest))?.at

/**
 * The node breaks ties, so that sessions of the same millisecond have the same order in every delivery order.
 */
const isNewer = (one: Session, other: Session): boolean =>
  one.at > other.at || (one.at === other.at && (one.node ?? '') > (other.node ?? ''))

const isSameSession = (one: Session, other: Session): boolean =>
  one.isTimed
    ? one.at === other.at && one.node === other.node
    : one.peer !== undefined && one.peer === other.peer

/** Drops ends before the start of the newest session: no open session can match them. */
const relevantEnds = (ends: readonly SessionEnd[], newest: Session | null): SessionEnd[] =>
  ends
    .filter((end) => newest === null || (end.connectedAt ?? end.at) >= newest.at)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, GATEWAY_SESSION_ENDS_MAX)

function applyConnect(state: SessionState, { at, isTimed, node, peer }: SessionEvent): SessionState {
  const session: Session = {
    at,
    isTimed: isTimed,
    ...(node !== undefined && { node }),
    ...(peer !== undefined && { peer }),
  }
  const { newest } = state
  if (newest && (isSameSession(session, newest) || !isNewer(session, newest))) return state
  const isReplacing = !isTimed && isOpen(state)
  return {
    newest: session,
    ends: relevantEnds(state.ends, session),
    replacedAt: isReplacing ? at : null,
    epoch: state.epoch + 1,
  }
}

function applyDisconnect(state: SessionState, event: SessionEvent): SessionState {
  if (isTakeover(event)) return state
  const { at, connectedAt, node, isTimed } = event
  if (!isTimed && connectedAt === undefined && isEndOfReplaced(state, at))
    return { ...state, replacedAt: null }
  const end: SessionEnd = {
    at,
    ...(connectedAt !== undefined && { connectedAt }),
    ...(node !== undefined && { node }),
  }
  if (state.ends.some((known) => isSameEnd(known, end))) return state
  return { ...state, ends: relevantEnds([...state.ends, end], state.newest) }
}

const isSameEnd = (one: SessionEnd, other: SessionEnd): boolean =>
  one.at === other.at && one.connectedAt === other.connectedAt && one.node === other.node

const isEndOfReplaced = ({ replacedAt }: SessionState, at: number): boolean =>
  replacedAt !== null && at - replacedAt < GATEWAY_TAKEOVER_WINDOW_MS

/** Returns the same object when the event changes nothing. */
export const applyEvent = (state: SessionState, event: SessionEvent): SessionState =>
  event.kind === 'connected' ? applyConnect(state, event) : applyDisconnect(state, event)
