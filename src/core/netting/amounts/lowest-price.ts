import type { LocalDate } from '../../../kernel/time.ts'
import { WARNING_TEXTS } from '../messages.ts'
import type { Slice } from '../slices.ts'
import type { AboneGrubu, MemberInput, PriceRowInput } from '../types.ts'
import { findPrice, groupIn, type PricedConsumer, type Pricing } from './pricing.ts'

/**
 * The lowest related tariff of the group in a slice, which prices paid surplus and estimates what free energy
 * lost.
 */
export function lowestPrice(pricing: Pricing, { consumers, date }: Slice): PriceRowInput | null {
  const last = lastPrices.get(pricing)
  const isSame =
    last?.date === date &&
    last.members.length === consumers.length &&
    consumers.every(({ member }, index) => member === last.members[index])
  if (last && isSame) return last.price
  const members = consumers.map(({ member }) => member)
  const price = lowestPriceOf(pricing, members, date)
  lastPrices.set(pricing, { date, members, price })
  return price
}

interface LastPrice {
  readonly date: LocalDate
  readonly members: readonly MemberInput[]
  readonly price: PriceRowInput | null
}

/** The last result of each run: the hours of a day mostly have the same consumers. */
const lastPrices = new WeakMap<Pricing, LastPrice>()

export interface LowestPriceConsumer extends PricedConsumer, Pick<MemberInput, 'aboneGrubu'> {}

/**
 * The lowest over the consumers, each with its subscriber group and at its own voltage level, else, with a warning,
 * the lowest of their related tariffs over every step. Null with a warning when there is none.
 */
export function lowestPriceOf(
  pricing: Pricing,
  consumers: readonly LowestPriceConsumer[],
  date: LocalDate,
): PriceRowInput | null {
  const { warnings, groupId } = pricing
  const known = consumers.flatMap((consumer) => (isKnown(consumer) ? consumer : []))
  const purpose = 'mahsuplasma_lowest_related_tariff'
  const lowest = cheapest(
    known.map((consumer) => {
      const { aboneGrubu } = consumer
      return findPrice(pricing, consumer, { purpose, aboneGrubu, segment: 'tek', stepNo: null }, date)
    }),
  )
  if (lowest) return lowest
  const fallback = cheapest(known.flatMap((consumer) => relatedPrices(pricing, consumer, date)))
  if (fallback) {
    warnings.add('TARIFF_LOWEST_RELATED_FALLBACK', groupId, () =>
      WARNING_TEXTS.TARIFF_LOWEST_RELATED_FALLBACK(groupIn(pricing)),
    )
  } else {
    warnings.add('TARIFF_NONE_RESOLVED', groupId, () => WARNING_TEXTS.TARIFF_NONE_RESOLVED(groupIn(pricing)))
  }
  return fallback
}

type KnownConsumer = LowestPriceConsumer & { readonly aboneGrubu: AboneGrubu }
const isKnown = (consumer: LowestPriceConsumer): consumer is KnownConsumer => consumer.aboneGrubu !== null

function relatedPrices(pricing: Pricing, consumer: KnownConsumer, date: LocalDate): (PriceRowInput | null)[] {
  const purpose = 'mahsuplasma_related_tariff'
  const { aboneGrubu } = consumer
  const steps = [null, ...pricing.book.stepsOf(purpose, aboneGrubu)]
  return steps.map((stepNo) =>
    findPrice(pricing, consumer, { purpose, aboneGrubu, segment: 'tek', stepNo }, date),
  )
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
