import assert from 'node:assert/strict'

/**
 * Exact decimals as integers. Energy counts Wh (3 decimals of kWh), prices and money count millionths.
 * Source of the scales: the published tariffs carry 4 decimals of a kuruş, meters resolve 0.001 kWh.
 * Only three functions of the code round: `mulPrice` and `roundDiv` here, and `alloc` in the netting core.
 */
declare const unit: unique symbol
type Amount<U extends string> = bigint & { readonly [unit]: U }

/** Energy in Wh; on the wire a kWh string with 3 decimals. */
export type Kwh = Amount<'kWh'>
/** Money in millionths of a lira; on the wire a string with 6 decimals. */
export type Try = Amount<'TRY'>
/** Price in millionths of a lira per kWh; on the wire a string with 6 decimals. */
export type TryPerKwh = Amount<'TRY/kWh'>

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

function parseScaled(text: string, decimals: number): bigint {
  const match = DECIMAL.exec(text)
  const fraction = match?.[3] ?? ''
  if (!match || fraction.length > decimals) {
    throw new RangeError(`not a decimal with at most ${decimals} places: ${text}`)
  }
  const scaled = BigInt((match[2] ?? '') + fraction.padEnd(decimals, '0'))
  return match[1] ? -scaled : scaled
}

function formatScaled(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Throws RangeError unless the text is a decimal with at most 3 places. */
export const parseKwh = (text: string): Kwh => parseScaled(text, 3) as Kwh
export const formatKwh = (value: Kwh): string => formatScaled(value, 3)
/** Throws RangeError unless the text is a decimal with at most 6 places. */
export const parseTry = (text: string): Try => parseScaled(text, 6) as Try
export const formatTry = (value: Try): string => formatScaled(value, 6)
/** Throws RangeError unless the text is a decimal with at most 6 places. */
export const parsePrice = (text: string): TryPerKwh => parseScaled(text, 6) as TryPerKwh
export const formatPrice = (value: TryPerKwh): string => formatScaled(value, 6)

/** An integer of the scaled unit, taken as energy: `wh(1500n)` is 1.500 kWh. */
export const wh = (value: bigint): Kwh => value as Kwh
export const ZERO_KWH = wh(0n)

export const add = <A extends bigint>(a: A, b: NoInfer<A>): A => ((a as bigint) + (b as bigint)) as A
export const subtract = <A extends bigint>(a: A, b: NoInfer<A>): A => ((a as bigint) - (b as bigint)) as A
export const negate = <A extends bigint>(a: A): A => -(a as bigint) as A
export const smaller = <A extends bigint>(a: A, b: NoInfer<A>): A => (a < b ? a : b)
export const larger = <A extends bigint>(a: A, b: NoInfer<A>): A => (a > b ? a : b)
export const total = <A extends bigint>(values: Iterable<A>): A => {
  let sum = 0n
  for (const value of values) sum += value
  return sum as A
}

/** Integer division rounded half away from zero (HALF_UP of the method); the divisor is positive. */
export function roundDiv(numerator: bigint, divisor: bigint): bigint {
  assert(divisor > 0n, 'divisor must be positive')
  const half = divisor / 2n
  return numerator < 0n ? -((-numerator + half) / divisor) : (numerator + half) / divisor
}

/** quantity × price, rounded half up to a millionth of a lira. */
export const mulPrice = (quantity: Kwh, price: TryPerKwh): Try => roundDiv(quantity * price, 1000n) as Try

/**
 * Returns the decimal text of a value in a request: a string unchanged, a number as its shortest round-trip
 * text. A number that is printed with an exponent stays unchanged and is then refused by the parser.
 */
export const decimalText = (value: number | string): string => String(value)
