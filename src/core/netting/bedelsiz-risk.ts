import { add, type Kwh, mulPrice, type Try, total, ZERO_KWH } from '../../kernel/decimal.ts'
import type { LocalDate } from '../../kernel/time.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { type LowestPriceConsumer, lowestPriceOf } from './amounts/lowest-price.ts'
import { openPricing } from './amounts/pricing.ts'
import { sortedBy } from './text-order.ts'
import type { MemberInput, PeriodInput, PriceRowInput } from './types.ts'

export interface RiskConsumer extends LowestPriceConsumer, Pick<MemberInput, 'validFrom' | 'validTo'> {}

export interface RiskInput extends Pick<PeriodInput, 'groupId' | 'groupName' | 'billingPeriod' | 'prices'> {
  /** Free energy by the local date on which it was produced. */
  readonly freeKwh: ReadonlyMap<LocalDate, Kwh>
  /** Memberships of the consumers. */
  readonly consumers: readonly RiskConsumer[]
}

export interface Risk {
  /** Null where a part of the energy has no price. */
  readonly amountTry: Try | null
  /** The price of the largest part; null without an amount or without energy to price. */
  readonly tariffPriceId: string | null
  readonly warnings: readonly Warning[]
}

/**
 * Estimates the revenue of free energy: each day's energy at the lowest related tariff in force on that day,
 * as paid surplus is priced. Energy with the same price is priced as one component, so with a single price
 * the amount is exactly quantity times price.
 */
export function riskOf({ freeKwh, consumers, ...input }: RiskInput): Risk {
  const pricing = openPricing(input, { isResidential: false, isMonthly: false })
  const components = new Map<string, { row: PriceRowInput; quantityKwh: Kwh }>()
  let isComplete = true
  for (const [date, quantityKwh] of sortedBy([...freeKwh], ([day]) => day)) {
    if (quantityKwh === 0n) continue
    const active = consumers.filter((m) => m.validFrom <= date && (m.validTo === null || date < m.validTo))
    const row = lowestPriceOf(pricing, active, date)
    if (!row) isComplete = false
    else {
      const summedKwh = components.get(row.id)?.quantityKwh ?? ZERO_KWH
      components.set(row.id, { row, quantityKwh: add(summedKwh, quantityKwh) })
    }
  }
  const warnings = pricing.warnings.list()
  if (!isComplete) return { amountTry: null, tariffPriceId: null, warnings }
  const parts = sortedBy([...components.values()], ({ row }) => row.id)
  const amountTry = total(parts.map(({ row, quantityKwh }) => mulPrice(quantityKwh, row.priceTryPerKwh)))
  const dominant = parts.reduce<(typeof parts)[number] | undefined>(
    (best, part) => (best && best.quantityKwh >= part.quantityKwh ? best : part),
    undefined,
  )
  return { amountTry, tariffPriceId: dominant?.row.id ?? null, warnings }
}
