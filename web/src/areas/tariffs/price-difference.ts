/** The difference between two price sets. Prices are decimals as text. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { scaled } from '../../kernel/decimal.ts'

export type Price = ListItem<'/api/v1/admin/regulated-tariffs/price-sets/{id}/prices'>
type Compared = Pick<
  Price,
  | 'abone_grubu'
  | 'gerilim_seviyesi'
  | 'tariff_code'
  | 'tariff_class'
  | 'price_purpose'
  | 'time_segment'
  | 'step_no'
  | 'price'
>

export interface PriceDifference {
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Usually one price; several when rows have the same name. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Decimal places of prices. */
const PLACES = 6

/** What a price is for: two rows of different sets with the same name are compared. */
export const nameOf = (price: Compared): string =>
  [
    ...[price.price_purpose, price.abone_grubu, price.gerilim_seviyesi, price.tariff_code],
    ...[price.tariff_class, price.time_segment, price.step_no],
  ]
    .filter((part) => part !== null)
    .join(' · ')

/** The prices that were added, removed or changed. A name with several rows is compared by all of its prices. */
export function differencesOf(before: readonly Compared[], after: readonly Compared[]): PriceDifference[] {
  const [old, present] = [pricesByName(before), pricesByName(after)]
  const names = [...new Set([...old.keys(), ...present.keys()])].toSorted()
  return names.flatMap((name): PriceDifference[] => {
    const [earlier, later] = [old.get(name), present.get(name)]
    if (earlier !== undefined && later !== undefined && isSame(earlier, later)) return []
    const change = earlier === undefined ? 'added' : later === undefined ? 'removed' : 'changed'
    return [{ name, change, before: earlier ?? [], after: later ?? [] }]
  })
}

function pricesByName(prices: readonly Compared[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const price of prices) {
    const name = nameOf(price)
    found.set(name, [...(found.get(name) ?? []), price.price].toSorted())
  }
  return found
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length &&
  a.every((price, index) => scaled(price, PLACES) === scaled(b[index] ?? '0', PLACES))
