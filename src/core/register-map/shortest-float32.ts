const POWERS = Float64Array.from({ length: 13 }, (_, exponent) => 10 ** exponent)
/** The significant digits that are tried; nine are always enough. */
const [DIGITS_MIN, DIGITS_MAX] = [6, 9]
/** Beyond it a float32 with decimals has more digits before the point than are tried first. */
const MAGNITUDE_MAX = 6

/**
 * The shortest decimal with the same 32 bits: a device that displays 1228.8 stores its nearest float32.
 *
 * A float32 has 24 significant bits, and five to the 12th has 28. So its product with a power of ten up to the 12th is
 * exact in a double, rounding the product is what `toPrecision` does, and the division gives the nearest double. Texts,
 * which take ten times as long, are left for the rest.
 */
export function shortestFloat32(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value
  const size = Math.abs(value)
  const whole = digitsBefore(size)
  for (let digits = DIGITS_MIN; digits <= DIGITS_MAX; digits++) {
    const power = POWERS[digits - whole]
    if (power === undefined) return shortestByText(value)
    const shorter = Math.round(size * power) / power
    if (Math.fround(shorter) === size || digits === DIGITS_MAX) return value < 0 ? -shorter : shorter
  }
  return value
}

/** Digits before the point; 0 or less for as many zeros after it. Out of the range of POWERS for the rest. */
function digitsBefore(size: number): number {
  let digits = 0
  for (; digits < MAGNITUDE_MAX && size >= (POWERS[digits] ?? 0); digits++);
  if (digits === MAGNITUDE_MAX && size >= (POWERS[MAGNITUDE_MAX] ?? 0)) return DIGITS_MAX + 1
  for (; digits > -DIGITS_MAX && size * (POWERS[1 - digits] ?? Number.NaN) < 1; digits--);
  return digits
}

function shortestByText(value: number): number {
  for (let digits = DIGITS_MIN; digits < DIGITS_MAX; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(DIGITS_MAX))
}
