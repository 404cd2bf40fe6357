import { intAt } from '../../kernel/checked.ts'

const MINUS = 45
const ZERO = 48
const SCALE = 1_000_000
/** Below it a number of millionths has at most 15 digits, which are then the shortest text of its quotient. */
const MILLIONTHS_MAX = 1e15
/** The longest text of a number. */
const NUMBER_BYTES = 32

const WORD_BYTES = 4

/** A constant part of a document as words of four bytes; the last one may be longer than the part. */
export interface Part {
  readonly words: Int32Array
  readonly length: number
}

/** A constant part of a document, in UTF-8. */
export function textPart(text: string): Part {
  const length = Buffer.byteLength(text)
  const bytes = Buffer.alloc(Math.ceil(length / WORD_BYTES) * WORD_BYTES)
  bytes.write(text)
  const words = Int32Array.from({ length: bytes.length / WORD_BYTES }, (_, index) =>
    bytes.readInt32LE(index * WORD_BYTES),
  )
  return { words, length }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** Writes text as bytes into a growing buffer, without a string for each number. */
export class ByteWriter {
  private bytes: Buffer
  private view: DataView
  private length = 0
  private readonly mark: number

  constructor(expectedBytes: number, mark: '.' | ',' = '.') {
    this.bytes = Buffer.allocUnsafeSlow(expectedBytes)
    this.view = viewOf(this.bytes)
    this.mark = mark.charCodeAt(0)
  }

  /** What a word writes beyond the part is overwritten by the next part. */
  part({ words, length }: Part): void {
    this.reserve(length + WORD_BYTES)
    const { view, length: start } = this
    for (let index = 0; index < words.length; index++)
      view.setInt32(start + index * WORD_BYTES, intAt(words, index), true)
    this.length = start + length
  }

  /** A text of ASCII characters. */
  ascii(text: string): void {
    this.reserve(text.length)
    this.length += this.bytes.write(text, this.length, 'latin1')
  }

  bytesOf(text: Buffer): void {
    this.reserve(text.length)
    this.length += text.copy(this.bytes, this.length)
  }

  /** The number of bytes written. */
  get size(): number {
    return this.length
  }

  /** Removes what was written from an offset on, and returns a copy of it. */
  cut(offset: number): Buffer {
    const removed = Buffer.from(this.bytes.subarray(offset, this.length))
    this.length = offset
    return removed
  }

  /** A number that is a whole count of millionths, as its shortest text. Otherwise nothing is written: false. */
  decimal(value: number): boolean {
    const millionths = Math.round(value * SCALE)
    if (!(Math.abs(millionths) < MILLIONTHS_MAX && millionths / SCALE === value)) return false
    this.millionths(millionths)
    return true
  }

  /** A whole count of millionths below 10^15 as a decimal, without zeros at its end. */
  millionths(value: number): void {
    this.reserve(NUMBER_BYTES)
    if (value < 0) this.bytes[this.length++] = MINUS
    const digits = Math.abs(value)
    // The quotient is below 2^30, and a fraction is farther from a whole number than the precision of the quotient.
    const whole = Math.floor(digits / SCALE)
    this.digits(whole | 0)
    const fraction = (digits - whole * SCALE) | 0
    if (fraction !== 0) this.fraction(fraction)
  }

  /** A positive whole number below 2^31. */
  whole(value: number): void {
    this.reserve(NUMBER_BYTES)
    this.digits(value)
  }

  twoDigits(value: number): void {
    this.reserve(2)
    this.bytes[this.length++] = ZERO + ((value / 10) | 0)
    this.bytes[this.length++] = ZERO + (value % 10)
  }

  threeDigits(value: number): void {
    this.reserve(3)
    this.hundreds(value)
  }

  /** Removes zeros at the end. */
  trimZeros(): void {
    while (this.bytes[this.length - 1] === ZERO) this.length -= 1
  }

  private digits(value: number): void {
    if (value >= 1000) {
      this.digits((value / 1000) | 0)
      this.hundreds(value % 1000)
      return
    }
    if (value >= 100) this.bytes[this.length++] = ZERO + ((value / 100) | 0)
    if (value >= 10) this.bytes[this.length++] = ZERO + (((value / 10) | 0) % 10)
    this.bytes[this.length++] = ZERO + (value % 10)
  }

  private fraction(value: number): void {
    this.bytes[this.length++] = this.mark
    this.hundreds((value / 1000) | 0)
    this.hundreds(value % 1000)
    this.trimZeros()
  }

  private hundreds(value: number): void {
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
