const DECIMALS = 6
const ZERO = 48

/** Formats an integer number of millionths as a decimal without trailing zeros. */
export function millionthsText(digits: string): string {
  const sign = digits.startsWith('-') ? '-' : ''
  const padded = digits.slice(sign.length).padStart(DECIMALS + 1, '0')
  const point = padded.length - DECIMALS
  let end = padded.length
  while (end > point && padded.charCodeAt(end - 1) === ZERO) end -= 1
  const whole = sign + padded.slice(0, point)
  return end === point ? whole : `${whole}.${padded.slice(point, end)}`
}

/** Below it a float64 has the same text here and in PostgreSQL. */
export const FLOAT_TEXT_MAX = 1e15
/** Numbers from here on have no exponent in the text of PostgreSQL. */
export const FLOAT_PLAIN_MIN = 1e-4

/** A float64 below FLOAT_TEXT_MAX as PostgreSQL writes it: the shortest text, with an exponent below 0.0001. */
export function floatText(number: number): string {
  if (!(Math.abs(number) < FLOAT_PLAIN_MIN) || number === 0)
    return Object.is(number, -0) ? '-0' : String(number)
  return number.toExponential().replace(/e-(\d)$/, 'e-0$1')
}
