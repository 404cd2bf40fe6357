import type { NearestReadings, RegisterReading } from '../../metering/samples/index.ts'
import { SESSION_INTERVALS_MAX } from '../limits.ts'

/** The energy of the time before an instant, as stations report it that report no register. */
export interface IntervalReading {
  readonly at: number
  readonly milliWh: number
  /**
   * Measured by the clock (every quarter of an hour, for example) and not by the session: the same energy
   * once more.
   */
  readonly isOfClock: boolean
}

type Entry = readonly [at: number, milliWh: number]

/** Readings by their instants. Beyond SESSION_INTERVALS_MAX the oldest are folded into one sum. */
interface Series {
  readonly folded?: { readonly until: number; readonly milliWh: number } | undefined
  readonly list: readonly Entry[]
}

/**
 * The readings during the session, with its end, and by the clock. Each series may have the same energy.
 * Stored as JSON; part of the CRDT of `session-state.ts`.
 */
export interface Intervals {
  readonly during?: Series | undefined
  readonly end?: Series | undefined
  readonly clock?: Series | undefined
}

const seriesOf = (readings: readonly IntervalReading[]): Series | undefined =>
  readings.length === 0
    ? undefined
    : joinSeries({ list: readings.map(({ at, milliWh }) => [at, milliWh] as const) }, { list: [] })

/** The intervals of one event. */
export function intervalsOf(isEnd: boolean, readings: readonly IntervalReading[]): Intervals | undefined {
  if (readings.length === 0) return undefined
  const own = seriesOf(readings.filter(({ isOfClock }) => !isOfClock))
  const clock = seriesOf(readings.filter(({ isOfClock }) => isOfClock))
  return isEnd ? { end: own, clock } : { during: own, clock }
}

/**
 * Joins two series: the union by instant, of two readings of one instant the lesser, so that the order does
 * not matter. The longer folded prefix wins, and readings within it are dropped as known.
 */
function joinSeries(a: Series | undefined, b: Series | undefined): Series | undefined {
  if (!a || !b) return a ?? b
  const folded = (a.folded?.until ?? -Infinity) >= (b.folded?.until ?? -Infinity) ? a.folded : b.folded
  const byInstant = new Map<number, number>()
  for (const [at, milliWh] of [...a.list, ...b.list]) {
    if (at > (folded?.until ?? -Infinity))
      byInstant.set(at, Math.min(milliWh, byInstant.get(at) ?? Number.MAX_SAFE_INTEGER))
  }
  const list: Entry[] = [...byInstant].sort(([first], [second]) => first - second)
  const old = list.splice(0, Math.max(0, list.length - SESSION_INTERVALS_MAX))
  const last = old.at(-1)
  if (!last) return { folded, list }
  const milliWh = old.reduce((sum, [, one]) => sum + one, folded?.milliWh ?? 0)
  return { folded: { until: last[0], milliWh }, list }
}

export function joinIntervals(a: Intervals | undefined, b: Intervals | undefined): Intervals | undefined {
  if (!a || !b) return a ?? b
  return {
    during: joinSeries(a.during, b.during),
    end: joinSeries(a.end, b.end),
    clock: joinSeries(a.clock, b.clock),
  }
}

const entriesOf = (series: Series | undefined): Entry[] => [
  ...(series?.folded ? [[series.folded.until, series.folded.milliWh] as const] : []),
  ...(series?.list ?? []),
]

/**
 * The entries that count: of the end's only those that are newer than the others, and the clock's only where
 * there are no others.
 */
function countedEntries({ during, end, clock }: Intervals): Entry[] {
  const own = entriesOf(during)
  const until = own.at(-1)?.[0] ?? -Infinity
  const all = [...own, ...entriesOf(end).filter(([at]) => at > until)]
  return all.length > 0 ? all : entriesOf(clock)
}

/** The intervals as a register that begins at 0 with the session. */
export function toRegister(intervals: Intervals): RegisterReading[] {
  let milliWh = 0
  return countedEntries(intervals).map(([at, more]) => {
    milliWh += more
    return { at, wh: Math.round(milliWh / 1_000) }
  })
}

/** The nearest readings before and after each instant. */
export const readingsAround = (
  readings: readonly RegisterReading[],
  instants: readonly number[],
): NearestReadings[] =>
  instants.map((instant) => ({
    before: readings.findLast(({ at }) => at <= instant),
    after: readings.find(({ at }) => at > instant),
  }))
