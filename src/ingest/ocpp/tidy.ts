import { OCPP_DEPTH_MAX } from '../../kernel/ocpp-limits.ts'

/** As much of a JSON schema as OCPP's use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
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

/**
 * What stations get wrong although one can tell what they mean: numbers written as text, null for "absent", times without
 * an offset (OCPP's are UTC), values of meters as numbers instead of text, registers with fractions of a Wh, NUL characters
 * as padding. Everything else stays as it was sent, for the schema to judge. What came is left alone: only where something
 * is to be changed, a copy is made, since most messages are right. Throws TooDeep.
 */
export const tidy = (root: Schema, payload: unknown): unknown => new Tidying(root).value(root, payload, 0)

class Tidying {
  readonly #root: Schema
  constructor(root: Schema) {
    this.#root = root
  }

  value(asked: Schema | undefined, value: unknown, depth: number): unknown {
    if (depth > OCPP_DEPTH_MAX) throw new TooDeep()
    const schema = this.#resolve(asked)
    if (typeof value === 'string') return tidyText(schema, value)
    if (Array.isArray(value)) return this.#array(schema?.items, value, depth)
    if (typeof value === 'object' && value !== null) return this.#object(schema, value, depth)
    return value
  }

  #array(schema: Schema | undefined, items: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | undefined
    for (const [index, item] of items.entries()) {
      const tidied = this.value(schema, item, depth + 1)
      if (tidied === item) continue
      copy ??= [...items]
      copy[index] = tidied
    }
    return copy ?? items
  }

  #object(schema: Schema | undefined, value: object, depth: number): object {
    let copy: Map<string, unknown> | undefined
    for (const key of Object.keys(value)) {
      const item = (value as Readonly<Record<string, unknown>>)[key]
      const tidied = this.#property(schema, key, item, depth)
      if (tidied === item) continue
      copy ??= new Map(Object.entries(value))
      if (item === null) copy.delete(key)
      else copy.set(key, tidied)
    }
    return copy ? Object.fromEntries(copy) : value
  }

  /** Undefined for one that means "absent". */
  #property(schema: Schema | undefined, key: string, item: unknown, depth: number): unknown {
    if (item === null) return undefined
    const own =
      schema?.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    // The value of a meter is text in OCPP 1.6, which nobody guesses.
    const isMeterValue = key === 'value' && typeof item === 'number' && own?.type === 'string'
    if (isMeterValue) return String(item)
    const tidied = this.value(own, item, depth + 1)
    return typeof tidied === 'number' && REGISTERS.has(key) ? Math.round(tidied) : tidied
  }

  #resolve(schema: Schema | undefined): Schema | undefined {
    const name = schema?.$ref?.startsWith(REF) ? schema.$ref.slice(REF.length) : undefined
    return name === undefined ? schema : this.#root.definitions?.[name]
  }
}

function tidyText(schema: Schema | undefined, text: string): unknown {
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
