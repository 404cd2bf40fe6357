import { FIELD_NAMES } from '../../../kernel/field-names.ts'
import { VALUE_NAMES } from '../../../kernel/value-names.ts'
import type { JsonSchema } from '../../../platform/http/response-schemas.ts'
import type { ReportLocale } from '../../../platform/reports/report.ts'
import type { Labels, ReportColumn } from '../../../platform/reports/table-report.ts'
import { COLUMN_NAMES } from './column-names.ts'
import { LIST_REPORT_CELL_LENGTH_MAX } from './limits.ts'
import type { ListReport } from './list-report.ts'
import type { Row } from './pages.ts'
import { VALUE_WORDS } from './value-words.ts'

/** What a column contains, by the schema of its field in the response of the list. */
type FieldKind = 'text' | 'code' | 'number' | 'decimal' | 'instant' | 'date' | 'boolean' | 'list' | 'json'

const DECIMAL_PATTERN = /^\^-\?\\d\+\\\.\\d\{\d(,\d)?\}\$$/

/** The kind of a field; fields that may be null are those of their other type. */
function kindOfField(schema: JsonSchema): FieldKind {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (choices?.length === 1 && choices[0]) return kindOfField(choices[0])
  const type = [schema.type ?? []].flat().find((one) => one !== 'null')
  if (schema.enum) return 'code'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'number') return type === 'integer' ? 'number' : 'decimal'
  if (type === 'array') return 'list'
  if (type !== 'string') return 'json'
  if (schema.format === 'date-time') return 'instant'
  if (schema.format === 'date' || schema.format === 'billing-period') return 'date'
  return DECIMAL_PATTERN.test(schema.pattern ?? '') ? 'decimal' : 'text'
}

/** The schema of the rows in the response of an operation. */
function rowSchema(response: JsonSchema, rows: string | undefined): JsonSchema | undefined {
  if (rows === undefined) return response.items ?? response.properties?.['items']?.items
  if (rows === '') return response
  let schema: JsonSchema | undefined = response
  let around: JsonSchema['properties'] = {}
  for (const [index, field] of rows.split('.').entries()) {
    if (index > 0) around = { ...around, ...schema?.properties }
    schema = schema?.properties?.[field]?.items
  }
  return schema && { ...schema, properties: { ...around, ...schema.properties } }
}

/** The schema of a column; undefined where the list has no such field. */
function fieldSchema(row: JsonSchema, column: string): JsonSchema | undefined {
  let schema: JsonSchema | undefined = row
  for (const field of column.split('.')) {
    const object: JsonSchema | undefined = schema?.anyOf?.find(({ properties }) => properties) ?? schema
    schema = object?.properties?.[field]
  }
  return schema
}

/** What a title adds for a field of one of two or three objects. */
const SIDES: Readonly<Record<string, Labels>> = {
  today: { tr: 'bugün', en: 'today' },
  yesterday: { tr: 'dün', en: 'yesterday' },
  hourly: { tr: 'saatlik', en: 'by the hour' },
  monthly: { tr: 'aylık', en: 'by the month' },
  difference: { tr: 'fark', en: 'difference' },
  base: { tr: 'temel', en: 'base' },
  scenario: { tr: 'senaryo', en: 'scenario' },
  proposal: { tr: 'öneri', en: 'proposal' },
}

/** The title of a column, by its last part and the object that it belongs to. */
export function labelOf(column: string): Labels | undefined {
  const [last = '', object = ''] = column.split('.').toReversed()
  const label = COLUMN_NAMES[last] ?? FIELD_NAMES[last]
  const side = SIDES[object]
  return label && side ? { tr: `${label.tr}, ${side.tr}`, en: `${label.en}, ${side.en}` } : label
}

const BOOLEAN_WORDS: Readonly<Record<string, Labels>> = {
  true: { tr: 'evet', en: 'yes' },
  false: { tr: 'hayır', en: 'no' },
}
export const WORDS: Readonly<Record<string, Labels>> = { ...VALUE_NAMES, ...VALUE_WORDS }

const WIDTHS: Readonly<Record<FieldKind, number>> = {
  text: 2.2,
  code: 1.5,
  number: 1,
  decimal: 1.4,
  instant: 1.7,
  date: 1.2,
  boolean: 0.9,
  list: 2.6,
  json: 3,
}
const KINDS = { number: 'number', decimal: 'number', instant: 'instant', date: 'date' } as const

const valueAt = (row: Row, fields: readonly string[]): unknown => {
  let value: unknown = row
  for (const field of fields) value = (value as Row | null | undefined)?.[field]
  return value ?? null
}

const instantOf = (text: string): number | string => {
  const at = Date.parse(text)
  return Number.isNaN(at) ? text : at
}

interface ColumnOptions {
  readonly locale: ReportLocale
  readonly headers: 'labels' | 'names'
}

/** The text of a value that is no single text or number. */
function textOfList(value: unknown, { locale, headers }: ColumnOptions): string {
  const word = (one: unknown): string => {
    if (typeof one !== 'string') return JSON.stringify(one)
    return headers === 'names' ? one : (WORDS[one]?.[locale] ?? one)
  }
  const text = Array.isArray(value) ? value.map(word).join(', ') : JSON.stringify(value)
  return text.slice(0, LIST_REPORT_CELL_LENGTH_MAX)
}

function cellOf(kind: FieldKind, value: unknown, options: ColumnOptions): string | number | null {
  if (value === null) return null
  if (kind === 'instant') return instantOf(String(value))
  if (kind === 'boolean' || typeof value === 'string') return String(value)
  if (kind !== 'list' && typeof value === 'number') return value
  return textOfList(value, options)
}

/** Makes the columns of a report. Throws for a column that the response of the list does not have. */
export function columnsOf(
  { name, columns, printed, rows }: ListReport,
  response: JsonSchema,
  options: ColumnOptions,
): ReportColumn<Row>[] {
  const row = rowSchema(response, rows)
  return columns.map((column) => {
    const schema = row && fieldSchema(row, column)
    const label = labelOf(column)
    if (!schema || !label) throw new Error(`the report ${name} has no field or no title for ${column}`)
    const kind = kindOfField(schema)
    const fields = column.split('.')
    return {
      name: column,
      label,
      kind: KINDS[kind as keyof typeof KINDS] ?? 'text',
      isDecimal: kind === 'decimal',
      value: (record) => cellOf(kind, valueAt(record, fields), options),
      ...(kind === 'boolean' && { words: BOOLEAN_WORDS }),
      ...(kind === 'code' && { words: WORDS }),
      ...(printed.has(column) && { width: WIDTHS[kind] }),
    }
  })
}
