import type { Message, Parameter } from '../../kernel/messages.ts'
import { GAUGES, isRegister } from '../../kernel/metrics.ts'
import type { RegisterDocument } from './document.ts'
import { REGISTER_FAULTS } from './messages.ts'
import { parseMqttPath } from './mqtt-path.ts'
import { BITWISE_TYPES, NARROW_TYPES, REGISTER_COUNTS } from './register-types.ts'
import { parseScale } from './scale.ts'
import { canonicalUnit } from './units.ts'

/** An invalid attribute of a register and the message about it. */
export type RegisterFault = readonly [attribute: keyof RegisterDocument, content: Message]
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

/** `1 or 2` */
const alternatives = ([first = 0, ...others]: readonly number[]): Parameter =>
  others.reduce<Parameter>((before, last) => REGISTER_FAULTS.MAP_EITHER({ first: before, last }), first)

const ADDRESS_RULES: readonly Rule[] = [
  ({ address, mqtt_path }) =>
    address === null && mqtt_path === null ? ['address', REGISTER_FAULTS.MAP_NOTHING_READ()] : undefined,
  ({ address, function: fn }) =>
    address !== null && fn === null ? ['function', REGISTER_FAULTS.MAP_FUNCTION_MISSING()] : undefined,
  ({ address, function: fn }) =>
    address === null && fn !== null ? ['function', REGISTER_FAULTS.MAP_NEEDS_ADDRESS()] : undefined,
  (register) => {
    const { function: fn } = register
    if (fn === null) return undefined
    const allowed = isWriteOnly(register) ? WRITE_FUNCTIONS : READ_FUNCTIONS
    return allowed.includes(fn)
      ? undefined
      : [
          'function',
          REGISTER_FAULTS.MAP_FUNCTION_ACCESS({ allowed: allowed.map(String), access: register.access }),
        ]
  },
  (register) => {
    const { address } = register
    if (address === null || address + countOf(register) <= ADDRESSES) return undefined
    return ['address', REGISTER_FAULTS.MAP_ADDRESS_BEYOND()]
  },
  ({ function: fn, type, count }) => {
    if (isBitFunction(fn)) {
      if (type !== 'bool') return ['type', REGISTER_FAULTS.MAP_BIT_TYPE()]
      return (count ?? 1) === 1 ? undefined : ['count', REGISTER_FAULTS.MAP_BIT_COUNT()]
    }
    if (type === 'string')
      return count === null && fn !== null ? ['count', REGISTER_FAULTS.MAP_STRING_COUNT()] : undefined
    const fitting = REGISTER_COUNTS[type]
    return count === null || fitting.includes(count)
      ? undefined
      : ['count', REGISTER_FAULTS.MAP_COUNT_OF_TYPE({ counts: alternatives(fitting), type })]
  },
  ({ mqtt_path }) =>
    mqtt_path !== null && !parseMqttPath(mqtt_path)
      ? ['mqtt_path', REGISTER_FAULTS.MAP_PATH_FORM()]
      : undefined,
]

const KIND_RULES: readonly Rule[] = [
  ({ type, kind }) =>
    type === 'string' && kind !== 'state' ? ['kind', REGISTER_FAULTS.MAP_KIND_STATE_STRING()] : undefined,
  ({ type, kind, bit, mask }) =>
    kind !== 'state' && (type === 'enum' || type === 'bitfield') && bit === null && mask === null
      ? ['kind', REGISTER_FAULTS.MAP_KIND_STATE({ type })]
      : undefined,
  ({ type, kind }) =>
    type === 'bool' && (kind === 'cumulative_counter' || kind === 'interval_delta')
      ? ['kind', REGISTER_FAULTS.MAP_KIND_BOOL()]
      : undefined,
  ({ metric, kind }) => {
    if (metric === null) return undefined
    if (isRegister(metric) && kind !== 'cumulative_counter' && kind !== 'interval_delta')
      return ['kind', REGISTER_FAULTS.MAP_KIND_COUNTER({ metric })]
    return gauges.has(metric) && kind !== 'gauge'
      ? ['kind', REGISTER_FAULTS.MAP_KIND_GAUGE({ metric })]
      : undefined
  },
  ({ kind, counter_max, reset_policy }) =>
    kind !== 'cumulative_counter' && (counter_max !== null || reset_policy !== 'detect')
      ? ['counter_max', REGISTER_FAULTS.MAP_COUNTER_ONLY()]
      : undefined,
  ({ counter_max, reset_policy }) =>
    reset_policy === 'wrap' && counter_max === null
      ? ['counter_max', REGISTER_FAULTS.MAP_COUNTER_MAX_MISSING()]
      : undefined,
  ({ counter_max }) => (counter_max === 0 ? ['counter_max', REGISTER_FAULTS.MAP_NOT_POSITIVE()] : undefined),
  ({ kind, type, reset_policy, address }) =>
    kind === 'cumulative_counter' && address !== null && NARROW_TYPES.has(type) && reset_policy !== 'wrap'
      ? ['reset_policy', REGISTER_FAULTS.MAP_COUNTER_NARROW({ type })]
      : undefined,
  ({ kind, scale }) =>
    kind === 'cumulative_counter' && scale < 0 ? ['scale', REGISTER_FAULTS.MAP_SCALE_NEGATIVE()] : undefined,
]

const VALUE_RULES: readonly Rule[] = [
  ({ scale }) => (scale === 0 ? ['scale', REGISTER_FAULTS.MAP_SCALE_ZERO()] : undefined),
  ({ scale }) => (parseScale(scale) ? undefined : ['scale', REGISTER_FAULTS.MAP_SCALE_DIGITS()]),
  ({ kind, scale, offset, unit, scale_factor_ref }) =>
    kind === 'state' && (scale !== 1 || offset !== 0 || unit !== null || scale_factor_ref !== null)
      ? ['scale', REGISTER_FAULTS.MAP_STATE_SCALED()]
      : undefined,
  ({ metric, unit }) => {
    if (canonicalUnit(metric, unit)) return undefined
    const expected = canonicalUnit(metric, null)?.unit ?? null
    return ['unit', REGISTER_FAULTS.MAP_UNIT_OF_METRIC({ unit, metric, expected })]
  },
  ({ min, max }) =>
    min !== null && max !== null && min > max ? ['min', REGISTER_FAULTS.MAP_MIN_ABOVE_MAX()] : undefined,
  ({ type, bit, mask }) =>
    (bit !== null || mask !== null) && !BITWISE_TYPES.has(type)
      ? [bit === null ? 'mask' : 'bit', REGISTER_FAULTS.MAP_MEANINGLESS({ type })]
      : undefined,
  ({ bit, mask }) =>
    bit !== null && mask !== null ? ['bit', REGISTER_FAULTS.MAP_BIT_AND_MASK()] : undefined,
  (register) => {
    const { bit, mask } = register
    const bits = bitsOf(register)
    if (bit !== null && bit >= bits) return ['bit', REGISTER_FAULTS.MAP_BIT_BEYOND({ bits })]
    return mask !== null && BigInt(mask) >= 1n << BigInt(bits)
      ? ['mask', REGISTER_FAULTS.MAP_MASK_WIDE({ bits })]
      : undefined
  },
  ({ enum: labels, type, bit, mask }) =>
    labels && !['bool', 'enum', 'bitfield'].includes(type) && bit === null && mask === null
      ? ['enum', REGISTER_FAULTS.MAP_MEANINGLESS({ type })]
      : undefined,
  ({ enum: labels, kind }) =>
    labels && kind !== 'state' ? ['enum', REGISTER_FAULTS.MAP_LABELS_OF_STATE()] : undefined,
  (register) => {
    const hex = register.na_values.filter((value) => typeof value === 'string')
    if (hex.includes('nan') && !FLOATS.has(register.type))
      return ['na_values', REGISTER_FAULTS.MAP_NAN_TYPE()]
    const digits = bitsOf(register) / 4
    const wrong = hex.find((value) => value !== 'nan' && value.length - 2 !== digits)
    return wrong === undefined || register.type === 'string'
      ? undefined
      : ['na_values', REGISTER_FAULTS.MAP_NA_DIGITS({ value: wrong, digits })]
  },
]

const RULES: readonly Rule[] = [...ADDRESS_RULES, ...KIND_RULES, ...VALUE_RULES]

/** Checks a register by itself and returns all faults. */
export const checkRegister = (register: RegisterDocument): RegisterFault[] =>
  RULES.flatMap((rule) => {
    const fault = rule(register)
    return fault ? [fault] : []
  })
