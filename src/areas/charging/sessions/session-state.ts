/**
 * The state of an OCPP 2.0.1 session: a state-based CRDT.
 *
 * Purpose. A station numbers the events of a transaction (`seqNo`) and sends them in any order, repeatedly,
 * late, and over several sockets. Only the first event has to name the EVSE, another one the tag, the last
 * one the reason. A session that applied events as they come would depend on the order of the network. Here
 * every event is turned into a small state of its own (`stateOfEvent`), and the session is the join of all of
 * them. The state is stored as JSON in the session's row (`merged_state`), some hundred bytes; all other
 * columns are derived from it (`toSessionColumns`). No event has to be stored or read again.
 * ADR 0041 has the reasons.
 *
 * The join. The state is a product of small semilattices, and `join` joins each field by itself:
 *
 *   first, started                    minimum
 *   last, ended                       maximum
 *   isOffline, superseded             logical or
 *   seen                              union of sets of numbers, stored as runs
 *   connector, startTag, ...          register of the lowest rank ("first writer wins")
 *   stopTag, chargingState, ...       register of the highest rank ("last writer wins")
 *   begin, end, first-, lastReading   the same, ranked by the instant of the reading
 *   intervals                         union by instant, minimum of two values; absent once a register is known
 *   used                              set once, under the lock of the charger
 *
 * Why it is a join. Minimum, maximum, union and logical or are commutative, associative and idempotent. So is
 * a ranked register, because it is the minimum or maximum of a total order: by rank, and for equal ranks by
 * value (`sortKey`). The product of semilattices is a semilattice. Therefore neither the order of events, nor
 * repeats, nor how they are grouped changes the session; a property test checks all three. The status of a
 * tag is not part of its sort key: the caller passes the status that it found first, so that two values of
 * one tag are equal.
 *
 * Bounds. A station that numbers wildly must not fill the row. Beyond SEQ_NO_RUNS_MAX the two lowest runs
 * become one, and beyond SESSION_INTERVALS_MAX the oldest intervals become one sum. Past a bound the state
 * may depend on the order of events: missing numbers may be forgotten, or intervals that arrive very late. No
 * event is lost by it.
 *
 * Modes. `toSessionColumns` derives a session that is active, that has ended by an event (`ended`), or whose
 * end was lost and is assumed (`superseded`: a later session began on the EVSE, or an operator closed it). An
 * end that arrives later replaces the assumption.
 */
import { at as elementAt } from '../../../kernel/checked.ts'
import { SAMPLE_EPOCH_FLOOR_MS } from '../../../kernel/limits.ts'
import { SEQ_NO_RUNS_MAX, SEQ_NOS_MISSING_MAX } from '../limits.ts'
import { isSameGroup, selectFlags } from './flags.ts'
import { type IntervalReading, type Intervals, intervalsOf, joinIntervals, toRegister } from './intervals.ts'

/**
 * One event of a transaction, as the field adapter decodes it; instants in epoch
 * milliseconds.
 */
export interface SessionEvent {
  /** The id that the station has given it. */
  readonly transactionId: string
  readonly kind: 'started' | 'updated' | 'ended'
  readonly seqNo: number
  readonly at: number
  readonly isOffline: boolean
  /** The EVSE, where the event names it. */
  readonly connectorId?: number | undefined
  /** The tag that starts the session or, in the last event, that ends it. */
  readonly tag?: AuthorizedTag | undefined
  readonly chargingState?: string | undefined
  readonly stopReason?: string | undefined
  /** The number of the command that it came of. */
  readonly remoteStart?: number | undefined
  readonly reservation?: number | undefined
  readonly register: readonly RegisterReading[]
  readonly intervals: readonly IntervalReading[]
}

export interface AuthorizedTag {
  readonly tag: string
  /** The status of the response to the station. */
  readonly status: string
  readonly parentTag: string | null
}

/** A reading of the register of the energy that went to the vehicle. */
export interface RegisterReading {
  readonly at: number
  readonly wh: number
  readonly moment: 'begin' | 'end' | 'during'
}

/** A value, ranked by the number of its event or by its instant. */
interface Ranked<T> {
  readonly rank: number
  readonly value: T
}

/** The join of the events of a session, see above. The names of the fields are those of the stored JSON. */
export interface SessionState {
  readonly first: number
  readonly last: number
  readonly started?: number | undefined
  readonly ended?: number | undefined
  /** A later session began on the EVSE, or an operator closed this one. */
  readonly superseded?: true | undefined
  /** The number of the reservation that it uses. */
  readonly used?: number | undefined
  /** The tag of the remote start that it comes of; it counts where no event names one. */
  readonly remoteTag?: AuthorizedTag | undefined
  readonly isOffline?: true | undefined
  /** Runs of the event numbers that have come, ascending: [from, to], both included. */
  readonly seen: readonly Run[]
  readonly connector?: Ranked<number> | undefined
  readonly startTag?: Ranked<AuthorizedTag> | undefined
  readonly stopTag?: Ranked<AuthorizedTag> | undefined
  readonly chargingState?: Ranked<string> | undefined
  readonly stopReason?: Ranked<string> | undefined
  readonly remoteStart?: Ranked<number> | undefined
  readonly reservation?: Ranked<number> | undefined
  readonly begin?: Ranked<number> | undefined
  readonly end?: Ranked<number> | undefined
  readonly firstReading?: Ranked<number> | undefined
  readonly lastReading?: Ranked<number> | undefined
  /** Absent where a register is known. */
  readonly intervals?: Intervals | undefined
}
type Run = readonly [from: number, to: number]

const ranked = <T>(rank: number, value: T | undefined): Ranked<T> | undefined =>
  value === undefined ? undefined : { rank, value }

/** The order of values with the same rank. A tag is compared by its text, since its first status stays. */
const sortKey = (value: unknown): string | number => {
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null && 'tag' in value ? String(value.tag) : String(value)
}

/**
 * The register with the lower (sign 1) or higher (sign -1) rank; of two with the same rank the lesser value.
 */
function pickByRank<T>(
  a: Ranked<T> | undefined,
  b: Ranked<T> | undefined,
  sign: 1 | -1,
): Ranked<T> | undefined {
  if (!a || !b) return a ?? b
  if (a.rank !== b.rank) return (a.rank - b.rank) * sign < 0 ? a : b
  return sortKey(b.value) < sortKey(a.value) ? b : a
}
const lowestRank = <T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined) => pickByRank(a, b, 1)
const highestRank = <T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined) => pickByRank(a, b, -1)

const smallerOf = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
const greatest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)

/** The union of two sets of numbers. Runs that touch become one; beyond the bound the two lowest do. */
function joinRuns(a: readonly Run[], b: readonly Run[]): Run[] {
  const runs: [number, number][] = []
  for (const [from, to] of [...a, ...b].sort((x, y) => x[0] - y[0])) {
    const before = runs.at(-1)
    if (before && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else runs.push([from, to])
  }
  while (runs.length > SEQ_NO_RUNS_MAX) {
    const [[from], [, to]] = [elementAt(runs, 0), elementAt(runs, 1)]
    runs.splice(0, 2, [from, to])
  }
  return runs
}

function readingsOf({ register }: SessionEvent) {
  let found: Pick<SessionState, 'begin' | 'end' | 'firstReading' | 'lastReading'> = {}
  for (const { at, wh, moment } of register) {
    const reading = ranked(at, wh)
    found = {
      begin: moment === 'begin' ? lowestRank(found.begin, reading) : found.begin,
      end: moment === 'end' ? highestRank(found.end, reading) : found.end,
      firstReading: lowestRank(found.firstReading, reading),
      lastReading: highestRank(found.lastReading, reading),
    }
  }
  return found
}

/** The state of a session of which this event alone is known. */
export function stateOfEvent(event: SessionEvent): SessionState {
  const { kind, seqNo, at, tag } = event
  return {
    first: at,
    last: at,
    started: kind === 'started' ? at : undefined,
    ended: kind === 'ended' ? at : undefined,
    isOffline: event.isOffline || undefined,
    seen: [[seqNo, seqNo]],
    connector: ranked(seqNo, event.connectorId),
    startTag: kind === 'ended' ? undefined : ranked(seqNo, tag),
    stopTag: kind === 'ended' ? ranked(seqNo, tag) : undefined,
    chargingState: ranked(seqNo, event.chargingState),
    stopReason: ranked(seqNo, event.stopReason),
    remoteStart: ranked(seqNo, event.remoteStart),
    reservation: ranked(seqNo, event.reservation),
    ...readingsOf(event),
    intervals: event.register.length > 0 ? undefined : intervalsOf(kind === 'ended', event.intervals),
  }
}

/** The join of two states: commutative, associative and idempotent. */
export const join = (a: SessionState, b: SessionState): SessionState => ({
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  started: smallerOf(a.started, b.started),
  ended: greatest(a.ended, b.ended),
  superseded: a.superseded ?? b.superseded,
  used: a.used ?? b.used,
  remoteTag: a.remoteTag ?? b.remoteTag,
  isOffline: a.isOffline ?? b.isOffline,
  seen: joinRuns(a.seen, b.seen),
  connector: lowestRank(a.connector, b.connector),
  startTag: lowestRank(a.startTag, b.startTag),
  stopTag: highestRank(a.stopTag, b.stopTag),
  chargingState: highestRank(a.chargingState, b.chargingState),
  stopReason: highestRank(a.stopReason, b.stopReason),
  remoteStart: lowestRank(a.remoteStart, b.remoteStart),
  reservation: lowestRank(a.reservation, b.reservation),
  begin: lowestRank(a.begin, b.begin),
  end: highestRank(a.end, b.end),
  firstReading: lowestRank(a.firstReading, b.firstReading),
  lastReading: highestRank(a.lastReading, b.lastReading),
  intervals: a.lastReading || b.lastReading ? undefined : joinIntervals(a.intervals, b.intervals),
})

/**
 * The missing event numbers below the highest one, the lowest SEQ_NOS_MISSING_MAX of them. A session begins
 * with 0.
 */
export function missingSeqNos({ seen }: Pick<SessionState, 'seen'>): number[] {
  const missing: number[] = []
  let next = 0
  for (const [from, to] of seen) {
    for (; next < from && missing.length < SEQ_NOS_MISSING_MAX; next += 1) missing.push(next)
    next = to + 1
  }
  return missing
}

/** A station may omit the tag in the events of a remote start, and one that ends a session may be another one. */
const startTagOf = ({ startTag, remoteTag, stopTag }: SessionState): AuthorizedTag | undefined =>
  startTag?.value ?? remoteTag ?? stopTag?.value

function flagsOf(
  state: SessionState,
  { startWh, stopWh }: { startWh: number | null; stopWh: number | null },
) {
  const startedAt = state.started ?? state.first
  const start = startTagOf(state)
  const stop = state.stopTag?.value
  const status = start?.status ?? 'accepted'
  return selectFlags({
    unknown_tag: status === 'invalid',
    not_authorized: status !== 'accepted' && status !== 'invalid',
    offline: state.isOffline === true,
    clock_wrong: startedAt < SAMPLE_EPOCH_FLOOR_MS,
    meter_went_back: startWh !== null && stopWh !== null && stopWh < startWh,
    ended_before_start: state.ended !== undefined && state.ended < startedAt,
    ended_without_start: state.ended !== undefined && state.started === undefined,
    ended_by_other: start !== undefined && stop !== undefined && !isSameGroup(start, stop),
    end_not_told: state.ended === undefined && state.superseded === true,
  })
}

/** The columns of a session, derived from its state. */
export function toSessionColumns(state: SessionState) {
  const isOver = state.ended !== undefined || state.superseded === true
  const startWh = state.begin?.value ?? state.firstReading?.value ?? null
  const stopWh = isOver ? (state.end?.value ?? state.lastReading?.value ?? null) : null
  const startTag = startTagOf(state)
  const interval = state.intervals && toRegister(state.intervals).at(-1)
  const endedAt = state.ended ?? Math.max(state.last, state.lastReading?.rank ?? state.last)
  return {
    id_tag: startTag?.tag ?? null,
    parent_tag: startTag?.parentTag ?? null,
    authorization_status: startTag?.status ?? 'accepted',
    state: isOver ? 'ended' : 'active',
    started_at: new Date(state.started ?? state.first),
    meter_start_wh: startWh,
    ended_at: isOver ? new Date(endedAt) : null,
    meter_stop_wh: stopWh,
    stop_reason: state.stopReason?.value ?? null,
    stop_id_tag: state.stopTag?.value.tag ?? null,
    meter_last_wh: state.lastReading?.value ?? null,
    meter_last_at: state.lastReading ? new Date(state.lastReading.rank) : null,
    interval_wh: interval?.wh ?? null,
    interval_last_at: interval ? new Date(interval.at) : null,
    charging_state: state.chargingState?.value ?? null,
    reservation_number: state.reservation?.value ?? state.used ?? null,
    flags: flagsOf(state, { startWh, stopWh }),
    last_seq_no: state.seen.at(-1)?.[1] ?? null,
    missing_seq_nos: missingSeqNos(state),
  }
}
