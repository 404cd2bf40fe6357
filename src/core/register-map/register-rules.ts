import { GAUGES, isRegister } from '../../kernel/metrics.ts'
import type { RegisterDocument } from './document.ts'
import { parseMqttPath } from './mqtt-path.ts'
import { BITWISE_TYPES, NARROW_TYPES, REGISTER_COUNTS } from './register-types.ts'
import { parseScale } from './scale.ts'
import { canonicalUnit } from './units.ts'

/** An invalid attribute of a register and the message about it. */
export type RegisterFault = readonly [attribute: keyof RegisterDocument, msg: string]
type Rule = (register: RegisterDocument) => RegisterFault | undefined

const READ_FUNCTIONS = [1, 2, 3, 4]
const WRITE_FUNCTIONS = [5, 6, 15, 16]
const ADDRESSES = 65_536
const FLOATS: ReadonlySet<string> = new Set(['f32', 'f64'])
const gauges: ReadonlySet<string> = new Set(GAUGES)

/** Number of registers that a register definition occupies; a single bit counts as one. */
export const countOf = ({ count, type }: RegisterDocument): number => count ?? REGISTER_COUNTS[type][0] ?? 1
const isBitFunction = (fn: number | null): boolean => fn === 1 || fn === 2 || fn === 5 || fn === 15
const bitsOf = (register: RegisterDocument): number =>
  isBitFunction(register.function) ? 1 : countOf(register) * 16
const isWriteOnly = ({ access }: RegisterDocument): boolean => access === 'w'

const ADDRESS_RULES: readonly Rule[] = [
  ({ address, mqtt_path }) =>
    address === null && mqtt_path === null
      ? ['address', 'is missing, and so is mqtt_path: nothing can be read']
      : undefined,
  ({ address, function: fn }) =>
    address !== null && fn === null ? ['function', 'is missing beside an address'] : undefined,
  ({ address, function: fn }) =>
    address === null && fn !== null ? ['function', 'has no meaning without an address'] : undefined,
  (register) => {
    const { function: fn } = register
    if (fn === null) return undefined
    const allowed = isWriteOnly(register) ? WRITE_FUNCTIONS : READ_FUNCTIONS
    return allowed.includes(fn)
      ? undefined
      : ['function', `must be one of ${allowed.join(', ')} where access is ${register.access}`]
  },
  (register) => {
    const { address } = register
    if (address === null || address + countOf(register) <= ADDRESSES) return undefined
    return ['address', 'reaches beyond the last register, 65535']
  },
  ({ function: fn, type, count }) => {
    if (isBitFunction(fn)) {
      if (type !== 'bool') return ['type', 'must be bool where the function reads or writes single bits']
      return (count ?? 1) === 1 ? undefined : ['count', 'must be 1 for a single bit']
    }
    if (type === 'string')
      return count === null && fn !== null ? ['count', 'is missing for a string'] : undefined
    const fitting = REGISTER_COUNTS[type]
    return count === null || fitting.includes(count)
      ? undefined
      : ['count', `must be ${fitting.join(' or ')} for ${type}`]
  },
  ({ mqtt_path }) =>
    mqtt_path !== null && !parseMqttPath(mqtt_path)
      ? ['mqtt_path', 'must be a path such as $.ENERGY.Total or $.Power[0]']
      : undefined,
]

const KIND_RULES: readonly Rule[] = [
  ({ type, kind }) =>
    type === 'string' && kind !== 'state' ? ['kind', 'must be state for a string'] : undefined,
  ({ type, kind, bit, mask }) =>
    kind !== 'state' && (type === 'enum' || type === 'bitfield') && bit === null && mask === null
      ? ['kind', `must be state for ${type}`]
      : undefined,
  ({ type, kind }) =>
    type === 'bool' && (kind === 'cumulative_counter' || kind === 'interval_delta')
      ? ['kind', 'must be state or gauge for bool']
      : undefined,
  ({ metric, kind }) => {
    if (metric === null) return undefined
    if (isRegister(metric) && kind !== 'cumulative_counter' && kind !== 'interval_delta')
      return ['kind', `must be cumulative_counter (or interval_delta) for ${metric}`]
    return gauges.has(metric) && kind !== 'gauge' ? ['kind', `must be gauge for ${metric}`] : undefined
  },
  ({ kind, counter_max, reset_policy }) =>
    kind !== 'cumulative_counter' && (counter_max !== null || reset_policy !== 'detect')
      ? ['counter_max', 'and reset_policy belong to a cumulative_counter']
      : undefined,
  ({ counter_max, reset_policy }) =>
    reset_policy === 'wrap' && counter_max === null
      ? ['counter_max', 'is missing: where does a counter that wraps begin again?']
      : undefined,
  ({ counter_max }) => (counter_max === 0 ? ['counter_max', 'must be > 0'] : undefined),
  ({ kind, type, reset_policy, address }) =>
    kind === 'cumulative_counter' && address !== null && NARROW_TYPES.has(type) && reset_policy !== 'wrap'
      ? ['reset_policy', `must be wrap, with counter_max: a counter in ${type} soon begins again`]
      : undefined,
  ({ kind, scale }) =>
    kind === 'cumulative_counter' && scale < 0 ? ['scale', 'must be positive for a counter'] : undefined,
]

const VALUE_RULES: readonly Rule[] = [
  ({ scale }) => (scale === 0 ? ['scale', 'must not be 0'] : undefined),
  ({ scale }) => (parseScale(scale) ? undefined : ['scale', 'must not have more than 15 digits']),
  ({ kind, scale, offset, unit, scale_factor_ref }) =>
    kind === 'state' && (scale !== 1 || offset !== 0 || unit !== null || scale_factor_ref !== null)
      ? ['scale', 'offset, unit and scale_factor_ref have no meaning for a state']
      : undefined,
  ({ metric, unit }) => {
    if (canonicalUnit(metric, unit)) return undefined
    return ['unit', `${unit} is no unit of ${metric}, which is kept in ${canonicalUnit(metric, null)?.unit}`]
  },
  ({ min, max }) => (min !== null && max !== null && min > max ? ['min', 'must be <= max'] : undefined),
  ({ type, bit, mask }) =>
    (bit !== null || mask !== null) && !BITWISE_TYPES.has(type)
      ? [bit === null ? 'mask' : 'bit', `has no meaning for ${type}`]
      : undefined,
  ({ bit, mask }) => (bit !== null && mask !== null ? ['bit', 'and mask exclude each other'] : undefined),
  (register) => {
    const { bit, mask } = register
    const bits = bitsOf(register)
    if (bit !== null && bit >= bits) return ['bit', `must be < ${bits}`]
    return mask !== null && BigInt(mask) >= 1n << BigInt(bits)
      ? ['mask', `has more than ${bits} bits`]
      : undefined
  },
  ({ enum: labels, type, bit, mask }) =>
    labels && !['bool', 'enum', 'bitfield'].includes(type) && bit === null && mask === null
      ? ['enum', `has no meaning for ${type}`]
      : undefined,
  ({ enum: labels, kind }) => (labels && kind !== 'state' ? ['enum', 'belongs to a state'] : undefined),
  (register) => {
    const hex = register.na_values.filter((value) => typeof value === 'string')
    if (hex.includes('nan') && !FLOATS.has(register.type)) return ['na_values', 'nan belongs to f32 and f64']
    const digits = bitsOf(register) / 4
    const wrong = hex.find((value) => value !== 'nan' && value.length - 2 !== digits)
    return wrong === undefined || register.type === 'string'
      ? undefined
      : ['na_values', `${wrong} must have ${digits} hex digits, like the register`]
  },
]

const RULES: readonly Rule[] = [...ADDRESS_RULES, ...KIND_RULES, ...VALUE_RULES]

/** Checks a register by itself and returns all faults. */
export const checkRegister = (register: RegisterDocument): RegisterFault[] =>
  RULES.flatMap((rule) => {
    const fault = rule(register)
    return fault ? [fault] : []
  })
