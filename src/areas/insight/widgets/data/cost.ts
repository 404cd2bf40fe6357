import { qualityOfSum } from '../../../../core/netting/counter/quality.ts'
import { add, formatTry, type Try } from '../../../../kernel/decimal.ts'
import { iso, type Range } from '../../../../kernel/time.ts'
import { inKilo } from '../../../metering/aggregates/index.ts'
import { bucketCount, bucketEnd } from '../../../metering/rollup/index.ts'
import { openBooks, type PricedPart, priceSlices } from '../../../netting/tariffs/index.ts'
import { type Bill, billsOf } from './cost-plan.ts'
import { bucketOf, headOf } from './energy.ts'
import type { Plan } from './plan.ts'
import type { Slice } from './slices.ts'
import type { Sources } from './sources.ts'

type Part = PricedPart<Slice>

/** The number of parts of the bills in a range without a gap. */
const partsIn = (bills: readonly Bill[], range: Range): number =>
  bills.reduce((sum, { requests: [first] }) => sum + (first ? bucketCount(first.interval, range) : 0), 0)

/**
 * Sums parts; `expected` is their number without a gap. If one part has no price, the sum has no amount, because a
 * partial amount misleads.
 */
function summed(parts: readonly Part[], expected: number) {
  const missing = parts.find(({ cost }) => cost === null)
  const reason = parts.length === 0 ? ('no_data' as const) : (missing?.reason ?? null)
  const cost = parts.reduce((sum, part) => add(sum, part.cost ?? (0n as Try)), 0n as Try)
  return {
    energyWh: parts.length === 0 ? null : parts.reduce((sum, { energyWh }) => sum + energyWh, 0),
    isEstimated: parts.some(({ isEstimated }) => isEstimated),
    quality: qualityOfSum([
      ...parts.map(({ quality }) => quality),
      ...(parts.length < expected ? (['missing'] as const) : []),
    ]),
    costTry: reason === null ? formatTry(cost) : null,
    reason,
  }
}

async function partsOf(bills: readonly Bill[], plan: Plan, sources: Sources): Promise<Part[]> {
  const books = openBooks(sources.prices())
  const lists: Part[][] = []
  for (const { tariff, requests } of bills) {
    const slices = await sources.consumption(requests)
    lists.push(priceSlices(tariff, slices, books).filter(({ start }) => start >= plan.period.range.from))
  }
  return lists.flat()
}

const tariffResponse = ({ tariff, deviceIds }: Bill) => ({
  facility_id: tariff.facilityId,
  abone_grubu: tariff.aboneGrubu,
  is_multi_time: tariff.isMultiTime,
  voltage_level: tariff.voltageLevel,
  device_ids: [...deviceIds],
})

export async function costChart(plan: Plan, sources: Sources) {
  const bills = billsOf(plan, sources.tariffs())
  const parts = await partsOf(bills, plan, sources)
  const { interval, range } = plan.period
  const total = summed(parts, partsIn(bills, range))
  const buckets = new Map<number, Part[]>()
  for (const part of parts) {
    const start = bucketOf(interval, part.start)
    const list = buckets.get(start)
    if (list) list.push(part)
    else buckets.set(start, [part])
  }
  return {
    ...headOf(plan),
    currency: 'TRY',
    total_try: total.costTry,
    reason: total.reason,
    energy_kwh: inKilo(total.energyWh),
    is_estimated: total.isEstimated,
    data_quality: total.quality,
    data: [...buckets]
      .sort(([a], [b]) => a - b)
      .map(([start, list]) => {
        const sum = summed(list, partsIn(bills, { from: start, to: bucketEnd(interval, start) }))
        return {
          timestamp: iso(start),
          energy_kwh: inKilo(sum.energyWh),
          cost_try: sum.costTry,
          reason: sum.reason,
          is_estimated: sum.isEstimated,
          data_quality: sum.quality,
        }
      }),
    tariffs: bills.map(tariffResponse),
  }
}

export async function costNumeric(plan: Plan, sources: Sources) {
  const bills = billsOf(plan, sources.tariffs())
  const total = summed(await partsOf(bills, plan, sources), partsIn(bills, plan.period.range))
  const { period, period_label, start, end } = headOf(plan)
  return {
    period,
    period_label,
    start,
    end,
    currency: 'TRY',
    value_try: total.costTry,
    reason: total.reason,
    energy_kwh: inKilo(total.energyWh),
    is_estimated: total.isEstimated,
    data_quality: total.quality,
    tariffs: bills.map(tariffResponse),
  }
}
