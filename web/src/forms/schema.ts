/**
 * JSON schemas of request bodies as forms need them: the kind of control of each field, and the conversion between the
 * texts of the controls and the values of the API.
 */
import { TURKEY_OFFSET_MS } from '../../../src/kernel/time.ts'

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: unknown
  /** The fields that each value of one of the fields has. */
  readonly 'x-variants'?: {
    readonly field: string
    readonly fields: Readonly<Record<string, Variant | undefined>>
  }
}
interface Variant {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
}

/** Texts of the controls by the names of the fields; empty where there is no value. */
export type FieldValues = Readonly<Record<string, string>>

export type Kind =
  | 'choice'
  | 'boolean'
  | 'number'
  | 'decimal'
  | 'date'
  | 'instant'
  | 'month'
  | 'time'
  | 'choices'
  | 'list'
  | 'text'
  | 'longText'
  | 'json'

/** The pattern of a time of day in the schemas of the service. 24:00 is none, and is entered as text. */
const TIME_PATTERN = '^([01]\\d|2[0-3]):[0-5]\\d$'

/** A text that may be longer has a control of several lines. */
const LINE_LENGTH_MAX = 500

const typesOf = ({ type }: JsonSchema): readonly string[] =>
  typeof type === 'string' ? [type] : (type ?? [])

export function kindOf(schema: JsonSchema): Kind {
  const { items, format, pattern, maxLength = 0 } = schema
  const types = typesOf(schema)
  if (schema.enum) return 'choice'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer')) return 'number'
  if (types.includes('number')) return types.includes('string') ? 'decimal' : 'number'
  if (types.includes('array') && items) {
    const kind = kindOf(items)
    return kind === 'choice' ? 'choices' : kind === 'json' ? 'json' : 'list'
  }
  if (!types.includes('string')) return 'json'
  if (format === 'date') return 'date'
  if (format === 'date-time') return 'instant'
  if (format === 'billing-period') return 'month'
  if (pattern === TIME_PATTERN) return 'time'
  return maxLength > LINE_LENGTH_MAX ? 'longText' : 'text'
}

/** The fields of a value that consists of others: an object, or the rows of a list of objects. */
export function partsOfSchema(schema: JsonSchema): JsonSchema | undefined {
  const parts = typesOf(schema).includes('array') ? schema.items : schema
  return Object.keys(parts?.properties ?? {}).length > 0 ? parts : undefined
}

export const isList = (schema: JsonSchema): boolean => typesOf(schema).includes('array')

/** The fields of one value of the distinguishing field, which comes first; the whole schema without variants. */
export function variantOf(schema: JsonSchema, value: string): JsonSchema {
  const { properties = {}, 'x-variants': variants } = schema
  if (!variants) return schema
  const { required = [], optional = [] } = variants.fields[value] ?? {}
  const names = [variants.field, ...required, ...optional]
  const entries = names.flatMap((name) => {
    const field = properties[name]
    return field ? [[name, field] as const] : []
  })
  return { type: 'object', properties: Object.fromEntries(entries), required: [variants.field, ...required] }
}

const isNullable = (schema: JsonSchema): boolean => typesOf(schema).includes('null')

/** What may be chosen; the absence of a value is not among it. */
export const choicesOf = ({ enum: values = [], items }: JsonSchema): readonly string[] =>
  items?.enum ? choicesOf(items) : values.filter((value) => value !== null).map(String)

/** The text is no JSON. */
export class NotJsonError extends Error {
  readonly field: string
  constructor(field: string) {
    super(field)
    this.field = field
  }
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The value of a field from the text of its control; undefined when nothing was entered. */
function parsedValue(field: string, schema: JsonSchema, text: string): unknown {
  if (text === '') return undefined
  switch (kindOf(schema)) {
    case 'boolean':
      return text === 'true'
    case 'number': {
      const number = Number(text.replace(',', '.'))
      // What is no number is refused by the service, at its field.
      return Number.isNaN(number) ? text : number
    }
    case 'decimal':
      return text.trim().replace(',', '.')
    case 'instant':
      return `${text.length === 16 ? `${text}:00` : text}+03:00`
    case 'choices':
      return partsOf(text)
    case 'list': {
      const { items = {} } = schema
      return partsOf(text).map((part) => parsedValue(field, items, part))
    }
    case 'json':
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw new NotJsonError(field)
      }
    default:
      return text
  }
}

/** The body of a request that creates a record, without the fields that are empty. */
export function bodyOf({ properties = {} }: JsonSchema, values: FieldValues): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name,
    parsedValue(name, schema, values[name] ?? ''),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * The body of a request that replaces a record, or creates one from the defaults that were shown: also the fields that
 * are empty, as far as they can be. A secret that is not entered is left out.
 */
export function wholeBodyOf({ properties = {} }: JsonSchema, values: FieldValues): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name,
    parsedValue(name, schema, values[name] ?? '') ?? emptyValueOf(schema),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/** The fields that differ from the record as it was read. A field that was emptied is null, or false, or empty. */
export function changesOf(
  { properties = {} }: JsonSchema,
  before: FieldValues,
  values: FieldValues,
): Record<string, unknown> {
  const entries = Object.entries(properties)
    .filter(([name]) => (values[name] ?? '') !== (before[name] ?? ''))
    .map(([name, schema]): [string, unknown] => {
      const value = parsedValue(name, schema, values[name] ?? '')
      return [name, value === undefined ? emptyValueOf(schema) : value]
    })
  return Object.fromEntries(entries)
}

function emptyValueOf(schema: JsonSchema): unknown {
  if (kindOf(schema) === 'boolean') return false
  if (isList(schema) && !isNullable(schema)) return []
  return isNullable(schema) ? null : ''
}

const localTextOf = (instant: string): string =>
  new Date(Date.parse(instant) + TURKEY_OFFSET_MS).toISOString().slice(0, 19).replace(/:00$/, '')

function textOfValue(schema: JsonSchema, value: unknown): string {
  if (value === null || value === undefined) return ''
  const kind = kindOf(schema)
  if (kind === 'boolean') return value === true ? 'true' : ''
  if (kind === 'instant') return localTextOf(String(value))
  if (kind === 'month') return String(value).slice(0, 'YYYY-MM'.length)
  if (Array.isArray(value) && kind !== 'json') return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** The texts of the controls of a new record: the values that the schema has as its defaults. */
export const defaultTextsOf = ({ properties = {} }: JsonSchema): FieldValues =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { default: value } = schema
      const isEmpty = Array.isArray(value) && value.length === 0
      return [name, isEmpty ? '' : textOfValue(schema, value)]
    }),
  )

/** The texts of the controls for a record. */
export const textsOf = (
  { properties = {} }: JsonSchema,
  record: Readonly<Record<string, unknown>>,
): FieldValues =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, textOfValue(schema, record[name])]),
  )
