import { GATEWAY_SESSION_ENDS_MAX, GATEWAY_TAKEOVER_WINDOW_MS } from '../limits.ts'

/** What a broker tells of one session of a gateway. */
export interface SessionEvent {
  readonly kind: 'connected' | 'disconnected'
  /** By the broker's clock, or by ours when it told no time; epoch milliseconds. */
  readonly at: number
  readonly isTimed: boolean
  /** Of an end: when its session began, where the broker tells. Then there is no doubt which one it was. */
  readonly connectedAt?: number | undefined
  /** The broker's node that held the session. */
  readonly node?: string | undefined
  readonly reason?: string | undefined
  /** Address and port of the gateway. */
  readonly peer?: string | undefined
}

type Session = Pick<SessionEvent, 'at' | 'isTimed' | 'node' | 'peer'>
type SessionEnd = Pick<SessionEvent, 'at' | 'connectedAt' | 'node'>

/**
 * The newest session and the ends that may still be its, or of one that is even newer and has not been told yet. Events
 * come in any order, and twice: what counts is the set of them (ADR 0028).
 */
export interface SessionState {
  readonly newest: Session | null
  readonly ends: readonly SessionEnd[]
  /** When an open session was replaced by a broker that tells no times: the end of that one is still to come. */
  readonly replacedAt: number | null
  /** Counts the sessions that were taken for the newest one. */
  readonly epoch: number
}

export const NO_SESSION: SessionState = { newest: null, ends: [], replacedAt: null, epoch: 0 }

/** The same client has connected again: whatever ended, a newer session is there. */
const isTakeover = ({ reason }: SessionEvent): boolean =>
  /^(taken?_?over|takenover|takeovered|discarded|session_taken_over)$/i.test(reason ?? '')

function isEndOf(end: SessionEnd, session: Session): boolean {
  if (end.node !== undefined && session.node !== undefined && end.node !== session.node) return false
  return end.connectedAt === undefined ? end.at >= session.at : end.connectedAt === session.at
}

export const isOpen = ({ newest, ends }: SessionState): boolean =>
  newest !== null && !ends.some((end) => isEndOf(end, newest))

/** The end of the newest session, as far as it is known. */
export const endTimeOf = ({ newest, ends }: SessionState): number | undefined =>
  newest === null ? undefined : ends.find((end) => isEndOf(end, newest))?.at

/** Two sessions that began in the same millisecond must come out alike in whatever order they are told. */
const isNewer = (one: Session, other: Session): boolean =>
  one.at > other.at || (one.at === other.at && (one.node ?? '') > (other.node ?? ''))

const isSameSession = (one: Session, other: Session): boolean =>
  one.isTimed
    ? one.at === other.at && one.node === other.node
    : one.peer !== undefined && one.peer === other.peer

/** Ends before the newest session began can belong to nobody that matters. */
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

/** The same object when the event tells nothing new. */
export const applyEvent = (state: SessionState, event: SessionEvent): SessionState =>
  event.kind === 'connected' ? applyConnect(state, event) : applyDisconnect(state, event)
