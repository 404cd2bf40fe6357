import {
  add,
  formatTry,
  type Kwh,
  larger,
  mulPrice,
  smaller,
  subtract,
  type Try,
  wh,
  ZERO_KWH,
} from '../../../kernel/decimal.ts'
import {
  type BillingPeriod,
  DAY_MS,
  iso,
  localDate,
  periodEnd,
  periodOf,
  periodStart,
} from '../../../kernel/time.ts'
import { openPriceBook, type PriceBook, segmentOf } from '../../../netting-core/amounts/price-choice.ts'
import { dailyStepThreshold } from '../../../netting-core/steps.ts'
import type { PriceRowInput } from '../../../netting-core/types.ts'
import { inKilo } from '../../measurements/index.ts'
import { type Bill, billsOf, type Tariff } from './cost-plan.ts'
import { bucketOf, headOf } from './energy.ts'
import type { Plan } from './plan.ts'
import type { Slice } from './slices.ts'
import type { Sources } from './sources.ts'

/** Why there is no amount. */
export const COST_REASONS = ['no_data', 'abone_grubu_unknown', 'price_missing'] as const
type Reason = (typeof COST_REASONS)[number]

/** An amount of energy and what it costs; null cost has a reason. */
interface Part {
  readonly start: number
  readonly energyWh: number
  readonly isEstimated: boolean
  readonly cost: Try | null
  readonly reason: Reason | null
}

type Books = (period: BillingPeriod) => PriceBook

function openBooks(rows: readonly PriceRowInput[]): Books {
  const books = new Map<BillingPeriod, PriceBook>()
  return (period) => {
    const book = books.get(period) ?? openPriceBook(rows, period)
    books.set(period, book)
    return book
  }
}

/** The threshold of step 1 in a month; undefined where the group has no steps. */
function thresholdOf({ aboneGrubu }: Tariff, period: BillingPeriod): Kwh | undefined {
  const daily = dailyStepThreshold(aboneGrubu)
  const days = BigInt((periodEnd(period) - periodStart(period)) / DAY_MS)
  return daily === undefined ? undefined : wh(daily * days)
}

/**
 * Prices the energy of one bill, slice by slice in time order: the customer's bill price for active energy, else the
 * related tariff, by the subscriber group, the hour's segment where the meter is multi-time, and the step that the
 * month so far has come to. The month so far is what the same meters have counted since its first day.
 */
function priceSlices(tariff: Tariff, slices: readonly Slice[], books: Books): Part[] {
  const parts: Part[] = []
  let month: BillingPeriod | undefined
  let used = ZERO_KWH
  for (const { start, energyWh, isEstimated } of slices) {
    if (energyWh === null) continue
    const period = periodOf(start)
    if (period !== month) used = ZERO_KWH
    month = period
    const energy = wh(BigInt(Math.round(energyWh)))
    parts.push({ start, energyWh, isEstimated, ...priceOf(tariff, { start, energy, used }, books(period)) })
    used = add(used, energy)
  }
  return parts
}

interface Quantity {
  readonly start: number
  readonly energy: Kwh
  /** Of the month, before this. */
  readonly used: Kwh
}

function priceOf(
  tariff: Tariff,
  { start, energy, used }: Quantity,
  book: PriceBook,
): Pick<Part, 'cost' | 'reason'> {
  const { aboneGrubu, isMultiTime } = tariff
  if (aboneGrubu === null) return { cost: null, reason: 'abone_grubu_unknown' }
  const date = localDate(start)
  const segment = isMultiTime ? segmentOf(start) : 'tek'
  const lookUp = (stepNo: number | null): PriceRowInput | null =>
    book.resolve({ purpose: 'customer_bill_active_energy', aboneGrubu, segment, stepNo }, date) ??
    book.resolve({ purpose: 'mahsuplasma_related_tariff', aboneGrubu, segment: 'tek', stepNo }, date)
  const threshold = thresholdOf(tariff, periodOf(start))
  if (threshold === undefined) return sumOf([[energy, lookUp(null)]])
  const low = smaller(energy, larger(subtract(threshold, used), ZERO_KWH))
  const [first, second] = [lookUp(1), lookUp(2)]
  if (first?.id === second?.id) return sumOf([[energy, first]])
  return sumOf([
    [low, first],
    [subtract(energy, low), second],
  ])
}

function sumOf(quantities: readonly (readonly [Kwh, PriceRowInput | null])[]): Pick<Part, 'cost' | 'reason'> {
  let cost = 0n as Try
  for (const [energy, row] of quantities) {
    if (energy === ZERO_KWH) continue
    if (!row) return { cost: null, reason: 'price_missing' }
    cost = add(cost, mulPrice(energy, row.priceTryPerKwh))
  }
  return { cost, reason: null }
}

/** The sum of parts: one without a price leaves the sum without an amount, since half a bill misleads. */
function summed(parts: readonly Part[]) {
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

async function partsOf(bills: readonly Bill[], plan: Plan, sources: Sources): Promise<Part[]> {
  const books = openBooks(sources.prices())
  const lists: Part[][] = []
  for (const { tariff, wishes } of bills) {
    const slices = await sources.consumption(wishes)
    lists.push(priceSlices(tariff, slices, books).filter(({ start }) => start >= plan.period.range.from))
  }
  return lists.flat()
}

const shownTariff = ({ tariff, deviceIds }: Bill) => ({
  facility_id: tariff.facilityId,
  abone_grubu: tariff.aboneGrubu,
  is_multi_time: tariff.isMultiTime,
  device_ids: [...deviceIds],
})

export async function costChart(plan: Plan, sources: Sources) {
  const bills = billsOf(plan, sources.tariffs())
  const parts = await partsOf(bills, plan, sources)
  const total = summed(parts)
  const buckets = new Map<number, Part[]>()
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
    tariffs: bills.map(shownTariff),
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
    tariffs: bills.map(shownTariff),
  }
}
