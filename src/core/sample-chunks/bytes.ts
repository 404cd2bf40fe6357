import { byteAt } from '../../kernel/checked.ts'

/** Bytes that are no chunk, or no longer the chunk that was written. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'
}

const TWO_31 = 2 ** 31
const GROWTH = 2

/** Bytes that are appended to. */
export class ByteWriter {
  private bytes: Uint8Array
  private length = 0

  constructor(room: number) {
    this.bytes = new Uint8Array(Math.max(64, room))
  }

  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  /** Starts again, in the same memory. */
  clear(): void {
    this.length = 0
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * GROWTH, this.length + count))
    grown.set(this.written)
    this.bytes = grown
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** A whole number from 0 to 2^53: seven bits a byte, the lowest first; the high bit says that another one follows. */
  unsigned(value: number): void {
    this.reserve(8)
    if (value < 128) {
      this.bytes[this.length++] = value
      return
    }
    let rest = value
    while (rest >= TWO_31) {
      this.bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  /** A whole number of at most 2^53 either way: an unsigned magnitude, preceded by a byte with the sign. */
  signed(value: number): void {
    this.byte(value < 0 ? 1 : 0)
    this.unsigned(Math.abs(value))
  }
}

/** Reads what a ByteWriter wrote. Throws ChunkError at the end of the bytes. */
export class ByteReader {
  private readonly bytes: Uint8Array
  private position = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.position === this.bytes.length
  }

  get remaining(): number {
    return this.bytes.length - this.position
  }

  byte(): number {
    if (this.position >= this.bytes.length) throw new ChunkError('the chunk ends too early')
    return byteAt(this.bytes, this.position++)
  }

  raw(count: number): Uint8Array {
    if (count > this.remaining) throw new ChunkError('the chunk ends too early')
    this.position += count
    return this.bytes.subarray(this.position - count, this.position)
  }

  unsigned(): number {
    const first = this.byte()
    if (first < 128) return first
    let value = first & 127
    for (let factor = 128; ; factor *= 128) {
      const next = this.byte()
      value += (next & 127) * factor
      if (value > Number.MAX_SAFE_INTEGER) throw new ChunkError('a number of the chunk is too large')
      if (next < 128) return value
    }
  }

  /** An unsigned number with a limit: a count, which decides how much memory is reserved. */
  count(max: number): number {
    const value = this.unsigned()
    if (value > max) throw new ChunkError(`a count of the chunk is ${value}, more than ${max}`)
    return value
  }

  signed(): number {
    const isNegative = this.byte() === 1
    return isNegative ? -this.unsigned() : this.unsigned()
  }
}
