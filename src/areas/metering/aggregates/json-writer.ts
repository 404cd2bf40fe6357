import { intAt } from '../../../kernel/checked.ts'

const MINUS = 45
const POINT = 46
const ZERO = 48
const SCALE = 1_000_000
/** Below it a number of millionths has at most 15 digits, which are then the shortest text of its quotient. */
const MILLIONTHS_MAX = 1e15
/** The longest text of a number. */
const NUMBER_BYTES = 32

const WORD_BYTES = 4

/** A constant part of a document as words of four bytes; the last one may be longer than the part. */
interface Part {
  readonly words: Int32Array
  readonly length: number
}

/** A constant part of a document, which is ASCII only. */
export function asciiPart(text: string): Part {
  const { length } = text
  const bytes = Buffer.alloc(Math.ceil(length / WORD_BYTES) * WORD_BYTES)
  bytes.write(text, 'latin1')
  const words = Int32Array.from({ length: bytes.length / WORD_BYTES }, (_, index) =>
    bytes.readInt32LE(index * WORD_BYTES),
  )
  return { words, length }
}

const NULL = asciiPart('null')

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/**
 * Writes JSON as bytes into a growing buffer, without a string for each number. Numbers are written as JSON.stringify
 * does: those of up to six decimals digit by digit, the others from their text.
 */
export class JsonWriter {
  private bytes: Buffer
  private view: DataView
  private length = 0

  constructor(expectedBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(expectedBytes)
    this.view = viewOf(this.bytes)
  }

  /** What a word writes beyond the part is overwritten by the next part. */
  part({ words, length }: Part): void {
    this.reserve(length + WORD_BYTES)
    const { view, length: start } = this
    for (let index = 0; index < words.length; index++)
      view.setInt32(start + index * WORD_BYTES, intAt(words, index), true)
    this.length = start + length
  }

  /** A text of ASCII characters without quotes. */
  ascii(text: string): void {
    this.reserve(text.length)
    this.length += this.bytes.write(text, this.length, 'latin1')
  }

  twoDigits(value: number): void {
    this.reserve(2)
    this.bytes[this.length++] = ZERO + ((value / 10) | 0)
    this.bytes[this.length++] = ZERO + (value % 10)
  }

  number(value: number | null): void {
    if (value === null) {
      this.part(NULL)
      return
    }
    const millionths = Math.round(value * SCALE)
    if (Math.abs(millionths) < MILLIONTHS_MAX && millionths / SCALE === value) this.millionths(millionths)
    else this.ascii(JSON.stringify(value))
  }

  private millionths(value: number): void {
    this.reserve(NUMBER_BYTES)
    if (value < 0) this.bytes[this.length++] = MINUS
    const digits = Math.abs(value)
    // The quotient is below 2^30, and a fraction is farther from a whole number than the precision of the quotient.
    const whole = Math.floor(digits / SCALE)
    this.whole(whole | 0)
    const fraction = (digits - whole * SCALE) | 0
    if (fraction !== 0) this.fraction(fraction)
  }

  private whole(value: number): void {
    if (value >= 1000) {
      this.whole((value / 1000) | 0)
      this.threeDigits(value % 1000)
      return
    }
    if (value >= 100) this.bytes[this.length++] = ZERO + ((value / 100) | 0)
    if (value >= 10) this.bytes[this.length++] = ZERO + (((value / 10) | 0) % 10)
    this.bytes[this.length++] = ZERO + (value % 10)
  }

  /** Millionths, without zeros at the end. */
  private fraction(value: number): void {
    this.bytes[this.length++] = POINT
    this.threeDigits((value / 1000) | 0)
    this.threeDigits(value % 1000)
    while (this.bytes[this.length - 1] === ZERO) this.length -= 1
  }

  private threeDigits(value: number): void {
    const { bytes, length } = this
    bytes[length] = ZERO + ((value / 100) | 0)
    bytes[length + 1] = ZERO + (((value / 10) | 0) % 10)
    bytes[length + 2] = ZERO + (value % 10)
    this.length = length + 3
  }

  private reserve(count: number): void {
    if (this.length + count > this.bytes.length) this.grow(this.bytes.length * 2 + count)
  }

  private grow(size: number): void {
    this.bytes = Buffer.concat([this.bytes], size)
    this.view = viewOf(this.bytes)
  }

  toBuffer(): Buffer {
    return this.bytes.subarray(0, this.length)
  }
}
