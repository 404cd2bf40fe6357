import type { Slice } from '../slices.ts'
import type { AmountRow } from '../types.ts'
import type { VirtualMeter } from '../virtual-meters.ts'
import { lowestPrice } from './lowest-price.ts'
import { amountRow, type Pricing } from './pricing.ts'

/**
 * producer_payment_for_bedelli_surplus: a paid virtual meter row at the lowest related tariff of the group.
 */
export function producerPayment(pricing: Pricing, slice: Slice, { row }: VirtualMeter): AmountRow[] {
  const price = lowestPrice(pricing, slice)
  if (!price) return []
  const { hour, quantityKwh, gridOperatorId, sourceKind } = row
  const amountType = 'producer_payment_for_bedelli_surplus'
  return [amountRow({ hour, amountType, quantityKwh, gridOperatorId, sourceKind }, price)]
}
