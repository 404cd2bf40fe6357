import { OCPP_DEPTH_MAX, OCPP_UNKNOWN_NAMES_MAX } from './limits.ts'

/** As much of a JSON schema as OCPP's use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly definitions?: Readonly<Record<string, Schema>>
}

const NUMERIC = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const NO_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?$/
/** In whole Wh. A fraction of one is no reason to lose a session. */
const REGISTERS: ReadonlySet<string> = new Set(['meterStart', 'meterStop'])
const REF = '#/definitions/'

/** Deeper than any message means anything. */
export class TooDeep extends Error {}

export interface NormalizedPayload {
  readonly value: unknown
  /** Properties that the schema does not know and that were left out, by their places without array indexes; some. */
  readonly unknown: readonly string[]
}

/**
 * What stations get wrong although one can tell what they mean: numbers written as text, null for "absent", times without
 * an offset (OCPP's are UTC), values of meters as numbers instead of text, registers with fractions of a Wh, NUL characters
 * as padding; and properties of their maker's own, which are left out. Everything else stays as it was sent, for the
 * schema to judge. What came is left alone: only where something is to be changed, a copy is made, since most messages
 * are right. Throws TooDeep.
 */
export function normalizePayload(root: Schema, payload: unknown): NormalizedPayload {
  const normalizer = new Normalizer(root)
  const value = normalizer.value(root, payload, 0)
  return { value, unknown: [...normalizer.unknown] }
}

const NAME_NOTED_MAX = 50

class Normalizer {
  readonly unknown = new Set<string>()
  readonly #root: Schema
  readonly #path: string[] = []
  constructor(root: Schema) {
    this.#root = root
  }

  value(declared: Schema | undefined, value: unknown, depth: number): unknown {
    if (depth > OCPP_DEPTH_MAX) throw new TooDeep()
    const schema = this.#resolve(declared)
    if (typeof value === 'string') return normalizeText(schema, value)
    if (Array.isArray(value)) return this.#array(schema?.items, value, depth)
    if (typeof value === 'object' && value !== null) return this.#object(schema, value, depth)
    return value
  }

  #array(schema: Schema | undefined, items: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | undefined
    for (const [index, item] of items.entries()) {
      const normalized = this.value(schema, item, depth + 1)
      if (normalized === item) continue
      copy ??= [...items]
      copy[index] = normalized
    }
    return copy ?? items
  }

  #object(schema: Schema | undefined, value: object, depth: number): object {
    let copy: Map<string, unknown> | undefined
    for (const key of Object.keys(value)) {
      const item = (value as Readonly<Record<string, unknown>>)[key]
      const normalized = this.#property(schema, key, item, depth)
      if (normalized === item) continue
      copy ??= new Map(Object.entries(value))
      if (normalized === undefined) copy.delete(key)
      else copy.set(key, normalized)
    }
    return copy ? Object.fromEntries(copy) : value
  }

  /** Undefined for one that means "absent", and for one that is not of OCPP. */
  #property(schema: Schema | undefined, key: string, item: unknown, depth: number): unknown {
    if (item === null) return undefined
    const isKnown = schema?.properties !== undefined && Object.hasOwn(schema.properties, key)
    if (!isKnown && schema?.additionalProperties === false) return this.#drop(key)
    const own = isKnown ? schema.properties?.[key] : undefined
    // The value of a meter is text in OCPP 1.6, which nobody guesses.
    const isMeterValue = key === 'value' && typeof item === 'number' && own?.type === 'string'
    if (isMeterValue) return String(item)
    this.#path.push(key)
    const normalized = this.value(own, item, depth + 1)
    this.#path.pop()
    return typeof normalized === 'number' && REGISTERS.has(key) ? Math.round(normalized) : normalized
  }

  #drop(key: string): undefined {
    if (this.unknown.size >= OCPP_UNKNOWN_NAMES_MAX) return
    this.unknown.add([...this.#path, storable(key.slice(0, NAME_NOTED_MAX))].join('.'))
  }

  #resolve(schema: Schema | undefined): Schema | undefined {
    const name = schema?.$ref?.startsWith(REF) ? schema.$ref.slice(REF.length) : undefined
    return name === undefined ? schema : this.#root.definitions?.[name]
  }
}

function normalizeText(schema: Schema | undefined, text: string): unknown {
  if (schema?.type === 'integer' || schema?.type === 'number') {
    const trimmed = text.trim()
    return NUMERIC.test(trimmed) ? Number(trimmed) : storable(text)
  }
  if (schema?.format !== 'date-time') return storable(text)
  const trimmed = text.trim()
  return NO_OFFSET.test(trimmed) ? `${trimmed.replace(',', '.')}Z` : trimmed
}

const UNSTORABLE = /[\0\p{Surrogate}]/u

/** Without what PostgreSQL cannot keep: NUL characters, and half ones. */
export const storable = (text: string): string =>
  UNSTORABLE.test(text) ? text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd') : text
