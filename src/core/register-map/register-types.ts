import type { RegisterType } from './types.ts'

export const MOD10K_WORD_MAX = 9999

/** Sizes of a type in 16-bit registers; the first one is the default. */
export const REGISTER_COUNTS: Readonly<Record<RegisterType, readonly number[]>> = {
  bool: [1],
  u8: [1],
  i8: [1],
  u16: [1],
  i16: [1],
  u32: [2],
  i32: [2],
  u64: [4],
  i64: [4],
  f32: [2],
  f64: [4],
  string: [],
  bitfield: [1, 2, 4],
  enum: [1, 2],
  bcd16: [1],
  bcd32: [2],
  mod10k32: [2],
  mod10k64: [4],
}

/** Types for which `bit` and `mask` are allowed. */
export const BITWISE_TYPES: ReadonlySet<RegisterType> = new Set([
  'bool',
  'u8',
  'u16',
  'u32',
  'u64',
  'bitfield',
  'enum',
])

/** Types so narrow that a counter wraps within days. */
export const NARROW_TYPES: ReadonlySet<RegisterType> = new Set(['u8', 'i8', 'u16', 'i16', 'bcd16'])
