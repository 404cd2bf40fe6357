import type { Raw } from './raw.ts'
import type { Scale } from './types.ts'

export const SCALE_ONE: Scale = { mantissa: 1, exponent: 0 }

/**
 * The exact decimal form of a JSON number: 0.01 is 1 × 10^-2. Undefined when it has more digits than are
 * exact.
 */
export function parseScale(factor: number): Scale | undefined {
  const [digits = '', power = '0'] = String(factor).split('e')
  const [whole = '', decimals = ''] = digits.split('.')
  const mantissa = Number(whole + decimals)
  if (!Number.isSafeInteger(mantissa)) return undefined
  return { mantissa, exponent: Number(power) - decimals.length }
}

export const shiftExponent = ({ mantissa, exponent }: Scale, power: number): Scale => ({
  mantissa,
  exponent: exponent + power,
})

/**
 * Powers of ten up to this exponent are exact doubles, so one division or multiplication is rounded
 * correctly.
 */
const EXACT_POWER_MAX = 22
/** Significant digits; further ones are noise of binary fractions. */
const DIGITS = 15

/** raw × scale: the double nearest to the exact product for every integer raw value. */
export function applyScale(raw: Raw, { mantissa, exponent }: Scale): number {
  if (mantissa === 1 && exponent === 0) return Number(raw)
  if (typeof raw === 'number') {
    if (!Number.isInteger(raw)) return trimNoise(shift(raw * mantissa, exponent))
    const product = raw * mantissa
    if (Number.isSafeInteger(product) && Math.abs(exponent) <= EXACT_POWER_MAX)
      return shift(product, exponent)
  }
  if (typeof raw === 'number' && !Number.isSafeInteger(raw)) return shift(raw * mantissa, exponent)
  return Number(`${BigInt(raw) * BigInt(mantissa)}e${exponent}`)
}

const shift = (value: number, power: number): number =>
  power < 0 ? value / 10 ** -power : value * 10 ** power

const trimNoise = (value: number): number => Number(value.toPrecision(DIGITS))

/** Adds without the noise of binary fractions: 65.3 - 40 is 25.3. */
export const addOffset = (value: number, offset: number): number =>
  offset === 0 ? value : trimNoise(value + offset)

/** Rounds to a number of decimals as `toFixed` does, and never returns minus zero. */
export const roundTo = (value: number, decimals: number | null): number =>
  (decimals === null ? value : Number(value.toFixed(decimals))) + 0
