import type { ConsumerShare, NettedSlice } from '../match.ts'
import type { AmountRow } from '../types.ts'
import { amountRow, facilityLabel, type Pricing, priceMatched } from './pricing.ts'

/** supplier_payment_for_matched_consumption: an hour's matched energy at the related tariff, single-time. */
export function supplierPayment(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): AmountRow[] {
  const { member } = share.party
  const { aboneGrubu, facilityId } = member
  if (aboneGrubu === null) {
    pricing.warnings.add(
      'FACILITY_ABONE_GRUBU_UNKNOWN',
      facilityId,
      () => `the subscriber group of ${facilityLabel(pricing, member)} is not known: no supplier payment`,
    )
    return []
  }
  const parts = priceMatched(pricing, share, (stepNo) =>
    pricing.book.resolve(
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu, segment: 'tek', stepNo },
      slice.date,
    ),
  )
  return parts.flatMap(({ quantityKwh, row, stepNo }) => {
    if (row) {
      const amountType = 'supplier_payment_for_matched_consumption'
      return [amountRow({ hour: slice.hour, amountType, quantityKwh, facilityId, stepNo }, row)]
    }
    pricing.warnings.add(
      'SUPPLIER_PRICE_UNRESOLVED',
      facilityId,
      () => `no related tariff (${aboneGrubu}) for ${facilityLabel(pricing, member)}: no supplier payment`,
    )
    return []
  })
}
