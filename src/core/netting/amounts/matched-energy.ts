import type { ConsumerShare, NettedSlice } from '../match.ts'
import { WARNING_TEXTS } from '../messages.ts'
import type { AmountRow } from '../types.ts'
import { amountRow, facilityIn, findPrice, type Pricing, priceMatched } from './pricing.ts'

/** The amounts of a consumer's matched energy: one type for homes, and one of two for all others. */
export function matchedValue(pricing: Pricing, netted: NettedSlice, share: ConsumerShare): AmountRow[] {
  if (pricing.isResidential) return meskenMonthly(pricing, netted, share)
  return share.party.member.tariffSupplyType === 'sktt'
    ? skttMatched(pricing, netted, share)
    : supplierPayment(pricing, netted, share)
}

/** supplier_payment_for_matched_consumption: an hour's matched energy at the related tariff, single-time. */
function supplierPayment(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): AmountRow[] {
  const { member } = share.party
  const { aboneGrubu, facilityId } = member
  if (aboneGrubu === null) {
    pricing.warnings.add('FACILITY_ABONE_GRUBU_UNKNOWN', facilityId, () =>
      WARNING_TEXTS.FACILITY_ABONE_GRUBU_UNKNOWN(facilityIn(pricing, member)),
    )
    return []
  }
  const parts = priceMatched(pricing, share, (stepNo) =>
    findPrice(
      pricing,
      member,
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu, segment: 'tek', stepNo },
      slice.date,
    ),
  )
  return parts.flatMap(({ quantityKwh, row, stepNo }) => {
    if (row) {
      const amountType = 'supplier_payment_for_matched_consumption'
      return [amountRow({ hour: slice.hour, amountType, quantityKwh, facilityId, stepNo }, row)]
    }
    pricing.warnings.add('SUPPLIER_PRICE_UNRESOLVED', facilityId, () =>
      WARNING_TEXTS.SUPPLIER_PRICE_UNRESOLVED({ ...facilityIn(pricing, member), abone_grubu: aboneGrubu }),
    )
    return []
  })
}

/**
 * sktt_matched_consumption: replaces the supplier payment of a facility on the last-resort tariff. The price
 * is the entered one; it is not computed from market prices.
 */
function skttMatched(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): AmountRow[] {
  const { member } = share.party
  const { aboneGrubu, facilityId } = member
  const query = { purpose: 'sktt_active_energy', segment: 'tek', stepNo: null } as const
  const row = aboneGrubu && findPrice(pricing, member, { ...query, aboneGrubu }, slice.date)
  if (!row) {
    pricing.warnings.add('SKTT_PRICE_UNRESOLVED', facilityId, () =>
      WARNING_TEXTS.SKTT_PRICE_UNRESOLVED(facilityIn(pricing, member)),
    )
    return []
  }
  const facts = { hour: slice.hour, quantityKwh: share.matchedKwh, facilityId, stepNo: row.stepNo }
  return [amountRow({ ...facts, amountType: 'sktt_matched_consumption' }, row)]
}

/**
 * mesken_monthly_amount: a home's share of the month's matched energy at the residential tariff, by steps.
 */
function meskenMonthly(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): AmountRow[] {
  const { member } = share.party
  const parts = priceMatched(pricing, share, (stepNo) =>
    findPrice(
      pricing,
      member,
      { purpose: 'mahsuplasma_related_tariff', aboneGrubu: 'mesken', segment: 'tek', stepNo },
      slice.date,
    ),
  )
  return parts.map(({ quantityKwh, row, stepNo }) => {
    if (!row) {
      pricing.warnings.add('MESKEN_MONTHLY_PRICE_UNRESOLVED', member.facilityId, () =>
        WARNING_TEXTS.MESKEN_MONTHLY_PRICE_UNRESOLVED(facilityIn(pricing, member)),
      )
    }
    const facts = { hour: slice.hour, quantityKwh, facilityId: member.facilityId, stepNo }
    return amountRow({ ...facts, amountType: 'mesken_monthly_amount' }, row)
  })
}
