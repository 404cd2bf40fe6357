import { add, type Kwh, smaller, subtract, ZERO_KWH } from '../../../kernel/decimal.ts'
import type { ConsumerShare, NettedSlice } from '../match.ts'
import { WARNING_TEXTS } from '../messages.ts'
import type { Slice } from '../slices.ts'
import type { AboneGrubu, AmountRow, MemberInput, PriceRowInput } from '../types.ts'
import { segmentOf } from './price-choice.ts'
import {
  amountRow,
  facilityIn,
  findPrice,
  marketPrice,
  type PricedPart,
  type Pricing,
  priceMatched,
  type UnitPrice,
  warnOfVoltage,
} from './pricing.ts'

/**
 * estimated_savings: matched energy at the customer's bill price (the segment of the hour for a multi-time
 * meter), otherwise at the related tariff. Energy used behind the facility's own meter also saves the
 * distribution fee, where one is known; it counts as the most expensive part of the matched energy.
 */
export function estimatedSavings(
  pricing: Pricing,
  { slice }: NettedSlice,
  share: ConsumerShare,
): AmountRow[] {
  const { member } = share.party
  const { aboneGrubu } = member
  if (aboneGrubu === null) return unresolved(pricing, member)
  const parts = priceMatched(pricing, share, (stepNo) =>
    billPrice(pricing, slice, { member, aboneGrubu, stepNo }),
  )
  const voltageLevel = member.voltageLevel ?? null
  const distribution = pricing.book.resolve(
    { purpose: 'distribution', aboneGrubu, segment: 'tek', stepNo: null, voltageLevel },
    slice.date,
  )
  let samePointKwh = distribution
    ? smaller(share.party.selfConsumptionKwh ?? ZERO_KWH, share.matchedKwh)
    : ZERO_KWH
  if (distribution && samePointKwh > 0n) warnOfVoltage(pricing, member, distribution, slice.date)
  const rows: AmountRow[] = []
  for (const part of parts.toReversed()) {
    if (!part.row) {
      unresolved(pricing, member)
      continue
    }
    const sparedKwh = smaller(part.quantityKwh, samePointKwh)
    samePointKwh = subtract(samePointKwh, sparedKwh)
    rows.push(...savingRows({ slice, member, part, price: part.row }, sparedKwh, distribution))
  }
  return rows
}

function unresolved(pricing: Pricing, member: MemberInput): AmountRow[] {
  const isHome = member.aboneGrubu === 'mesken'
  const text = isHome ? WARNING_TEXTS.TARIFF_MESKEN_UNRESOLVED : WARNING_TEXTS.TARIFF_BILL_PRICE_UNRESOLVED
  const code = isHome ? 'TARIFF_MESKEN_UNRESOLVED' : 'TARIFF_NONE_RESOLVED'
  pricing.warnings.add(code, member.facilityId, () => text(facilityIn(pricing, member)))
  return []
}

interface BillQuery {
  readonly member: MemberInput
  readonly aboneGrubu: AboneGrubu
  readonly stepNo: number | null
}

function billPrice(
  pricing: Pricing,
  slice: Slice,
  { member, aboneGrubu, stepNo }: BillQuery,
): PriceRowInput | null {
  const market = marketPrice(pricing, slice, { facilityId: member.facilityId, aboneGrubu })
  if (market) return market
  const segment = member.isMultiTime && !pricing.isMonthly ? segmentOf(slice.hour) : 'tek'
  const purpose = 'customer_bill_active_energy'
  const row = findPrice(pricing, member, { purpose, aboneGrubu, segment, stepNo }, slice.date)
  const related = 'mahsuplasma_related_tariff'
  if (!row)
    return findPrice(pricing, member, { purpose: related, aboneGrubu, segment: 'tek', stepNo }, slice.date)
  if (segment !== 'tek' && row.timeSegment === 'tek') {
    pricing.warnings.add('TARIFF_MULTI_TIME_FALLBACK_TEK', member.facilityId, () =>
      WARNING_TEXTS.TARIFF_MULTI_TIME_FALLBACK_TEK(facilityIn(pricing, member)),
    )
  }
  return row
}

interface Saving {
  readonly slice: Slice
  readonly member: MemberInput
  readonly part: PricedPart
  readonly price: UnitPrice
}

/** One row for what also spared the distribution fee, one for the rest; none for zero. */
function savingRows(
  { slice, member, part, price }: Saving,
  sparedKwh: Kwh,
  distribution: UnitPrice | null,
): AmountRow[] {
  const withFee = distribution
    ? { id: price.id, priceTryPerKwh: add(price.priceTryPerKwh, distribution.priceTryPerKwh) }
    : price
  const pieces: readonly (readonly [Kwh, UnitPrice])[] = [
    [sparedKwh, withFee],
    [subtract(part.quantityKwh, sparedKwh), price],
  ]
  const facts = { hour: slice.hour, facilityId: member.facilityId, stepNo: part.stepNo }
  return pieces
    .filter(([quantityKwh]) => quantityKwh > 0n)
    .map(([quantityKwh, unit]) => amountRow({ ...facts, amountType: 'estimated_savings', quantityKwh }, unit))
}
