import {
  addMonths,
  DAY_MS,
  dayStart,
  floorHour,
  HOUR_MS,
  localDate,
  periodOf,
  periodStart,
  type Range,
} from '../../../../kernel/time.ts'
import { WIDGET_PERIODS, type WidgetPeriod } from '../../../../kernel/widget-periods.ts'
import { bucketEnd, type Interval, wholeBuckets } from '../../../metering/rollup/index.ts'
import { WIDGET_POINTS_MAX } from '../limits.ts'

const DEFAULT_PERIOD: WidgetPeriod = '7d'

export interface ResolvedPeriod {
  readonly period: WidgetPeriod
  readonly label: string
  readonly interval: Interval
  /** Whole buckets of the interval. A period that is not over reaches to the end of its running bucket. */
  readonly range: Range
}

interface Rule {
  readonly label: string
  readonly interval: Interval
  readonly range: (now: number) => Range
}

const today = (now: number): number => dayStart(localDate(now))
const DAYS_OF_WEEK = 7
/** 1 January 1970 was a Thursday. */
const weekday = (now: number): number => (Math.floor((today(now) + 3 * HOUR_MS) / DAY_MS) + 3) % DAYS_OF_WEEK
const monday = (now: number): number => today(now) - weekday(now) * DAY_MS
const month = (now: number, offset: number): number => periodStart(addMonths(periodOf(now), offset))
const year = (now: number): number => dayStart(`${localDate(now).slice(0, 4)}-01-01`)
/** The last `count` local days, including the current one. */
const days = (count: number) => (now: number) => ({ from: today(now) - (count - 1) * DAY_MS, to: now })

const RULES: Readonly<Record<WidgetPeriod, Rule>> = {
  '24h': {
    label: 'Last 24 hours',
    interval: 'hourly',
    range: (now) => ({ from: floorHour(now) - 23 * HOUR_MS, to: now }),
  },
  today: { label: 'Today', interval: 'hourly', range: (now) => ({ from: today(now), to: now }) },
  yesterday: {
    label: 'Yesterday',
    interval: 'hourly',
    range: (now) => ({ from: today(now) - DAY_MS, to: today(now) }),
  },
  '7d': { label: 'Last 7 days', interval: 'daily', range: days(7) },
  '30d': { label: 'Last 30 days', interval: 'daily', range: days(30) },
  '90d': { label: 'Last 90 days', interval: 'daily', range: days(90) },
  '1y': {
    label: 'Last 12 months',
    interval: 'monthly',
    range: (now) => ({ from: month(now, -11), to: now }),
  },
  this_week: { label: 'This week', interval: 'daily', range: (now) => ({ from: monday(now), to: now }) },
  last_week: {
    label: 'Last week',
    interval: 'daily',
    range: (now) => ({ from: monday(now) - DAYS_OF_WEEK * DAY_MS, to: monday(now) }),
  },
  this_month: { label: 'This month', interval: 'daily', range: (now) => ({ from: month(now, 0), to: now }) },
  last_month: {
    label: 'Last month',
    interval: 'daily',
    range: (now) => ({ from: month(now, -1), to: month(now, 0) }),
  },
  this_year: { label: 'This year', interval: 'monthly', range: (now) => ({ from: year(now), to: now }) },
}

const isPeriod = (value: unknown): value is WidgetPeriod =>
  (WIDGET_PERIODS as readonly unknown[]).includes(value)
const isInterval = (value: unknown): value is Interval =>
  value === 'hourly' || value === 'daily' || value === 'monthly'

export interface PeriodSources {
  readonly config: Readonly<Record<string, unknown>>
  readonly timeRange: WidgetPeriod | undefined
  readonly now: number
}

/**
 * config.period, then time_range, then '7d' (the interface's order); time_range is that of the query, else
 * one that older clients have kept in the config. config.interval is taken unless it would give more than
 * WIDGET_POINTS_MAX points; then the period's own is.
 */
export function resolvePeriod({ config, timeRange, now }: PeriodSources): ResolvedPeriod {
  const period = [config['period'], timeRange, config['time_range']].find(isPeriod) ?? DEFAULT_PERIOD
  const { label, range, ...rule } = RULES[period]
  // At the very start of a bucket its range would be empty.
  const requested = range(now)
  const { from, to } =
    requested.from < requested.to ? requested : { from: requested.from, to: requested.from + 1 }
  const finer = config['interval']
  const interval =
    isInterval(finer) && countBuckets(finer, { from, to }) <= WIDGET_POINTS_MAX ? finer : rule.interval
  return { period, label, interval, range: wholeBuckets(interval, { from, to }) }
}

function countBuckets(interval: Interval, range: Range): number {
  const { from, to } = wholeBuckets(interval, range)
  if (interval === 'hourly') return (to - from) / HOUR_MS
  let count = 0
  for (let at = from; at < to; at = bucketEnd(interval, at)) count += 1
  return count
}
