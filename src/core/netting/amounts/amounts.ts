import type { NettedSlice } from '../match.ts'
import type { Slice } from '../slices.ts'
import type { AmountRow } from '../types.ts'
import type { VirtualMeter } from '../virtual-meters.ts'
import { estimatedSavings } from './estimated-savings.ts'
import { lowestPrice } from './lowest-price.ts'
import { matchedValue } from './matched-energy.ts'
import { amountRow, type Pricing } from './pricing.ts'
import { systemUsageFee } from './system-usage-fee.ts'

/**
 * The amounts of one netted slice, of all seven types. A supplier payment and an SKTT row exclude each other.
 */
export function priceSlice(
  pricing: Pricing,
  netted: NettedSlice,
  meters: readonly VirtualMeter[],
): AmountRow[] {
  const rows: AmountRow[] = []
  for (const share of netted.consumers)
    if (share.matchedKwh > 0n) rows.push(...matchedValue(pricing, netted, share))
  rows.push(...priceSurplus(pricing, netted, meters))
  for (const share of netted.consumers)
    if (share.matchedKwh > 0n) rows.push(...estimatedSavings(pricing, netted, share))
  rows.push(...lossOrRisk(pricing, netted))
  return rows
}

/** The amounts of the surplus alone: revenue and fee. */
export const priceSurplus = (
  pricing: Pricing,
  netted: NettedSlice,
  meters: readonly VirtualMeter[],
): AmountRow[] => meters.flatMap((meter) => surplusValue(pricing, netted, meter))

function surplusValue(pricing: Pricing, { slice }: NettedSlice, meter: VirtualMeter): AmountRow[] {
  switch (meter.row.virtualMeterType) {
    case 'bedelli':
      return producerPayment(pricing, slice, meter)
    case 'skb_odemeli':
      return systemUsageFee(pricing, meter, slice.date)
    case 'bedelsiz':
      return []
  }
}

/**
 * producer_payment_for_bedelli_surplus: a paid virtual meter row at the lowest related tariff of the group.
 */
function producerPayment(pricing: Pricing, slice: Slice, { row }: VirtualMeter): AmountRow[] {
  const price = lowestPrice(pricing, slice)
  if (!price) return []
  const { hour, quantityKwh, gridOperatorId, sourceKind } = row
  const amountType = 'producer_payment_for_bedelli_surplus'
  return [amountRow({ hour, amountType, quantityKwh, gridOperatorId, sourceKind }, price)]
}

/** estimated_loss_or_risk: what the free energy would have earned; quantity-only where no price resolves. */
function lossOrRisk(pricing: Pricing, { slice, bedelsizKwh }: NettedSlice): AmountRow[] {
  if (bedelsizKwh === 0n) return []
  const facts = { hour: slice.hour, amountType: 'estimated_loss_or_risk', quantityKwh: bedelsizKwh } as const
  return [amountRow(facts, lowestPrice(pricing, slice))]
}
