import { add, type Kwh, type Try } from '../../kernel/decimal.ts'
import { figuresOf } from './figures.ts'
import type { NettedSlice } from './match.ts'
import { worseQuality } from './sources.ts'
import type { AmountRow, AmountType, DataQuality, Figures, HourRow, Summary } from './types.ts'

const AMOUNT_TYPES: readonly AmountType[] = [
  'supplier_payment_for_matched_consumption',
  'producer_payment_for_bedelli_surplus',
  'system_usage_fee_for_skb',
  'sktt_matched_consumption',
  'mesken_monthly_amount',
  'estimated_savings',
  'estimated_loss_or_risk',
]

type Quantities = Omit<Figures, 'matchedOverLimitKwh'>
const QUANTITIES: readonly (keyof Quantities)[] = [
  'productionKwh',
  'consumptionKwh',
  'matchedKwh',
  'netImportKwh',
  'surplusKwh',
  'bedelliKwh',
  'skbKwh',
  'bedelsizKwh',
]

/** Sums rows of one period: of a run's window, or of all its current runs. */
export class SummarySums {
  #calculated = 0
  #whole = 0
  #quality: DataQuality | undefined
  #priceGaps = 0
  readonly #quantities: Record<keyof Quantities, Kwh | null> = {
    productionKwh: null,
    consumptionKwh: null,
    matchedKwh: null,
    netImportKwh: null,
    surplusKwh: null,
    bedelliKwh: null,
    skbKwh: null,
    bedelsizKwh: null,
  }
  readonly #amounts = Object.fromEntries(AMOUNT_TYPES.map((type) => [type, null])) as Record<
    AmountType,
    Try | null
  >

  addHour(row: HourRow): void {
    this.#calculated += 1
    if (row.dataQuality !== 'missing') this.#whole += 1
    this.#quality = this.#quality ? worseQuality(this.#quality, row.dataQuality) : row.dataQuality
    const sums = this.#quantities
    for (const field of QUANTITIES) {
      const kwh = row[field]
      const known = sums[field]
      if (kwh !== null) sums[field] = known === null ? kwh : add(known, kwh)
    }
  }

  addAmounts(rows: readonly Pick<AmountRow, 'amountType' | 'amountTry'>[]): void {
    for (const { amountType, amountTry } of rows) {
      const known = this.#amounts[amountType]
      if (amountTry === null) this.#priceGaps += 1
      else this.#amounts[amountType] = known === null ? amountTry : add(known, amountTry)
    }
  }

  /** `month`: the netted month of a residential group, whose quantities replace the sums of the hours. */
  summary({
    hoursExpected,
    month,
  }: {
    readonly hoursExpected: number
    readonly month?: NettedSlice
  }): Summary {
    return {
      ...(month ? withoutOverLimit(figuresOf(month)) : this.#quantities),
      amountsTry: this.#amounts,
      priceGapCount: this.#priceGaps,
      hoursExpected,
      hoursCalculated: this.#calculated,
      completenessPct: percentOf(this.#whole, hoursExpected),
      dataQuality: this.#quality ?? 'missing',
    }
  }
}

/** A share in percent with two decimals; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100

const withoutOverLimit = ({ matchedOverLimitKwh: _, ...quantities }: Figures): Quantities => quantities
