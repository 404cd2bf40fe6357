import { at } from '../../../kernel/checked.ts'
import { add, type Kwh, mulPrice, smaller, subtract, type Try, ZERO_KWH } from '../../../kernel/decimal.ts'
import type { ConsumerShare, NettedSlice } from '../match.ts'
import { WARNING_TEXTS } from '../messages.ts'
import type { Slice } from '../slices.ts'
import type { AboneGrubu, AmountRow, MemberInput, PriceRowInput } from '../types.ts'
import { segmentOf } from './price-choice.ts'
import {
  amountRow,
  facilityIn,
  findPrice,
  findUncompared,
  marketPrice,
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
  const rows: AmountRow[] = []
  const { hour } = slice
  const { facilityId } = share.party.member
  forEachSaving(pricing, { slice, share }, (quantityKwh, price, stepNo) => {
    rows.push(amountRow({ hour, facilityId, stepNo, amountType: 'estimated_savings', quantityKwh }, price))
  })
  return rows
}

/** The sum of the amounts of `estimatedSavings`; null where a part of the matched energy has no price. */
export function savingsValue(pricing: Pricing, { slice }: NettedSlice, share: ConsumerShare): Try | null {
  let pricedKwh: Kwh = ZERO_KWH
  let value = 0n
  forEachSaving(pricing, { slice, share }, (quantityKwh, { priceTryPerKwh }) => {
    pricedKwh = add(pricedKwh, quantityKwh)
    value += mulPrice(quantityKwh, priceTryPerKwh)
  })
  return pricedKwh === share.matchedKwh ? (value as Try) : null
}

type OnSaving = (quantityKwh: Kwh, price: UnitPrice, stepNo: number | null) => void

/** Quantities above zero with their price; what has none is left out, with a warning. */
function forEachSaving(
  pricing: Pricing,
  { slice, share }: { readonly slice: Slice; readonly share: ConsumerShare },
  onSaving: OnSaving,
): void {
  const { member } = share.party
  const { aboneGrubu } = member
  if (aboneGrubu === null) {
    warnUnresolved(pricing, member)
    return
  }
  const parts = priceMatched(pricing, share, (stepNo) =>
    billPrice(pricing, slice, { member, aboneGrubu, stepNo }),
  )
  const query = { purpose: 'distribution', aboneGrubu, segment: 'tek', stepNo: null } as const
  const distribution = findUncompared(pricing, member, query, slice.date)
  let samePointKwh = distribution
    ? smaller(share.party.selfConsumptionKwh ?? ZERO_KWH, share.matchedKwh)
    : ZERO_KWH
  if (distribution && samePointKwh > 0n) warnOfVoltage(pricing, member, distribution, slice.date)
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const { row, quantityKwh, stepNo } = at(parts, index)
    if (!row) {
      warnUnresolved(pricing, member)
      continue
    }
    // What also spared the distribution fee, then the rest.
    const sparedKwh = smaller(quantityKwh, samePointKwh)
    samePointKwh = subtract(samePointKwh, sparedKwh)
    if (distribution && sparedKwh > 0n) {
      const priceTryPerKwh = add(row.priceTryPerKwh, distribution.priceTryPerKwh)
      onSaving(sparedKwh, { id: row.id, priceTryPerKwh }, stepNo)
    }
    const restKwh = subtract(quantityKwh, sparedKwh)
    if (restKwh > 0n) onSaving(restKwh, row, stepNo)
  }
}

function warnUnresolved(pricing: Pricing, member: MemberInput): void {
  const isHome = member.aboneGrubu === 'mesken'
  const text = isHome ? WARNING_TEXTS.TARIFF_MESKEN_UNRESOLVED : WARNING_TEXTS.TARIFF_BILL_PRICE_UNRESOLVED
  const code = isHome ? 'TARIFF_MESKEN_UNRESOLVED' : 'TARIFF_NONE_RESOLVED'
  pricing.warnings.add(code, member.facilityId, () => text(facilityIn(pricing, member)))
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
