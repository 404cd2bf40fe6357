/**
 * Reads the pieces of a JSON text from its bytes, without strings or objects for the garbage collector. Every function
 * returns the offset after the piece, or NO when the bytes are not the usual form of such a piece; that a text is not
 * usual does not mean that it is not valid.
 */
export const NO = -1

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [MINUS, DOT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39]
const [EXPONENT, CAPITAL_EXPONENT] = [0x65, 0x45]
/**
 * Numbers of up to 15 digits are exact as a double, and so are powers of ten up to the 22nd: one division
 * then rounds only once.
 */
const DIGITS_EXACT = 15
const POWERS = Float64Array.from({ length: DIGITS_EXACT + 1 }, (_, exponent) => 10 ** exponent)

/** JSON's notation of a number, and the length beyond which a notation is not usual. */
const ANY_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NUMBER_LENGTH_MAX = 400

/** Returns the offset of the closing quote of a text without escapes, or NO. */
export function passString(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at
    if (byte < 0x20 || byte === BACKSLASH) return NO
  }
  return NO
}

/** Parses numbers; each user has its own instance. */
export class NumberReader {
  /** The number that was passed last. */
  value = 0

  /** Passes a number without an exponent. */
  pass(bytes: Buffer, start: number): number {
    const { length } = bytes
    let at = start
    const isNegative = at < length && bytes[at] === MINUS
    if (isNegative) at += 1
    const first = at
    let digits = 0
    let decimals = 0
    for (; at < length; at++) {
      const byte = bytes[at] ?? 0
      if (byte < ZERO || byte > NINE) break
      digits = digits * 10 + (byte - ZERO)
    }
    const whole = at - first
    if (whole === 0 || (whole > 1 && bytes[first] === ZERO)) return NO
    if (at < length && bytes[at] === DOT) {
      for (at += 1; at < length; at++) {
        const byte = bytes[at] ?? 0
        if (byte < ZERO || byte > NINE) break
        digits = digits * 10 + (byte - ZERO)
        decimals += 1
      }
      if (decimals === 0) return NO
    }
    if (at < length && (bytes[at] === EXPONENT || bytes[at] === CAPITAL_EXPONENT)) return NO
    if (whole + decimals > DIGITS_EXACT) this.value = Number(bytes.toString('latin1', start, at))
    else {
      const value = decimals === 0 ? digits : digits / (POWERS[decimals] ?? 1)
      this.value = isNegative ? -value : value
    }
    return at
  }
  /** Passes a number that may have an exponent. */
  passAny(bytes: Buffer, start: number): number {
    const end = this.pass(bytes, start)
    if (end !== NO) return end
    ANY_NUMBER.lastIndex = 0
    const [text] = ANY_NUMBER.exec(bytes.toString('latin1', start, start + NUMBER_LENGTH_MAX)) ?? []
    // A longer number could have been cut off.
    if (text === undefined || text.length === NUMBER_LENGTH_MAX) return NO
    this.value = Number(text)
    return start + text.length
  }
}
