import { MOD10K_WORD_MAX } from './register-types.ts'
import type { Order, Place, RegisterDef, RegisterType, WordReader } from './types.ts'

/** A register's bits, most significant byte first, whatever order the device keeps. */
export type Bits = Uint8Array

/** Undefined where a word is missing. Coils and discrete inputs give one byte each. */
export function readBits(register: RegisterDef, place: Place, read: WordReader): Bits | undefined {
  const isBitwise = place.function <= 2
  const bits = new Uint8Array(isBitwise ? place.count : place.count * 2)
  for (let index = 0; index < place.count; index += 1) {
    const word = read(place.function, place.address + index)
    if (word === undefined) return undefined
    if (isBitwise) bits[index] = word
    else putWord(bits, { word, at: placeOfWord(register.wordOrder, index, place.count), ...register })
  }
  return bits
}

const placeOfWord = (order: Order, index: number, count: number): number =>
  (order === 'big' ? index : count - 1 - index) * 2

function putWord(
  bits: Bits,
  { word, at, byteOrder }: { readonly word: number; readonly at: number; readonly byteOrder: Order },
): void {
  const [high, low] = byteOrder === 'big' ? [word >> 8, word & 0xff] : [word & 0xff, word >> 8]
  bits[at] = high
  bits[at + 1] = low
}

export const hexOf = (bits: Bits): string =>
  Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** All bits as one unsigned number; for at most 8 bytes. */
const unsignedOf = (bits: Bits): bigint => BigInt(`0x${hexOf(bits)}`)

const viewOf = (bits: Bits) => new DataView(bits.buffer, bits.byteOffset, bits.byteLength)

/** Decimal digits, one in four bits; undefined when a digit is none. */
function bcdOf(bits: Bits): number | undefined {
  const text = hexOf(bits)
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Four decimal digits in each word; undefined when a word holds more. */
function mod10kOf(bits: Bits): bigint | undefined {
  const view = viewOf(bits)
  let value = 0n
  for (let at = 0; at < bits.length; at += 2) {
    const word = view.getUint16(at)
    if (word > MOD10K_WORD_MAX) return undefined
    value = value * 10_000n + BigInt(word)
  }
  return value
}

/** A device keeps 1228.8 in 32 bits and shows 1228.8: so the shortest decimal that has the same bits is its value. */
function shortestOf32(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value
  for (const digits of [6, 7, 8]) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(9))
}

/** A raw number before scale; bigint where a double would not be exact. */
export type Raw = number | bigint

const narrow = (value: bigint): Raw =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value

const READERS: Readonly<Record<Exclude<RegisterType, 'string'>, (bits: Bits) => Raw | undefined>> = {
  bool: (bits) => (bits.some((byte) => byte !== 0) ? 1 : 0),
  u8: (bits) => bits.at(-1),
  i8: (bits) => ((bits.at(-1) ?? 0) << 24) >> 24,
  u16: (bits) => viewOf(bits).getUint16(0),
  i16: (bits) => viewOf(bits).getInt16(0),
  u32: (bits) => viewOf(bits).getUint32(0),
  i32: (bits) => viewOf(bits).getInt32(0),
  u64: (bits) => narrow(viewOf(bits).getBigUint64(0)),
  i64: (bits) => narrow(viewOf(bits).getBigInt64(0)),
  f32: (bits) => shortestOf32(viewOf(bits).getFloat32(0)),
  f64: (bits) => viewOf(bits).getFloat64(0),
  bitfield: (bits) => narrow(unsignedOf(bits)),
  enum: (bits) => narrow(unsignedOf(bits)),
  bcd16: bcdOf,
  bcd32: bcdOf,
  mod10k32: (bits) => narrowed(mod10kOf(bits)),
  mod10k64: (bits) => narrowed(mod10kOf(bits)),
}
const narrowed = (value: bigint | undefined) => (value === undefined ? undefined : narrow(value))

/** Undefined when the bits are no number of the type. */
export function rawOf({ type, mask, bit }: RegisterDef, bits: Bits): Raw | undefined {
  if (type === 'string') return undefined
  if (bit !== null) return Number((unsignedOf(bits) >> BigInt(bit)) & 1n)
  if (mask !== null) return narrow((unsignedOf(bits) & mask) >> lowestBitOf(mask))
  return READERS[type](bits)
}

function lowestBitOf(mask: bigint): bigint {
  let shift = 0n
  while (((mask >> shift) & 1n) === 0n) shift += 1n
  return shift
}

/** Text up to its first NUL, without padding. */
export function textOf(bits: Bits): string {
  const end = bits.indexOf(0)
  return new TextDecoder('utf-8').decode(end < 0 ? bits : bits.subarray(0, end)).trim()
}
