import { add, type Kwh, subtract, type Try, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS, periodRange } from '../../kernel/time.ts'
import type { NettedSlice } from './match.ts'
import { worseQuality } from './sources.ts'
import type { AmountRow, AmountType, DataQuality, HourRow, Summary } from './types.ts'

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
  readonly billingPeriod: string
  readonly hours: readonly HourRow[]
  readonly amounts: readonly Pick<AmountRow, 'amountType' | 'amountTry'>[]
  /** The netted month of a residential group: its quantities replace the sums of the hours. */
  readonly month?: NettedSlice
}

type Quantities = Pick<
  Summary,
  | 'productionKwh'
  | 'consumptionKwh'
  | 'matchedKwh'
  | 'netImportKwh'
  | 'surplusKwh'
  | 'bedelliKwh'
  | 'skbKwh'
  | 'bedelsizKwh'
>

/** Sums rows of one period: of a run's window, or of all its current runs. */
export function summarise({ billingPeriod, hours, amounts, month }: SummaryInput): Summary {
  const { from, to } = periodRange(billingPeriod)
  const hoursExpected = (to - from) / HOUR_MS
  const whole = hours.filter((row) => row.dataQuality !== 'missing').length
  return {
    ...(month ? monthQuantities(month) : hourQuantities(hours)),
    amountsTry: sumAmounts(amounts),
    priceGapCount: amounts.filter((row) => row.amountTry === null).length,
    hoursExpected,
    hoursCalculated: hours.length,
    completenessPct: Math.round((whole / hoursExpected) * 10_000) / 100,
    dataQuality: hours.reduce<DataQuality>((worst, row) => worseQuality(worst, row.dataQuality), 'complete'),
  }
}

const monthQuantities = (month: NettedSlice): Quantities => ({
  productionKwh: month.productionKwh,
  consumptionKwh: month.consumptionKwh,
  matchedKwh: month.matchedKwh,
  netImportKwh: subtract(month.consumptionKwh, month.matchedKwh),
  surplusKwh: subtract(month.productionKwh, month.matchedKwh),
  bedelliKwh: month.bedelliKwh,
  skbKwh: month.skbKwh,
  bedelsizKwh: month.bedelsizKwh,
})

function hourQuantities(hours: readonly HourRow[]): Quantities {
  const sum = (field: keyof Quantities): Kwh =>
    hours.reduce<Kwh>((total, row) => add(total, row[field]), ZERO_KWH)
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
