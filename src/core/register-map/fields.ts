import { isRecord } from '../../kernel/checked.ts'
import type { Message } from '../../kernel/messages.ts'
import { VALUE_FAULTS } from './messages.ts'

/** A validation error; `path` leads from the root of the document to the invalid value. */
export interface Fault {
  readonly path: Path
  /** What is wrong; the edge composes its text. */
  readonly content: Message
  readonly type: string
  /** Expected and actual value, for a golden frame. */
  readonly expected?: unknown
  readonly actual?: unknown
}
export type Path = readonly (string | number)[]

/** Converts a value to its canonical form, or returns the requirement that it fails. */
export type ReadValue = (value: unknown) => { readonly value: unknown } | { readonly must: Message }

/** The type of a field's value. */
export interface ValueKind {
  /** Representation in a CSV cell: `json` is JSON text, `list` has its items separated by blanks. */
  readonly cell: 'text' | 'number' | 'flag' | 'list' | 'json'
  readonly read: ReadValue
  /** JSON Schema for the API description. */
  readonly schema: object
}

export interface Field extends ValueKind {
  readonly name: string
  /** Value used when the field is absent or null. A field without it is required. */
  readonly fallback?: unknown
  /** Description in the API. */
  readonly description: string
}

const refuse = (what: Message) => ({ must: what })

export const text = (maxLength: number, pattern?: RegExp, form?: Message): ValueKind => ({
  cell: 'text',
  schema: { type: 'string', minLength: 1, maxLength, ...(pattern && { pattern: pattern.source }) },
  read: (value) => {
    if (typeof value !== 'string') return refuse(VALUE_FAULTS.MAP_NOT_STRING())
    if (value.length === 0 || value.length > maxLength)
      return refuse(VALUE_FAULTS.MAP_TEXT_LENGTH({ max: maxLength }))
    return pattern && !pattern.test(value)
      ? refuse(form ?? VALUE_FAULTS.MAP_TEXT_PATTERN({ pattern: pattern.source }))
      : { value }
  },
})

const readNumber = (value: unknown, min: number, max: number) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuse(VALUE_FAULTS.MAP_NOT_FINITE())
  if (value < min) return refuse(VALUE_FAULTS.MAP_TOO_LOW({ min }))
  return value > max ? refuse(VALUE_FAULTS.MAP_TOO_HIGH({ max })) : { value: value + 0 }
}

export const number = (min = -Infinity): ValueKind => ({
  cell: 'number',
  schema: { type: 'number', ...(Number.isFinite(min) && { minimum: min }) },
  read: (value) => readNumber(value, min, Infinity),
})

export const integer = (min: number, max: number): ValueKind => ({
  cell: 'number',
  schema: { type: 'integer', minimum: min, maximum: max },
  read: (value) =>
    typeof value === 'number' && !Number.isInteger(value)
      ? refuse(VALUE_FAULTS.MAP_NOT_INTEGER())
      : readNumber(value, min, max),
})

export const boolean: ValueKind = {
  cell: 'flag',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? { value } : refuse(VALUE_FAULTS.MAP_NOT_BOOLEAN())),
}

/** One of a fixed set of values; `aliases` maps other spellings to them. */
export const oneOf = (
  words: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): ValueKind => ({
  cell: 'text',
  schema: { type: 'string', enum: [...words] },
  read: (value) => {
    if (typeof value !== 'string') return refuse(VALUE_FAULTS.MAP_NOT_STRING())
    const alias = value.toLowerCase()
    const meant = words.includes(value) ? value : Object.hasOwn(aliases, alias) ? aliases[alias] : undefined
    return meant === undefined ? refuse(VALUE_FAULTS.MAP_NOT_ONE_OF({ allowed: words })) : { value: meant }
  },
})

/**
 * Reads an object by its field definitions. The result has every field, in the order of the list. Faults are
 * added to `faults`; an unknown field is a fault because it may be a misspelled one.
 */
export function readFields(
  value: unknown,
  fields: readonly Field[],
  { path, faults }: { readonly path: Path; readonly faults: Fault[] },
): Record<string, unknown> {
  if (!isRecord(value)) {
    faults.push({ path, content: VALUE_FAULTS.MAP_NOT_OBJECT(), type: 'type' })
    return {}
  }
  const known = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(value))
    if (!known.has(name))
      faults.push({
        path: [...path, name],
        content: VALUE_FAULTS.MAP_FIELD_UNKNOWN(),
        type: 'additionalProperties',
      })
  return Object.fromEntries(
    fields.map((field) => [field.name, readField(field, value[field.name], { path, faults })]),
  )
}

function readField(
  field: Field,
  value: unknown,
  { path, faults }: { readonly path: Path; readonly faults: Fault[] },
): unknown {
  const at = [...path, field.name]
  if (value === undefined || value === null) {
    if ('fallback' in field) return field.fallback
    faults.push({ path: at, content: VALUE_FAULTS.MAP_FIELD_MISSING({ name: field.name }), type: 'missing' })
    return null
  }
  const result = field.read(value)
  if ('value' in result) return result.value
  faults.push({ path: at, content: result.must, type: 'value_error' })
  return null
}
