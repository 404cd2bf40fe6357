import type { ConsumerShare, NettedSlice } from '../match.ts'
import type { AmountRow } from '../types.ts'
import { amountRow, facilityLabel, type Pricing, priceMatched } from './pricing.ts'

/**
 * mesken_monthly_amount: a home's share of the month's matched energy at the residential tariff, by steps.
 */
export function meskenMonthly(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): AmountRow[] {
  const { member } = share.party
  const parts = priceMatched(pricing, share, (stepNo) =>
    pricing.book.resolve(
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', segment: 'tek', stepNo },
      slice.date,
    ),
  )
  return parts.map(({ quantityKwh, row, stepNo }) => {
    if (!row) {
      pricing.warnings.add(
        'MESKEN_MONTHLY_PRICE_UNRESOLVED',
        member.facilityId,
        () => `no residential tariff for ${facilityLabel(pricing, member)}: quantity only`,
      )
    }
    const facts = { hour: slice.hour, quantityKwh, facilityId: member.facilityId, stepNo }
    return amountRow({ ...facts, amountType: 'mesken_monthly_amount' }, row)
  })
}
