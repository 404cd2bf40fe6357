import { METRIC_NAME_MAX_LENGTH, SAMPLE_METRICS_MAX } from '../../../kernel/limits.ts'
import { GAUGES, isRegister, REGISTER_MAX, REGISTERS, VALUE_MAX } from '../../../kernel/metrics.ts'
import { isAnyInstant, parseAnyInstant } from '../../../kernel/time.ts'
import { type Refused, Undecodable } from './types.ts'

/** What a dialect's name means to us; its value times ten to the `exponent` is in the unit of kernel/metrics. */
export interface Meaning {
  readonly metric: string
  /** -3 for W and Wh; 0 when left out. */
  readonly exponent?: number
}
/** By the dialect's name; with a dot between the levels of nested objects. */
export type NameTable = Readonly<Record<string, Meaning>>

/** Our own names, for dialects that leave the names to whoever sets them up. */
export const OWN_NAMES: NameTable = Object.fromEntries(
  [...REGISTERS, ...GAUGES].map((metric) => [metric, { metric }]),
)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Epoch milliseconds, or text with a date, a time and an offset (without one: Turkish time). */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'number') return isAnyInstant(value) ? Math.round(value) : undefined
  return typeof value === 'string' ? parseAnyInstant(value)?.at : undefined
}

/** The payload as JSON; throws Undecodable `not_json`. */
export function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    throw new Undecodable('not_json', 'the payload is not JSON')
  }
}

/** The payload as a JSON object; throws Undecodable. */
export function parseObject(payload: Buffer): Record<string, unknown> {
  const json = parseJson(payload)
  if (!isRecord(json)) throw new Undecodable('wrong_shape', 'the payload is not a JSON object')
  return json
}

/** Deeper than any of the dialects nests its values. */
const DEPTH_MAX = 4

type Leaf = readonly [name: string, value: unknown]

/** The values of nested objects and arrays with their names, `ENERGY.Power.0`. Iterates at most to DEPTH_MAX. */
function* leavesOf(json: object, prefix = '', depth = 1): Generator<Leaf> {
  for (const [key, value] of Object.entries(json)) {
    const name = prefix + key
    if (typeof value !== 'object' || value === null) yield [name, value]
    else if (depth < DEPTH_MAX) yield* leavesOf(value, `${name}.`, depth + 1)
  }
}

const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * A number, or a switch as 1 and 0. Text is a state, which only a template can read, unless it spells a number under
 * a name that we know to be one.
 */
function numberIn(value: unknown, isKnown: boolean): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (isKnown && typeof value === 'string' && DECIMAL.test(value.trim())) return Number(value)
  return undefined
}

/** Moves the decimal point of the number as it prints: 612.4 W are 0.6124 kW, which no product with 0.001 gives. */
export function timesTen(value: number, exponent: number): number {
  if (exponent === 0) return value
  const [digits = '', power = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(power) + exponent}`)
}

const KNOWN: ReadonlySet<string> = new Set([...REGISTERS, ...GAUGES])
/** NUL and halves of characters, which no database takes, and a name that every object has. */
const UNSTORABLE = /\0|\p{Cs}|^__proto__$/u

/** Why a number cannot be stored under a name; undefined when it can. */
export function faultOf(metric: string, value: number): string | undefined {
  if (!KNOWN.has(metric)) {
    if (metric.length === 0 || metric.length > METRIC_NAME_MAX_LENGTH) {
      return `a name must have 1 to ${METRIC_NAME_MAX_LENGTH} characters`
    }
    if (UNSTORABLE.test(metric)) return 'this is no name that can be stored'
  }
  const max = isRegister(metric) ? REGISTER_MAX : VALUE_MAX
  return Math.abs(value) <= max ? undefined : 'the number is beyond what can be stored'
}

/** Collects the numbers of one reading; what cannot be stored is left out with its reason. */
export class ValueList {
  readonly #values = new Map<string, number>()
  readonly refused: Refused[] = []

  get size(): number {
    return this.#values.size
  }

  /** Takes a number under its final name. The first one of a name stays. */
  put(metric: string, value: number): void {
    if (this.#values.has(metric)) return
    const isFull = this.#values.size >= SAMPLE_METRICS_MAX
    const fault = isFull ? `a reading has at most ${SAMPLE_METRICS_MAX} values` : faultOf(metric, value)
    if (fault === undefined) this.#values.set(metric, value)
    else if (this.refused.length === 0 || !isFull) {
      this.refused.push({
        reason: 'bad_value',
        detail: `${metric.slice(0, METRIC_NAME_MAX_LENGTH)}: ${fault}`,
      })
    }
  }

  /** Takes a value of the wire: by the table when it names it, else under its own name. */
  take(name: string, value: unknown, table: NameTable): void {
    const meaning = Object.hasOwn(table, name) ? table[name] : undefined
    const number = numberIn(value, meaning !== undefined)
    if (number === undefined) return
    this.put(meaning?.metric ?? name, timesTen(number, meaning?.exponent ?? 0))
  }

  /** All values of an object, nested ones with dotted names; `skip` says which names mean nothing. */
  takeAll(json: object, table: NameTable, skip: (name: string) => boolean = () => false): void {
    for (const [name, value] of leavesOf(json)) if (!skip(name)) this.take(name, value, table)
  }

  toValues(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#values)
  }
}
