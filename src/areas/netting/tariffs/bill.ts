import { openPriceBook, type PriceBook, segmentOf } from '../../../core/netting/amounts/price-choice.ts'
import { dailyStepThreshold } from '../../../core/netting/steps.ts'
import type { AboneGrubu, PriceRowInput, VoltageLevel } from '../../../core/netting/types.ts'
import {
  add,
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
  localDate,
  periodEnd,
  periodOf,
  periodStart,
} from '../../../kernel/time.ts'

/** The reasons for a missing amount. */
export const COST_REASONS = ['no_data', 'abone_grubu_unknown', 'price_missing'] as const
export type CostReason = (typeof COST_REASONS)[number]

/** The tariff of a customer's bill. */
export interface BillTariff {
  readonly aboneGrubu: AboneGrubu | null
  readonly isMultiTime: boolean
  /** Null: unknown; priced as low voltage. */
  readonly voltageLevel: VoltageLevel | null
}

/** Energy that is priced as one. */
export interface BillSlice {
  readonly start: number
  /** Energy in Wh; null when it is unknown. */
  readonly energyWh: number | null
  readonly isEstimated: boolean
}

/** A slice with known energy and what it costs; null cost has a reason. */
export type PricedPart<S extends BillSlice = BillSlice> = S & {
  readonly energyWh: number
  readonly cost: Try | null
  readonly reason: CostReason | null
}

type PriceBooks = (period: BillingPeriod) => PriceBook

/** Opens the price book of each month on demand, over the same rows. */
export function openBooks(rows: readonly PriceRowInput[]): PriceBooks {
  const books = new Map<BillingPeriod, PriceBook>()
  return (period) => {
    const book = books.get(period) ?? openPriceBook(rows, period)
    books.set(period, book)
    return book
  }
}

/** The threshold of step 1 in a month; undefined where the group has no steps. */
function thresholdOf({ aboneGrubu }: BillTariff, period: BillingPeriod): Kwh | undefined {
  const daily = dailyStepThreshold(aboneGrubu)
  const days = BigInt((periodEnd(period) - periodStart(period)) / DAY_MS)
  return daily === undefined ? undefined : wh(daily * days)
}

/**
 * Prices the energy of one bill, slice by slice in time order. The price is the customer's bill price for
 * active energy, otherwise the related tariff. It depends on the subscriber group, on the time segment for a
 * multi-time meter, and on the step reached by the month so far, which is the energy of the same meters since
 * the first day of the month.
 */
export function priceSlices<S extends BillSlice>(
  tariff: BillTariff,
  slices: readonly S[],
  books: PriceBooks,
): PricedPart<S>[] {
  const parts: PricedPart<S>[] = []
  let month: BillingPeriod | undefined
  let used = ZERO_KWH
  for (const slice of slices) {
    const { start, energyWh } = slice
    if (energyWh === null) continue
    const period = periodOf(start)
    if (period !== month) used = ZERO_KWH
    month = period
    const energy = wh(BigInt(Math.round(energyWh)))
    parts.push({ ...slice, energyWh, ...priceOf(tariff, { start, energy, used }, books(period)) })
    used = add(used, energy)
  }
  return parts
}

interface Quantity {
  readonly start: number
  readonly energy: Kwh
  /** Energy of the month before this quantity. */
  readonly used: Kwh
}

function priceOf(
  tariff: BillTariff,
  { start, energy, used }: Quantity,
  book: PriceBook,
): Pick<PricedPart, 'cost' | 'reason'> {
  const { aboneGrubu, isMultiTime, voltageLevel } = tariff
  if (aboneGrubu === null) return { cost: null, reason: 'abone_grubu_unknown' }
  const date = localDate(start)
  const segment = isMultiTime ? segmentOf(start) : 'tek'
  const findPrice = (stepNo: number | null): PriceRowInput | null =>
    book.resolve(
      { purpose: 'customer_bill_active_energy', aboneGrubu, segment, stepNo, voltageLevel },
      date,
    ) ??
    book.resolve(
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu, segment: 'tek', stepNo, voltageLevel },
      date,
    )
  const threshold = thresholdOf(tariff, periodOf(start))
  if (threshold === undefined) return sumOf([[energy, findPrice(null)]])
  const low = smaller(energy, larger(subtract(threshold, used), ZERO_KWH))
  const [first, second] = [findPrice(1), findPrice(2)]
  if (first?.id === second?.id) return sumOf([[energy, first]])
  return sumOf([
    [low, first],
    [subtract(energy, low), second],
  ])
}

function sumOf(
  quantities: readonly (readonly [Kwh, PriceRowInput | null])[],
): Pick<PricedPart, 'cost' | 'reason'> {
  let cost = 0n as Try
  for (const [energy, row] of quantities) {
    if (energy === ZERO_KWH) continue
    if (!row) return { cost: null, reason: 'price_missing' }
    cost = add(cost, mulPrice(energy, row.priceTryPerKwh))
  }
  return { cost, reason: null }
}
