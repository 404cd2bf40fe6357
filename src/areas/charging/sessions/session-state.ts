import { SAMPLE_EPOCH_FLOOR_MS } from '../../../kernel/limits.ts'
import { SEQ_NO_RUNS_MAX, SEQ_NOS_MISSING_MAX } from '../limits.ts'
import { isSameGroup, selectFlags } from './flags.ts'
import { type IntervalReading, type Intervals, intervalsOf, joinIntervals, toRegister } from './intervals.ts'

/** One event of a session as a 2.0.1 station numbers it, in our words; instants in epoch milliseconds. */
export interface SessionEvent {
  /** As the station made it. */
  readonly transactionId: string
  readonly kind: 'started' | 'updated' | 'ended'
  readonly seqNo: number
  readonly at: number
  readonly isOffline: boolean
  /** The EVSE, where the event names it. */
  readonly connectorId?: number | undefined
  /** Who wants to start it or, in the last event, who has ended it. */
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
  /** What was answered to the station. */
  readonly status: string
  readonly parentTag: string | null
}

/** Of the register of energy that was given to the vehicle, Wh. */
export interface RegisterReading {
  readonly at: number
  readonly wh: number
  readonly moment: 'begin' | 'end' | 'during'
}

/** A value with the number or the instant of what told it. */
interface Ranked<T> {
  readonly rank: number
  readonly value: T
}

/**
 * What the events of a session have told, whatever their order. Joining is commutative, associative and
 * idempotent: of each field the value of the first or of the last that told it, a set of numbers, least and
 * greatest instants.
 */
export interface SessionState {
  readonly first: number
  readonly last: number
  readonly started?: number | undefined
  readonly ended?: number | undefined
  /** A later session began on the same EVSE. */
  readonly overtaken?: true | undefined
  /** The reservation that was found for it. */
  readonly used?: number | undefined
  readonly isOffline?: true | undefined
  /** Runs of numbers that have come, in order: [from, to] with both ends. */
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
  /** Only where no register is told. */
  readonly intervals?: Intervals | undefined
}
type Run = readonly [from: number, to: number]

const ranked = <T>(rank: number, value: T | undefined): Ranked<T> | undefined =>
  value === undefined ? undefined : { rank, value }

/** What a value is compared by: of a tag the tag, since what was answered the first time stays. */
const sortKey = (value: unknown): string | number => {
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null && 'tag' in value ? String(value.tag) : String(value)
}

/** Two of the same rank: the lesser value, so that it does not matter which came first. */
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

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
const greatest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)

/**
 * Runs that touch become one. Beyond the bound the two lowest do: a station that numbers so is not to be
 * helped.
 */
function joinRuns(a: readonly Run[], b: readonly Run[]): Run[] {
  const runs: [number, number][] = []
  for (const [from, to] of [...a, ...b].sort((x, y) => x[0] - y[0])) {
    const before = runs.at(-1)
    if (before && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else runs.push([from, to])
  }
  while (runs.length > SEQ_NO_RUNS_MAX) {
    const [lowest, next, ...rest] = runs
    runs.splice(0, runs.length, [lowest?.[0] ?? 0, next?.[1] ?? 0], ...rest)
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

/** What one event tells by itself. */
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

/** Everything that either has told; of two equals the first one's. */
export const join = (a: SessionState, b: SessionState): SessionState => ({
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  started: least(a.started, b.started),
  ended: greatest(a.ended, b.ended),
  overtaken: a.overtaken ?? b.overtaken,
  used: a.used ?? b.used,
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

/** The lowest numbers below the highest that have not come; 0 is the first of every session. */
export function missingSeqNos({ seen }: Pick<SessionState, 'seen'>): number[] {
  const missing: number[] = []
  let next = 0
  for (const [from, to] of seen) {
    for (; next < from && missing.length < SEQ_NOS_MISSING_MAX; next += 1) missing.push(next)
    next = to + 1
  }
  return missing
}

function flagsOf(
  state: SessionState,
  { startWh, stopWh }: { startWh: number | null; stopWh: number | null },
) {
  const startedAt = state.started ?? state.first
  const start = (state.startTag ?? state.stopTag)?.value
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
    end_not_told: state.ended === undefined && state.overtaken === true,
  })
}

/** The session as its events tell it so far. */
export function toSessionColumns(state: SessionState) {
  const isOver = state.ended !== undefined || state.overtaken === true
  const startWh = state.begin?.value ?? state.firstReading?.value ?? null
  const stopWh = isOver ? (state.end?.value ?? state.lastReading?.value ?? null) : null
  const startTag = state.startTag?.value ?? state.stopTag?.value
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
