import { roundDiv, type TryPerKwh } from '../../../kernel/decimal.ts'
import type { LocalDate } from '../../../kernel/time.ts'
import { WARNING_TEXTS } from '../messages.ts'
import { compareText } from '../text-order.ts'
import type { AmountRow, LuClass } from '../types.ts'
import type { VirtualMeter } from '../virtual-meters.ts'
import { amountRow, facilityIn, groupIn, type Pricing, type UnitPrice } from './pricing.ts'
import { luClassOf, systemUsagePrice } from './system-usage-price.ts'

/**
 * system_usage_fee_for_skb: an over-limit virtual meter row at the system usage price of its producers'
 * class. With several classes the price is weighted by the slice's production; one class without a price
 * makes the whole row quantity-only.
 */
export function systemUsageFee(pricing: Pricing, meter: VirtualMeter, date: LocalDate): AmountRow[] {
  const production = productionByClass(pricing, meter)
  if (production.length > 1) {
    pricing.warnings.add('SKB_LU_GROUP_MIXED', pricing.groupId, () =>
      WARNING_TEXTS.SKB_LU_GROUP_MIXED(groupIn(pricing)),
    )
  }
  const price = weightedPrice(pricing, production, date)
  if (!price) {
    pricing.warnings.add('SKB_PRICE_UNRESOLVED_QUANTITY_ONLY', pricing.groupId, () =>
      WARNING_TEXTS.SKB_PRICE_UNRESOLVED_QUANTITY_ONLY(groupIn(pricing)),
    )
  }
  const { hour, quantityKwh, gridOperatorId, sourceKind } = meter.row
  const facts = { hour, amountType: 'system_usage_fee_for_skb', quantityKwh } as const
  return [amountRow({ ...facts, gridOperatorId, sourceKind }, price)]
}

type ClassShare = readonly [LuClass, bigint]

function productionByClass(pricing: Pricing, { producers }: VirtualMeter): ClassShare[] {
  const sums = new Map<LuClass, bigint>()
  for (const { party, productionKwh } of producers) {
    const { luClass, warning } = luClassOf(party.member)
    sums.set(luClass, (sums.get(luClass) ?? 0n) + productionKwh)
    if (warning) {
      pricing.warnings.add(warning, party.member.facilityId, () =>
        WARNING_TEXTS[warning]({ ...facilityIn(pricing, party.member), lu_class: luClass }),
      )
    }
  }
  return [...sums.entries()].sort(([a], [b]) => compareText(a, b))
}

/** Its id is that of the class with the larger production; the first class wins a draw. */
function weightedPrice(
  { book }: Pricing,
  production: readonly ClassShare[],
  date: LocalDate,
): UnitPrice | null {
  let weighted = 0n
  let weightSum = 0n
  let largest = -1n
  let id = ''
  for (const [luClass, quantity] of production) {
    const row = systemUsagePrice(book, luClass, date)
    if (!row) return null
    weighted += row.priceTryPerKwh * quantity
    weightSum += quantity
    if (quantity > largest) [largest, id] = [quantity, row.id]
  }
  return { priceTryPerKwh: roundDiv(weighted, weightSum) as TryPerKwh, id }
}
