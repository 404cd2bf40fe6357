import type { NettedSlice } from '../match.ts'
import type { AmountRow } from '../types.ts'
import { lowestPrice } from './lowest-price.ts'
import { amountRow, type Pricing } from './pricing.ts'

/** estimated_loss_or_risk: what the free energy would have earned; quantity-only where no price resolves. */
export function lossOrRisk(pricing: Pricing, { slice, bedelsizKwh }: NettedSlice): AmountRow[] {
  if (bedelsizKwh === 0n) return []
  const facts = { hour: slice.hour, amountType: 'estimated_loss_or_risk', quantityKwh: bedelsizKwh } as const
  return [amountRow(facts, lowestPrice(pricing, slice))]
}
