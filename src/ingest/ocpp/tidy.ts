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
const REF = '#/definitions/'

/** Deeper than any message means anything. */
export class TooDeep extends Error {}

/**
 * What stations get wrong although one can tell what they mean: numbers written as text, null for "absent", times without
 * an offset (OCPP's are UTC), values of meters as numbers instead of text, NUL characters as padding. Everything else
 * stays as it was sent, for the schema to judge. Returns a copy; throws TooDeep.
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
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(schema?.items, item, depth + 1))
    if (typeof value === 'object' && value !== null) return this.#object(schema, value, depth)
    return value
  }

  #object(schema: Schema | undefined, value: object, depth: number): object {
    const entries = Object.entries(value).filter(([, item]) => item !== null)
    return Object.fromEntries(
      entries.map(([key, item]: [string, unknown]) => {
        const own =
          schema?.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
        // The value of a meter is text in OCPP 1.6, which nobody guesses.
        const isMeterValue = key === 'value' && typeof item === 'number' && own?.type === 'string'
        return [key, isMeterValue ? String(item) : this.value(own, item, depth + 1)]
      }),
    )
  }

  #resolve(schema: Schema | undefined): Schema | undefined {
    const name = schema?.$ref?.startsWith(REF) ? schema.$ref.slice(REF.length) : undefined
    return name === undefined ? schema : this.#root.definitions?.[name]
  }
}

function tidyText(schema: Schema | undefined, text: string): unknown {
  const trimmed = text.trim()
  if ((schema?.type === 'integer' || schema?.type === 'number') && NUMERIC.test(trimmed))
    return Number(trimmed)
  if (schema?.format === 'date-time')
    return NO_OFFSET.test(trimmed) ? `${trimmed.replace(',', '.')}Z` : trimmed
  return storable(text)
}

/** Without what PostgreSQL cannot keep: NUL characters, and half ones. */
export const storable = (text: string): string =>
  text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd')
