import type { ConsumerShare, NettedSlice } from '../match.ts'
import type { AmountRow } from '../types.ts'
import type { VirtualMeter } from '../virtual-meters.ts'
import { estimatedSavings } from './estimated-savings.ts'
import { lossOrRisk } from './loss-or-risk.ts'
import { meskenMonthly } from './mesken-monthly.ts'
import type { Pricing } from './pricing.ts'
import { producerPayment } from './producer-payment.ts'
import { skttMatched } from './sktt.ts'
import { supplierPayment } from './supplier-payment.ts'
import { systemUsageFee } from './system-usage-fee.ts'

/**
 * The amounts of one netted slice, of all seven types. A supplier payment and an SKTT row exclude each other.
 */
export function priceSlice(
  pricing: Pricing,
  netted: NettedSlice,
  meters: readonly VirtualMeter[],
): AmountRow[] {
  const matched = netted.consumers.filter((share) => share.matchedKwh > 0n)
  return [
    ...matched.flatMap((share) => matchedValue(pricing, netted, share)),
    ...meters.flatMap((meter) => surplusValue(pricing, netted, meter)),
    ...matched.flatMap((share) => estimatedSavings(pricing, netted, share)),
    ...lossOrRisk(pricing, netted),
  ]
}

function matchedValue(pricing: Pricing, netted: NettedSlice, share: ConsumerShare): AmountRow[] {
  if (pricing.isResidential) return meskenMonthly(pricing, netted, share)
  return share.party.member.tariffSupplyType === 'sktt'
    ? skttMatched(pricing, netted, share)
    : supplierPayment(pricing, netted, share)
}

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
