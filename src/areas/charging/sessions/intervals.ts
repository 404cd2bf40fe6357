import type { NearestReadings, RegisterReading } from '../../metering/samples/index.ts'
import { SESSION_INTERVALS_MAX } from '../limits.ts'

/** What went through in the time before an instant, as stations tell it that have no register to tell. */
export interface IntervalReading {
  readonly at: number
  readonly milliWh: number
  /**
   * Told by the clock (every quarter of an hour, for example) and not by the session: the same energy once
   * more.
   */
  readonly isOfClock: boolean
}

type Entry = readonly [at: number, milliWh: number]

/** Readings by their instants; beyond the bound the oldest are one sum. */
interface Series {
  readonly folded?: { readonly until: number; readonly milliWh: number } | undefined
  readonly list: readonly Entry[]
}

/** What was told while the session went on, with its end, and by the clock: each may tell the same energy. */
export interface Intervals {
  readonly during?: Series | undefined
  readonly end?: Series | undefined
  readonly clock?: Series | undefined
}

const seriesOf = (readings: readonly IntervalReading[]): Series | undefined =>
  readings.length === 0
    ? undefined
    : joinSeries({ list: readings.map(({ at, milliWh }) => [at, milliWh] as const) }, { list: [] })

/** What one event tells. */
export function intervalsOf(isEnd: boolean, readings: readonly IntervalReading[]): Intervals | undefined {
  if (readings.length === 0) return undefined
  const own = seriesOf(readings.filter(({ isOfClock }) => !isOfClock))
  const clock = seriesOf(readings.filter(({ isOfClock }) => isOfClock))
  return isEnd ? { end: own, clock } : { during: own, clock }
}

/** Of two of the same instant the lesser, so that it does not matter which came first. */
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
 * Those that count: of what the end tells again only what is newer, and the clock's only where there are no
 * others.
 */
function countedEntries({ during, end, clock }: Intervals): Entry[] {
  const own = entriesOf(during)
  const until = own.at(-1)?.[0] ?? -Infinity
  const all = [...own, ...entriesOf(end).filter(([at]) => at > until)]
  return all.length > 0 ? all : entriesOf(clock)
}

/** A register that would have begun at 0 with the session. */
export function toRegister(intervals: Intervals): RegisterReading[] {
  let milliWh = 0
  return countedEntries(intervals).map(([at, more]) => {
    milliWh += more
    return { at, wh: Math.round(milliWh / 1_000) }
  })
}

/** The readings next to each instant. */
export const readingsAround = (readings: readonly RegisterReading[], instants: readonly number[]): NearestReadings[] =>
  instants.map((instant) => ({
    before: readings.findLast(({ at }) => at <= instant),
    after: readings.find(({ at }) => at > instant),
  }))
