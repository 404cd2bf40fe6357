/**
 * Decimal numbers as the API sends them: strings such as "1234.500000". They are rounded and formatted as text, with
 * BigInt, and never become floating-point numbers. `approximate` is for positions in charts only.
 */
import type { Language } from '../../../src/kernel/messages.ts'

interface Separators {
  readonly decimal: string
  readonly group: string
}
const SEPARATORS: Readonly<Record<Language, Separators>> = {
  tr: { decimal: ',', group: '.' },
  en: { decimal: '.', group: ',' },
}
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** The value times 10^places, rounded half away from zero. */
export function scaled(text: string, places: number): bigint {
  const match = DECIMAL.exec(text)
  if (!match) throw new RangeError(`not a decimal: ${text}`)
  const [, sign = '', whole = '0', fraction = ''] = match
  const digits = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  const isRoundedUp = (fraction[places] ?? '0') >= '5'
  const magnitude = isRoundedUp ? digits + 1n : digits
  return sign === '-' ? -magnitude : magnitude
}

/** The decimal of an integer that was scaled by 10^places. */
export function unscaled(value: bigint, places: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = places === 0 ? '' : `.${digits.slice(digits.length - places)}`
  return `${value < 0n ? '-' : ''}${whole}${fraction}`
}

/** The exact sum; the result has as many places as the longest term. */
export function sumOf(terms: readonly string[]): string {
  const places = Math.max(0, ...terms.map((term) => term.split('.')[1]?.length ?? 0))
  return unscaled(
    terms.reduce((sum, term) => sum + scaled(term, places), 0n),
    places,
  )
}

/** The text of a decimal with a fixed number of places, grouped by thousands: "1.234,50" in Turkish. */
export function formatDecimal(text: string, places: number, language: Language): string {
  const { decimal, group } = SEPARATORS[language]
  const rounded = unscaled(scaled(text, places), places)
  const isNegative = rounded.startsWith('-')
  const [whole = '0', fraction] = rounded.slice(isNegative ? 1 : 0).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group)
  return `${isNegative ? '−' : ''}${grouped}${fraction === undefined ? '' : decimal + fraction}`
}

/** The text of a decimal with the places that it needs: "0,9" for "0.900000". */
export function formatShort(text: string, language: Language): string {
  const [, fraction = ''] = text.split('.')
  return formatDecimal(text, fraction.replace(/0+$/, '').length, language)
}

/** The nearest floating-point number, for the position of a point or the shade of a cell. */
export const approximate = (text: string): number => Number(text)
