import { add, formatTry, type Try } from '../../../../kernel/decimal.ts'
import { iso } from '../../../../kernel/time.ts'
import { inKilo } from '../../../metering/aggregates/index.ts'
import { openBooks, type PricedPart, priceSlices } from '../../../netting/tariffs/index.ts'
import { type Bill, billsOf } from './cost-plan.ts'
import { bucketOf, headOf } from './energy.ts'
import type { Plan } from './plan.ts'
import type { Sources } from './sources.ts'

/** Sums parts. If one part has no price, the sum has no amount, because a partial amount misleads. */
function summed(parts: readonly PricedPart[]) {
  const missing = parts.find(({ cost }) => cost === null)
  const reason = parts.length === 0 ? ('no_data' as const) : (missing?.reason ?? null)
  const cost = parts.reduce((sum, part) => add(sum, part.cost ?? (0n as Try)), 0n as Try)
  return {
    energyWh: parts.length === 0 ? null : parts.reduce((sum, { energyWh }) => sum + energyWh, 0),
    isEstimated: parts.some(({ isEstimated }) => isEstimated),
    costTry: reason === null ? formatTry(cost) : null,
    reason,
  }
}

async function partsOf(bills: readonly Bill[], plan: Plan, sources: Sources): Promise<PricedPart[]> {
  const books = openBooks(sources.prices())
  const lists: PricedPart[][] = []
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
  const total = summed(parts)
  const buckets = new Map<number, PricedPart[]>()
  for (const part of parts) {
    const start = bucketOf(plan.period.interval, part.start)
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
    data: [...buckets]
      .sort(([a], [b]) => a - b)
      .map(([start, list]) => {
        const sum = summed(list)
        return {
          timestamp: iso(start),
          energy_kwh: inKilo(sum.energyWh),
          cost_try: sum.costTry,
          reason: sum.reason,
          is_estimated: sum.isEstimated,
        }
      }),
    tariffs: bills.map(tariffResponse),
  }
}

export async function costNumeric(plan: Plan, sources: Sources) {
  const bills = billsOf(plan, sources.tariffs())
  const total = summed(await partsOf(bills, plan, sources))
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
    tariffs: bills.map(tariffResponse),
  }
}
