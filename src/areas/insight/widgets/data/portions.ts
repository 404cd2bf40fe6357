import { DAY_MS, HOUR_MS, periodOf, periodStart } from '../../../../kernel/time.ts'
import type { EnergyRequest } from '../../../metering/aggregates/index.ts'
import { WIDGET_BUCKETS_AT_ONCE, WIDGET_BUCKETS_READ } from '../limits.ts'
import { energyRequestsOf, type Plan } from './plan.ts'

const BUCKET_MS = { hourly: HOUR_MS, daily: DAY_MS, monthly: 28 * DAY_MS } as const

export const energyKey = ({ deviceId, interval, range }: EnergyRequest): string =>
  `${deviceId} ${interval} ${range.from} ${range.to}`

/** The upper bound of the buckets in the response to a request. */
export const bucketsIn = ({ interval, range }: EnergyRequest): number =>
  Math.ceil((range.to - range.from) / BUCKET_MS[interval])

/**
 * Items in their order, in portions that weigh no more than the limit; one that weighs more is a portion by
 * itself.
 */
export function inPortionsOf<T>(items: readonly T[], limit: number, weightOf: (item: T) => number): T[][] {
  const portions: T[][] = []
  let weight = 0
  for (const item of items) {
    weight += weightOf(item)
    const last = portions.at(-1)
    if (last && weight <= limit) last.push(item)
    else {
      portions.push([item])
      weight = weightOf(item)
    }
  }
  return portions
}

/**
 * Plans in their order, in portions whose energies may be held at once; what several of them show counts
 * once.
 */
export function portionsOf(plans: readonly Plan[], limit = WIDGET_BUCKETS_AT_ONCE): Plan[][] {
  const seen = new Set<string>()
  const weightOf = (plan: Plan): number =>
    maxEnergyRequestsOf(plan).reduce(
      (sum, request) => sum + (seen.has(energyKey(request)) ? 0 : bucketsIn(request)),
      0,
    )
  const portions: Plan[][] = []
  let weight = 0
  for (const plan of plans) {
    weight += weightOf(plan)
    const last = portions.at(-1)
    if (last && weight <= limit) last.push(plan)
    else {
      seen.clear()
      portions.push([plan])
      weight = weightOf(plan)
    }
    for (const request of maxEnergyRequestsOf(plan)) seen.add(energyKey(request))
  }
  return portions
}

/** Whether a portion is more than one statement reads: two of them are not held at once. */
export function isLarge(portion: readonly Plan[]): boolean {
  const requests = new Map(
    portion.flatMap(maxEnergyRequestsOf).map((request) => [energyKey(request), request]),
  )
  return [...requests.values()].reduce((sum, request) => sum + bucketsIn(request), 0) > WIDGET_BUCKETS_READ
}

/**
 * What the plan asks for at most: a cost, before its tariff is known, the hours since the start of the first
 * month.
 */
function maxEnergyRequestsOf(plan: Plan): EnergyRequest[] {
  const { devices, period, widget } = plan
  if (!widget.widget_type.startsWith('cost_')) return energyRequestsOf(plan)
  const isByHour = widget.config['is_multi_time'] !== false || period.interval === 'hourly'
  const interval = isByHour ? ('hourly' as const) : ('daily' as const)
  const range = { from: periodStart(periodOf(period.range.from)), to: period.range.to }
  return devices.map(({ id }) => ({ deviceId: id, interval, range }))
}
