import { SAMPLE_EPOCH_FLOOR_MS } from '../../../kernel/limits.ts'
import { SEQ_NO_RUNS_MAX, SEQ_NOS_MISSING_MAX } from '../limits.ts'
import { areOfOneGroup, chosenFlags } from './flags.ts'
import { type IntervalReading, type Intervals, intervalsOf, joinIntervals, risingOf } from './intervals.ts'

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
  readonly tag?: ToldTag | undefined
  readonly chargingState?: string | undefined
  readonly stopReason?: string | undefined
  /** The number of the command that it came of. */
  readonly remoteStart?: number | undefined
  readonly reservation?: number | undefined
  readonly register: readonly RegisterReading[]
  readonly intervals: readonly IntervalReading[]
}

export interface ToldTag {
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
export interface Told {
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
  readonly startTag?: Ranked<ToldTag> | undefined
  readonly stopTag?: Ranked<ToldTag> | undefined
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
function pick<T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined, sign: 1 | -1): Ranked<T> | undefined {
  if (!a || !b) return a ?? b
  if (a.rank !== b.rank) return (a.rank - b.rank) * sign < 0 ? a : b
  return sortKey(b.value) < sortKey(a.value) ? b : a
}
const earlier = <T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined) => pick(a, b, 1)
const later = <T>(a: Ranked<T> | undefined, b: Ranked<T> | undefined) => pick(a, b, -1)

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
  let found: Pick<Told, 'begin' | 'end' | 'firstReading' | 'lastReading'> = {}
  for (const { at, wh, moment } of register) {
    const reading = ranked(at, wh)
    found = {
      begin: moment === 'begin' ? earlier(found.begin, reading) : found.begin,
      end: moment === 'end' ? later(found.end, reading) : found.end,
      firstReading: earlier(found.firstReading, reading),
      lastReading: later(found.lastReading, reading),
    }
  }
  return found
}

/** What one event tells by itself. */
export function toldBy(event: SessionEvent): Told {
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
export const join = (a: Told, b: Told): Told => ({
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  started: least(a.started, b.started),
  ended: greatest(a.ended, b.ended),
  overtaken: a.overtaken ?? b.overtaken,
  used: a.used ?? b.used,
  isOffline: a.isOffline ?? b.isOffline,
  seen: joinRuns(a.seen, b.seen),
  connector: earlier(a.connector, b.connector),
  startTag: earlier(a.startTag, b.startTag),
  stopTag: later(a.stopTag, b.stopTag),
  chargingState: later(a.chargingState, b.chargingState),
  stopReason: later(a.stopReason, b.stopReason),
  remoteStart: earlier(a.remoteStart, b.remoteStart),
  reservation: earlier(a.reservation, b.reservation),
  begin: earlier(a.begin, b.begin),
  end: later(a.end, b.end),
  firstReading: earlier(a.firstReading, b.firstReading),
  lastReading: later(a.lastReading, b.lastReading),
  intervals: a.lastReading || b.lastReading ? undefined : joinIntervals(a.intervals, b.intervals),
})

/** The lowest numbers below the highest that have not come; 0 is the first of every session. */
export function missingSeqNos({ seen }: Pick<Told, 'seen'>): number[] {
  const missing: number[] = []
  let next = 0
  for (const [from, to] of seen) {
    for (; next < from && missing.length < SEQ_NOS_MISSING_MAX; next += 1) missing.push(next)
    next = to + 1
  }
  return missing
}

function flagsOf(told: Told, { startWh, stopWh }: { startWh: number | null; stopWh: number | null }) {
  const startedAt = told.started ?? told.first
  const start = (told.startTag ?? told.stopTag)?.value
  const stop = told.stopTag?.value
  const status = start?.status ?? 'accepted'
  return chosenFlags({
    unknown_tag: status === 'invalid',
    not_authorized: status !== 'accepted' && status !== 'invalid',
    offline: told.isOffline === true,
    clock_wrong: startedAt < SAMPLE_EPOCH_FLOOR_MS,
    meter_went_back: startWh !== null && stopWh !== null && stopWh < startWh,
    ended_before_start: told.ended !== undefined && told.ended < startedAt,
    ended_without_start: told.ended !== undefined && told.started === undefined,
    ended_by_other: start !== undefined && stop !== undefined && !areOfOneGroup(start, stop),
    end_not_told: told.ended === undefined && told.overtaken === true,
  })
}

/** The session as its events tell it so far. */
export function sessionOf(told: Told) {
  const isOver = told.ended !== undefined || told.overtaken === true
  const startWh = told.begin?.value ?? told.firstReading?.value ?? null
  const stopWh = isOver ? (told.end?.value ?? told.lastReading?.value ?? null) : null
  const startTag = told.startTag?.value ?? told.stopTag?.value
  const interval = told.intervals && risingOf(told.intervals).at(-1)
  const endedAt = told.ended ?? Math.max(told.last, told.lastReading?.rank ?? told.last)
  return {
    id_tag: startTag?.tag ?? null,
    parent_tag: startTag?.parentTag ?? null,
    authorization_status: startTag?.status ?? 'accepted',
    state: isOver ? 'ended' : 'active',
    started_at: new Date(told.started ?? told.first),
    meter_start_wh: startWh,
    ended_at: isOver ? new Date(endedAt) : null,
    meter_stop_wh: stopWh,
    stop_reason: told.stopReason?.value ?? null,
    stop_id_tag: told.stopTag?.value.tag ?? null,
    meter_last_wh: told.lastReading?.value ?? null,
    meter_last_at: told.lastReading ? new Date(told.lastReading.rank) : null,
    interval_wh: interval?.wh ?? null,
    interval_last_at: interval ? new Date(interval.at) : null,
    charging_state: told.chargingState?.value ?? null,
    reservation_number: told.reservation?.value ?? told.used ?? null,
    flags: flagsOf(told, { startWh, stopWh }),
    last_seq_no: told.seen.at(-1)?.[1] ?? null,
    missing_seq_nos: missingSeqNos(told),
  }
}
