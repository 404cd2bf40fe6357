import type { ConsumerShare, NettedSlice } from '../match.ts'
import type { AmountRow } from '../types.ts'
import { amountRow, facilityLabel, type Pricing } from './pricing.ts'

/**
 * sktt_matched_consumption: replaces the supplier payment of a facility on the last-resort tariff. The price
 * is the entered one; it is not computed from market prices.
 */
export function skttMatched(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): AmountRow[] {
  const { member } = share.party
  const { aboneGrubu, facilityId } = member
  const query = { purpose: 'sktt_active_energy', segment: 'tek', stepNo: null } as const
  const row = aboneGrubu && pricing.book.resolve({ ...query, aboneGrubu }, slice.date)
  if (!row) {
    pricing.warnings.add(
      'SKTT_PRICE_UNRESOLVED',
      facilityId,
      () => `no last-resort price for ${facilityLabel(pricing, member)}: no row`,
    )
    return []
  }
  const facts = { hour: slice.hour, quantityKwh: share.matchedKwh, facilityId, stepNo: row.stepNo }
  return [amountRow({ ...facts, amountType: 'sktt_matched_consumption' }, row)]
}
