import type { PriceRow, PrintedPrice } from './types.ts'

const DECIMALS = 6
/** Half of the last printed decimal, in millionths; a price with six decimals or more is exact. */
export function precisionOf({ decimals }: PrintedPrice): bigint {
  if (decimals >= DECIMALS) return 0n
  return 10n ** BigInt(DECIMALS - decimals) / 2n
}

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

export const isPrice = (printed: PrintedPrice, price: bigint): boolean =>
  magnitude(printed.value - price) <= precisionOf(printed)

interface Wanted {
  /** The rows that the results use. */
  readonly own: readonly PriceRow[]
  /** True for the price that the invoice uses. */
  readonly isUsed: (price: bigint) => boolean
}

/** Purposes by which an invoice charges energy; others are compared last. */
const sharedTraits = (row: PriceRow, own: PriceRow): number =>
  (row.billingPeriod === own.billingPeriod ? 8 : 0) +
  (row.aboneGrubu === own.aboneGrubu ? 4 : 0) +
  (row.purpose === own.purpose ? 2 : 0) +
  ((row.timeSegment ?? 'tek') === (own.timeSegment ?? 'tek') ? 1 : 0)

/** Returns the row whose price the invoice uses, the most similar one first; undefined where no row has it. */
export function findPriceRow(prices: readonly PriceRow[], { own, isUsed }: Wanted): PriceRow | undefined {
  const ownIds = new Set(own.map(({ id }) => id))
  const likeness = (row: PriceRow) => Math.max(0, ...own.map((each) => sharedTraits(row, each)))
  return prices
    .filter((row) => !ownIds.has(row.id) && isUsed(row.priceTryPerKwh))
    .sort((a, b) => likeness(b) - likeness(a) || (a.billingPeriod < b.billingPeriod ? 1 : -1))[0]
}

/** True when a row differs from one of the results in its step alone. */
export const isOtherStep = (row: PriceRow, own: readonly PriceRow[]): boolean =>
  own.some(
    (each) =>
      row.stepNo !== null &&
      each.stepNo !== null &&
      row.stepNo !== each.stepNo &&
      row.aboneGrubu === each.aboneGrubu &&
      row.aboneGrubu !== 'other' &&
      row.purpose === each.purpose &&
      row.billingPeriod === each.billingPeriod &&
      row.timeSegment === each.timeSegment,
  )

/** Names a row: period, subscriber group, purpose, and what else distinguishes it. */
export const nameOfRow = (row: PriceRow): string =>
  [
    row.billingPeriod.slice(0, 7),
    row.aboneGrubu,
    row.purpose,
    row.timeSegment,
    row.stepNo === null ? null : `step ${row.stepNo}`,
    row.tariffClass,
    row.voltageLevel,
  ]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join(', ')
