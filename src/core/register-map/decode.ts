import { type Bits, decodeRaw, decodeText, type Raw, readBits, readWords, toHex } from './raw.ts'
import { addOffset, applyScale, roundTo, shiftExponent } from './scale.ts'
import type {
  Decoded,
  DecodeProblem,
  ReadFunction,
  RegisterDef,
  RegisterMap,
  StateValue,
  WordReader,
} from './types.ts'

/** The decoded result of one register. */
export type RegisterResult =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'state'; readonly state: StateValue }
  | { readonly kind: 'problem'; readonly reason: DecodeProblem }

const problem = (reason: DecodeProblem): RegisterResult => ({ kind: 'problem', reason })

export interface WordBlock {
  readonly function: ReadFunction
  /** Address of the first word. */
  readonly address: number
  /** Register words, or bits as 0 and 1. */
  readonly words: ArrayLike<number>
}

/** Combines blocks that were read into one reader; where blocks overlap, the first one counts. */
export function makeWordReader(blocks: readonly WordBlock[]): WordReader {
  return (fn, address) => {
    for (const block of blocks) {
      const index = address - block.address
      if (block.function === fn && index >= 0 && index < block.words.length) return block.words[index]
    }
    return undefined
  }
}

/**
 * Decodes register words to values in canonical units. `registers` are those that were requested (default:
 * all); `read` must also return the scale factor registers that they refer to.
 */
export function decodeRegisters(
  map: RegisterMap,
  read: WordReader,
  registers: readonly RegisterDef[] = map.registers,
): Decoded {
  return collectResults(registers, (register) =>
    register.modbusRange ? decodeRegister(map, register, read) : undefined,
  )
}

/** Collects the results of registers by metric; registers without a result are skipped. */
export function collectResults(
  registers: readonly RegisterDef[],
  decode: (register: RegisterDef) => RegisterResult | undefined,
): Decoded {
  const values: Record<string, number> = {}
  const states: Record<string, StateValue> = {}
  const problems: { key: string; reason: DecodeProblem }[] = []
  for (const register of registers) {
    const result = decode(register)
    if (result?.kind === 'problem') problems.push({ key: register.key, reason: result.reason })
    else if (result && register.metric !== null) {
      if (result.kind === 'value') values[register.metric] = result.value
      else states[register.metric] = result.state
    }
  }
  return { values, states, problems }
}

/** Decodes one Modbus register together with the scale factor that it refers to. */
export function decodeRegister(map: RegisterMap, register: RegisterDef, read: WordReader): RegisterResult {
  const range = register.modbusRange
  if (!range) return problem('not_read')
  const number = readWords(register, range, read)
  if (number !== undefined) return resultOf(map, register, { raw: number, read })
  const bits = readBits(register, range, read)
  if (!bits) return problem('not_read')
  if (isAbsentBits(register, bits)) return problem('not_available')
  if (register.type === 'string') return { kind: 'state', state: decodeText(bits) }
  const raw = decodeRaw(register, bits)
  return raw === undefined ? problem('not_representable') : resultOf(map, register, { raw, read })
}

function resultOf(
  map: RegisterMap,
  register: RegisterDef,
  { raw, read }: { readonly raw: Raw; readonly read: WordReader },
): RegisterResult {
  if (isAbsent(register, raw)) return problem('not_available')
  if (register.kind === 'state') return { kind: 'state', state: toState(register, raw) }
  if (register.scaleFactorRef === null) return toValue(register, raw, 0)
  const power = readScaleFactor(map, register.scaleFactorRef, read)
  return power === undefined ? problem('scale_factor_missing') : toValue(register, raw, power)
}

/**
 * The power of ten in a scale factor register. Undefined when it was not read or lies outside -10 to 10
 * (SunSpec).
 */
function readScaleFactor(map: RegisterMap, key: string, read: WordReader): number | undefined {
  const register = map.byKey.get(key)
  const bits = register?.modbusRange ? readBits(register, register.modbusRange, read) : undefined
  if (!register || !bits || isAbsentBits(register, bits)) return undefined
  const power = Number(decodeRaw(register, bits))
  return Math.abs(power) <= SCALE_FACTOR_MAX ? power : undefined
}
const SCALE_FACTOR_MAX = 10

const isAbsentBits = ({ notAvailable }: RegisterDef, bits: Bits): boolean =>
  notAvailable.bits.length > 0 && notAvailable.bits.includes(toHex(bits))

const isAbsent = ({ notAvailable }: RegisterDef, raw: Raw): boolean =>
  Number.isNaN(raw) || (notAvailable.numbers.length > 0 && notAvailable.numbers.includes(Number(raw)))

/**
 * Converts a raw number, from Modbus or a message, to the stored value: scale, offset, rounding and range
 * check.
 */
export function toValue(register: RegisterDef, raw: Raw, power: number): RegisterResult {
  const scaled = applyScale(raw, power === 0 ? register.scale : shiftExponent(register.scale, power))
  const value = roundTo(addOffset(scaled, register.offset), register.precision)
  if (!Number.isFinite(value)) return problem('not_a_number')
  const { min, max } = register
  if ((min !== null && value < min) || (max !== null && value > max)) return problem('out_of_range')
  return { kind: 'value', value }
}

/**
 * A boolean, an enum label, the labels of the set bits, or the raw number when the map has no label for it.
 */
export function toState({ type, bit, labels }: RegisterDef, raw: Raw): StateValue {
  if (labels === null) return type === 'bool' || bit !== null ? raw !== 0 : Number(raw)
  if (type === 'bitfield' && bit === null) return labelsOfBits(labels, BigInt(raw))
  return labels.get(Number(raw)) ?? Number(raw)
}

const labelsOfBits = (labels: ReadonlyMap<number, string>, raw: bigint): string =>
  [...labels]
    .filter(([bit]) => ((raw >> BigInt(bit)) & 1n) === 1n)
    .map(([, word]) => word)
    .join(', ')
