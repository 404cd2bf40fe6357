import { type Bits, hexOf, type Raw, rawOf, readBits, textOf } from './raw.ts'
import { addOffset, applyScale, roundTo, timesTen } from './scale.ts'
import type {
  Decoded,
  DecodeProblem,
  ReadFunction,
  RegisterDef,
  RegisterMap,
  StateValue,
  WordReader,
} from './types.ts'

/** What one register said. */
export type Reading =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'state'; readonly state: StateValue }
  | { readonly kind: 'problem'; readonly reason: DecodeProblem }

const problem = (reason: DecodeProblem): Reading => ({ kind: 'problem', reason })

export interface WordBlock {
  readonly function: ReadFunction
  /** Of the first word. */
  readonly address: number
  /** Registers, or bits as 0 and 1. */
  readonly words: ArrayLike<number>
}

/** Blocks that were read, as one; where they overlap, the first counts. */
export function readerOf(blocks: readonly WordBlock[]): WordReader {
  return (fn, address) => {
    for (const block of blocks) {
      const index = address - block.address
      if (block.function === fn && index >= 0 && index < block.words.length) return block.words[index]
    }
    return undefined
  }
}

/**
 * Registers to values in canonical units. `registers`: those that were meant to be read (all, when left out); the
 * scale factors they refer to must be in reach of `read` too.
 */
export function decodeRegisters(
  map: RegisterMap,
  read: WordReader,
  registers: readonly RegisterDef[] = map.registers,
): Decoded {
  return collect(registers, (register) => (register.place ? decodeRegister(map, register, read) : undefined))
}

/** Puts readings together; undefined is passed over in silence. */
export function collect(
  registers: readonly RegisterDef[],
  readingOf: (register: RegisterDef) => Reading | undefined,
): Decoded {
  const values: Record<string, number> = {}
  const states: Record<string, StateValue> = {}
  const problems: { key: string; reason: DecodeProblem }[] = []
  for (const register of registers) {
    const reading = readingOf(register)
    if (reading?.kind === 'problem') problems.push({ key: register.key, reason: reading.reason })
    else if (reading && register.metric !== null) {
      if (reading.kind === 'value') values[register.metric] = reading.value
      else states[register.metric] = reading.state
    }
  }
  return { values, states, problems }
}

/** One register of Modbus, with the scale factor it refers to. */
export function decodeRegister(map: RegisterMap, register: RegisterDef, read: WordReader): Reading {
  const bits = register.place ? readBits(register, register.place, read) : undefined
  if (!bits) return problem('not_read')
  if (isAbsentBits(register, bits)) return problem('not_available')
  if (register.type === 'string') return { kind: 'state', state: textOf(bits) }
  const raw = rawOf(register, bits)
  if (raw === undefined) return problem('not_representable')
  if (isAbsent(register, raw)) return problem('not_available')
  if (register.kind === 'state') return { kind: 'state', state: stateOf(register, raw) }
  if (register.scaleFactorRef === null) return measuredOf(register, raw, 0)
  const power = powerOf(map, register.scaleFactorRef, read)
  return power === undefined ? problem('scale_factor_missing') : measuredOf(register, raw, power)
}

/** The power of ten in a scale factor register; undefined when it is not there or no such power (SunSpec: -10 to 10). */
function powerOf(map: RegisterMap, key: string, read: WordReader): number | undefined {
  const register = map.byKey.get(key)
  const bits = register?.place ? readBits(register, register.place, read) : undefined
  if (!register || !bits || isAbsentBits(register, bits)) return undefined
  const power = Number(rawOf(register, bits))
  return Math.abs(power) <= SCALE_FACTOR_MAX ? power : undefined
}
const SCALE_FACTOR_MAX = 10

const isAbsentBits = ({ notAvailable }: RegisterDef, bits: Bits): boolean =>
  notAvailable.bits.length > 0 && notAvailable.bits.includes(hexOf(bits))

const isAbsent = ({ notAvailable }: RegisterDef, raw: Raw): boolean =>
  Number.isNaN(raw) || (notAvailable.numbers.length > 0 && notAvailable.numbers.includes(Number(raw)))

/** A raw number to the value that is stored, whichever way it came. */
export function measuredOf(register: RegisterDef, raw: Raw, power: number): Reading {
  const scaled = applyScale(raw, power === 0 ? register.scale : timesTen(register.scale, power))
  const value = roundTo(addOffset(scaled, register.offset), register.precision)
  if (!Number.isFinite(value)) return problem('not_a_number')
  const { min, max } = register
  if ((min !== null && value < min) || (max !== null && value > max)) return problem('out_of_range')
  return { kind: 'value', value }
}

/** A flag, a word, the words of the bits that are set, or the raw number where the map knows no word. */
export function stateOf({ type, bit, words }: RegisterDef, raw: Raw): StateValue {
  if (words === null) return type === 'bool' || bit !== null ? raw !== 0 : Number(raw)
  if (type === 'bitfield' && bit === null) return wordsOfBits(words, BigInt(raw))
  return words.get(Number(raw)) ?? Number(raw)
}

const wordsOfBits = (words: ReadonlyMap<number, string>, raw: bigint): string =>
  [...words]
    .filter(([bit]) => ((raw >> BigInt(bit)) & 1n) === 1n)
    .map(([, word]) => word)
    .join(', ')
