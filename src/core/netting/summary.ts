import { add, type Kwh, type Try } from '../../kernel/decimal.ts'
import { figuresOf, sumOfKnown } from './figures.ts'
import type { NettedSlice } from './match.ts'
import { worseQuality } from './sources.ts'
import type { AmountRow, AmountType, Figures, HourRow, Summary } from './types.ts'

const AMOUNT_TYPES: readonly AmountType[] = [
  'supplier_payment_for_matched_consumption',
  'producer_payment_for_bedelli_surplus',
  'system_usage_fee_for_skb',
  'sktt_matched_consumption',
  'mesken_monthly_amount',
  'estimated_savings',
  'estimated_loss_or_risk',
]

export interface SummaryInput {
  readonly hoursExpected: number
  readonly hours: readonly HourRow[]
  readonly amounts: readonly Pick<AmountRow, 'amountType' | 'amountTry'>[]
  /** The netted month of a residential group: its quantities replace the sums of the hours. */
  readonly month?: NettedSlice
}

/** Sums rows of one period: of a run's window, or of all its current runs. */
export function summarise({ hoursExpected, hours, amounts, month }: SummaryInput): Summary {
  const whole = hours.filter((row) => row.dataQuality !== 'missing').length
  return {
    ...(month ? withoutOverLimit(figuresOf(month)) : hourQuantities(hours)),
    amountsTry: sumAmounts(amounts),
    priceGapCount: amounts.filter((row) => row.amountTry === null).length,
    hoursExpected,
    hoursCalculated: hours.length,
    completenessPct: percentOf(whole, hoursExpected),
    dataQuality: hours.length === 0 ? 'missing' : hours.map((row) => row.dataQuality).reduce(worseQuality),
  }
}

/** A share in percent with two decimals; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100

type Quantities = Omit<Figures, 'matchedOverLimitKwh'>

const withoutOverLimit = ({ matchedOverLimitKwh: _, ...quantities }: Figures): Quantities => quantities

function hourQuantities(hours: readonly HourRow[]): Quantities {
  const sum = (field: keyof Quantities): Kwh | null => sumOfKnown(hours.map((row) => row[field]))
  return {
    productionKwh: sum('productionKwh'),
    consumptionKwh: sum('consumptionKwh'),
    matchedKwh: sum('matchedKwh'),
    netImportKwh: sum('netImportKwh'),
    surplusKwh: sum('surplusKwh'),
    bedelliKwh: sum('bedelliKwh'),
    skbKwh: sum('skbKwh'),
    bedelsizKwh: sum('bedelsizKwh'),
  }
}

function sumAmounts(amounts: SummaryInput['amounts']): Summary['amountsTry'] {
  const sums = Object.fromEntries(AMOUNT_TYPES.map((type) => [type, null])) as Record<AmountType, Try | null>
  for (const { amountType, amountTry } of amounts) {
    if (amountTry === null) continue
    const known = sums[amountType]
    sums[amountType] = known === null ? amountTry : add(known, amountTry)
  }
  return sums
}
