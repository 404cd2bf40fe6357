import type { LocalDate } from '../../../kernel/time.ts'
import { WARNING_TEXTS } from '../messages.ts'
import type { Slice } from '../slices.ts'
import { compareText } from '../text-order.ts'
import type { AboneGrubu, PriceRowInput } from '../types.ts'
import { groupIn, type Pricing } from './pricing.ts'

/**
 * The lowest related tariff of the group in a slice, which prices paid surplus and estimates what free energy
 * lost.
 */
export const lowestPrice = (pricing: Pricing, { consumers, date }: Slice): PriceRowInput | null =>
  lowestPriceOf(
    pricing,
    consumers.map(({ member }) => member.aboneGrubu),
    date,
  )

/**
 * The lowest over the subscriber groups of consumers, else, with a warning, the lowest of their related
 * tariffs over every step. Null with a warning when there is none.
 */
export function lowestPriceOf(
  pricing: Pricing,
  consumers: readonly (AboneGrubu | null)[],
  date: LocalDate,
): PriceRowInput | null {
  const { book, warnings, groupId } = pricing
  const groups = [...new Set(consumers.flatMap((aboneGrubu) => aboneGrubu ?? []))].sort(compareText)
  const lowest = cheapest(
    groups.map((aboneGrubu) =>
      book.resolve(
        { purpose: 'mahsuplasma_lowest_related_tariff', aboneGrubu, segment: 'tek', stepNo: null },
        date,
      ),
    ),
  )
  if (lowest) return lowest
  const fallback = cheapest(groups.flatMap((aboneGrubu) => relatedPrices(pricing, aboneGrubu, date)))
  if (fallback) {
    warnings.add('TARIFF_LOWEST_RELATED_FALLBACK', groupId, () =>
      WARNING_TEXTS.TARIFF_LOWEST_RELATED_FALLBACK(groupIn(pricing)),
    )
  } else {
    warnings.add('TARIFF_NONE_RESOLVED', groupId, () => WARNING_TEXTS.TARIFF_NONE_RESOLVED(groupIn(pricing)))
  }
  return fallback
}

function relatedPrices({ book }: Pricing, aboneGrubu: AboneGrubu, date: string): (PriceRowInput | null)[] {
  const purpose = 'mahsuplasma_related_tariff'
  const steps = [null, ...book.stepsOf(purpose, aboneGrubu)]
  return steps.map((stepNo) => book.resolve({ purpose, aboneGrubu, segment: 'tek', stepNo }, date))
}

function cheapest(rows: readonly (PriceRowInput | null)[]): PriceRowInput | null {
  let best: PriceRowInput | null = null
  for (const row of rows) {
    if (!row) continue
    const isBetter =
      best === null ||
      row.priceTryPerKwh < best.priceTryPerKwh ||
      (row.priceTryPerKwh === best.priceTryPerKwh && row.id < best.id)
    if (isBetter) best = row
  }
  return best
}
