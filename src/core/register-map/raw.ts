import { at } from '../../kernel/checked.ts'
import { MOD10K_WORD_MAX } from './register-types.ts'
import { shortestFloat32 } from './shortest-float32.ts'
import type { ModbusRange, RegisterDef, RegisterType, WordReader } from './types.ts'

/** Bytes of a register, most significant first, independent of the device's byte and word order. */
export type Bits = Uint8Array

/** Undefined when a word is missing. Coils and discrete inputs take one byte each. */
export function readBits(register: RegisterDef, range: ModbusRange, read: WordReader): Bits | undefined {
  const { count, address } = range
  const isBitwise = range.function <= 2
  const isBigWords = register.wordOrder === 'big'
  const high = register.byteOrder === 'big' ? 0 : 1
  const bits = new Uint8Array(isBitwise ? count : count * 2)
  for (let index = 0; index < count; index += 1) {
    const word = read(range.function, address + index)
    if (word === undefined) return undefined
    if (isBitwise) bits[index] = word
    else {
      const offset = (isBigWords ? index : count - 1 - index) * 2
      bits[offset + high] = word >> 8
      bits[offset + 1 - high] = word & 0xff
    }
  }
  return bits
}

const scratch = new DataView(new ArrayBuffer(4))

/**
 * Reads the usual numbers, of one or two whole words, without an array for their bytes. Undefined for all others, and
 * when a word is missing.
 */
export function readWords(register: RegisterDef, range: ModbusRange, read: WordReader): number | undefined {
  const { type, byteOrder, wordOrder, bit, mask, notAvailable } = register
  if (bit !== null || mask !== null || notAvailable.bits.length > 0 || range.function <= 2) return undefined
  const words = WORDS[type]
  if (words === undefined || words !== range.count) return undefined
  const first = read(range.function, range.address)
  const second = words === 2 ? read(range.function, range.address + 1) : 0
  if (first === undefined || second === undefined) return undefined
  const isBigWords = wordOrder === 'big' || words === 1
  const isBigBytes = byteOrder === 'big'
  // The bytes of the words in the order of the device, which a view then reads in either order.
  scratch.setUint16(0, isBigWords ? first : second, !isBigBytes)
  scratch.setUint16(2, isBigWords ? second : first, !isBigBytes)
  switch (type) {
    case 'u16':
      return scratch.getUint16(0)
    case 'i16':
      return scratch.getInt16(0)
    case 'u32':
      return scratch.getUint32(0)
    case 'i32':
      return scratch.getInt32(0)
    default:
      return shortestFloat32(scratch.getFloat32(0))
  }
}

/** The words of the types that `readWords` reads. */
const WORDS: Partial<Record<RegisterType, number>> = { u16: 1, i16: 1, u32: 2, i32: 2, f32: 2 }

export const toHex = (bits: Bits): string =>
  Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** All bytes as one unsigned number (at most 8 bytes). */
const unsignedOf = (bits: Bits): bigint => BigInt(`0x${toHex(bits)}`)

const viewOf = (bits: Bits) => new DataView(bits.buffer, bits.byteOffset, bits.byteLength)

/** Binary coded decimal, four bits per digit; undefined when a nibble is no digit. */
function decodeBcd(bits: Bits): number | undefined {
  const text = toHex(bits)
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Four decimal digits per word; undefined when a word exceeds 9999. */
function decodeMod10k(bits: Bits): bigint | undefined {
  const view = viewOf(bits)
  let value = 0n
  for (let offset = 0; offset < bits.length; offset += 2) {
    const word = view.getUint16(offset)
    if (word > MOD10K_WORD_MAX) return undefined
    value = value * 10_000n + BigInt(word)
  }
  return value
}

/** Raw number before scaling; bigint where a double would not be exact. */
export type Raw = number | bigint

const toNumberIfSafe = (value: bigint): Raw =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value

const DECODERS: Readonly<Record<Exclude<RegisterType, 'string'>, (bits: Bits) => Raw | undefined>> = {
  bool: (bits) => (bits.some((byte) => byte !== 0) ? 1 : 0),
  u8: (bits) => bits.at(-1),
  i8: (bits) => (at(bits, bits.length - 1) << 24) >> 24,
  u16: (bits) => viewOf(bits).getUint16(0),
  i16: (bits) => viewOf(bits).getInt16(0),
  u32: (bits) => viewOf(bits).getUint32(0),
  i32: (bits) => viewOf(bits).getInt32(0),
  u64: (bits) => toNumberIfSafe(viewOf(bits).getBigUint64(0)),
  i64: (bits) => toNumberIfSafe(viewOf(bits).getBigInt64(0)),
  f32: (bits) => shortestFloat32(viewOf(bits).getFloat32(0)),
  f64: (bits) => viewOf(bits).getFloat64(0),
  bitfield: (bits) => toNumberIfSafe(unsignedOf(bits)),
  enum: (bits) => toNumberIfSafe(unsignedOf(bits)),
  bcd16: decodeBcd,
  bcd32: decodeBcd,
  mod10k32: (bits) => narrowed(decodeMod10k(bits)),
  mod10k64: (bits) => narrowed(decodeMod10k(bits)),
}
const narrowed = (value: bigint | undefined) => (value === undefined ? undefined : toNumberIfSafe(value))

/** Undefined when the bytes are no valid number of the type. */
export function decodeRaw({ type, mask, bit }: RegisterDef, bits: Bits): Raw | undefined {
  if (type === 'string') return undefined
  if (bit !== null) return Number((unsignedOf(bits) >> BigInt(bit)) & 1n)
  if (mask !== null) return toNumberIfSafe((unsignedOf(bits) & mask) >> lowestBitOf(mask))
  return DECODERS[type](bits)
}

function lowestBitOf(mask: bigint): bigint {
  let shift = 0n
  while (((mask >> shift) & 1n) === 0n) shift += 1n
  return shift
}

/** Text up to the first NUL, without padding. */
export function decodeText(bits: Bits): string {
  const end = bits.indexOf(0)
  return new TextDecoder('utf-8').decode(end < 0 ? bits : bits.subarray(0, end)).trim()
}
