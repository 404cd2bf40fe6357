import { isRecord } from '../../../kernel/checked.ts'
import { METRIC_NAME_MAX_LENGTH, SAMPLE_METRICS_MAX } from '../../../kernel/limits.ts'
import { GAUGES, isRegister, REGISTER_MAX, REGISTERS, VALUE_MAX } from '../../../kernel/metrics.ts'
import { type Refused, Undecodable } from './types.ts'

/**
 * The metric behind a dialect's name; the value times ten to the `exponent` is in the unit of
 * kernel/metrics.
 */
export interface MetricMapping {
  readonly metric: string
  /** -3 for W and Wh; 0 when left out. */
  readonly exponent?: number
}
/** Mappings by the dialect's name; levels of nested objects are separated by dots. */
export type NameTable = Readonly<Record<string, MetricMapping>>

/** The names of kernel/metrics, for dialects without names of their own. */
export const OWN_NAMES: NameTable = Object.fromEntries(
  [...REGISTERS, ...GAUGES].map((metric) => [metric, { metric }]),
)

/** Parses the payload as JSON; throws Undecodable `not_json`. */
export function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    throw new Undecodable('not_json', 'the payload is not JSON')
  }
}

/** Parses the payload as a JSON object; throws Undecodable. */
export function parseObject(payload: Buffer): Record<string, unknown> {
  const json = parseJson(payload)
  if (!isRecord(json)) throw new Undecodable('wrong_shape', 'the payload is not a JSON object')
  return json
}

/** Levels of nested values that are read; no dialect nests deeper. */
const DEPTH_MAX = 4

type NamedValue = readonly [name: string, value: unknown]

/**
 * The values of nested objects and arrays with their names, `ENERGY.Power.0`. Iterates at most to
 * DEPTH_MAX.
 */
function* listValues(json: object, prefix = '', depth = 1): Generator<NamedValue> {
  for (const [key, value] of Object.entries(json)) {
    const name = prefix + key
    if (typeof value !== 'object' || value === null) yield [name, value]
    else if (depth < DEPTH_MAX) yield* listValues(value, `${name}.`, depth + 1)
  }
}

const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

const isDecimal = (text: string): boolean => DECIMAL.test(text.trim())

/**
 * Converts a number, or a boolean to 1 or 0. Text is a state, which only a template can read, unless it is
 * a decimal number under a known name.
 */
function toNumber(value: unknown, isKnown: boolean): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (isKnown && typeof value === 'string' && isDecimal(value)) return Number(value)
  return undefined
}

const DECIMALS_USUAL = 3
/** Every decimal of fewer digits than this has a double of its own. */
const DIGITS_EXACT = 1e15
/** Powers of ten up to this one are exact. */
const EXPONENT_EXACT = 15

/**
 * Shifts the decimal point of the number's text: 612.4 W are 0.6124 kW, which a multiplication by 0.001
 * does not yield.
 */
export function scaleByPowerOfTen(value: number, exponent: number): number {
  if (exponent === 0) return value
  // The digits of a number with few decimals are a whole number of up to 15 digits, so one division rounds only once.
  for (let decimals = 0; decimals <= DECIMALS_USUAL && exponent < 0; decimals++) {
    const digits = Math.round(value * 10 ** decimals)
    if (Math.abs(digits) >= DIGITS_EXACT || decimals - exponent > EXPONENT_EXACT) break
    if (digits / 10 ** decimals === value) return digits / 10 ** (decimals - exponent) + 0
  }
  const [digits = '', power = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(power) + exponent}`)
}

const KNOWN_METRICS: ReadonlySet<string> = new Set([...REGISTERS, ...GAUGES])
/** NUL and lone surrogates, which PostgreSQL rejects, and a name that every object has. */
const UNSTORABLE = /\0|\p{Cs}|^__proto__$/u

/** The reason why a number cannot be stored under a name; undefined when it can. */
export function findValueProblem(metric: string, value: number): string | undefined {
  if (!KNOWN_METRICS.has(metric)) {
    if (metric.length === 0 || metric.length > METRIC_NAME_MAX_LENGTH) {
      return `a name must have 1 to ${METRIC_NAME_MAX_LENGTH} characters`
    }
    if (UNSTORABLE.test(metric)) return 'this is no name that can be stored'
  }
  const max = isRegister(metric) ? REGISTER_MAX : VALUE_MAX
  return Math.abs(value) <= max ? undefined : 'the number is beyond what can be stored'
}

/** Collects the values of one reading; values that cannot be stored are refused with a reason. */
export class ValueCollector {
  readonly #values = new Map<string, number>()
  readonly refused: Refused[] = []

  get size(): number {
    return this.#values.size
  }

  /** Adds a number under its final name. The first value of a name wins. */
  add(metric: string, value: number): void {
    if (this.#values.has(metric)) return
    const isFull = this.#values.size >= SAMPLE_METRICS_MAX
    const problem = isFull
      ? `a reading has at most ${SAMPLE_METRICS_MAX} values`
      : findValueProblem(metric, value)
    if (problem === undefined) this.#values.set(metric, value)
    else if (this.refused.length === 0 || !isFull) {
      this.refused.push({
        reason: 'bad_value',
        detail: `${metric.slice(0, METRIC_NAME_MAX_LENGTH)}: ${problem}`,
      })
    }
  }

  /** Adds a value as received: mapped by the table, else under its own name. */
  addMapped(name: string, value: unknown, table: NameTable): void {
    const mapping = Object.hasOwn(table, name) ? table[name] : undefined
    const number = toNumber(value, mapping !== undefined)
    if (number === undefined) return
    this.add(mapping?.metric ?? name, scaleByPowerOfTen(number, mapping?.exponent ?? 0))
  }

  /** Adds all values of an object, nested ones with dotted names, except those that `skip` selects. */
  addAll(json: object, table: NameTable, skip: (name: string) => boolean = () => false): void {
    for (const [name, value] of listValues(json)) if (!skip(name)) this.addMapped(name, value, table)
  }

  /** Refuses texts under names of the table that are no decimal numbers. */
  refuseTexts(json: Readonly<Record<string, unknown>>, table: NameTable): void {
    for (const name in json) {
      const value = json[name]
      if (typeof value !== 'string' || !Object.hasOwn(table, name) || isDecimal(value)) continue
      const detail = `${name}: the text "${value.slice(0, 50)}" is no decimal number`
      this.refused.push({ reason: 'bad_value', detail })
    }
  }

  toValues(): Readonly<Record<string, number>> {
    // Several times as fast as Object.fromEntries. No name is that of a property of every object.
    const values: Record<string, number> = {}
    for (const [metric, value] of this.#values) values[metric] = value
    return values
  }
}
