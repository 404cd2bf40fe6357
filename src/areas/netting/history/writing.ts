import type { Message } from '../../../kernel/messages.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { lazyValidator, makeAjv } from '../../../platform/http/validation.ts'
import { cellProblem, type WriteContext } from '../shared/index.ts'
import type { KindName } from './kinds.ts'
import { HISTORY_TEXTS as TEXTS } from './messages.ts'
import * as records from './record-store.ts'
import type { HistoryRow, Value } from './rows.ts'

/** An error of a row that the writer found. */
export class RowFault extends Error {
  readonly column: string
  readonly content: Message
  constructor(column: string, content: Message) {
    super(content.code)
    this.column = column
    this.content = content
  }
}

/** The fault of a row whose other cells have no effect without this one. */
export const missing = (column: string): RowFault =>
  new RowFault(column, TEXTS.HISTORY_CELL_MISSING({ column }))

/** The row refers to a row of the same import that has an error itself. */
export class FaultyReference extends Error {}

export interface Written {
  readonly id: string
  readonly result: 'created' | 'unchanged'
}

/** Writes the rows of one import in one transaction. */
export interface Writing {
  readonly tx: TenantTx
  readonly context: WriteContext
  /** The names of the rows with an error, as `nameKey`. */
  readonly faultyNames: ReadonlySet<string>
}

export const nameKey = (kind: KindName, name: Value | undefined): string => `${kind}|${name}`

export const textOf = ({ values }: HistoryRow, name: string): string | undefined => {
  const value = values[name]
  return value === undefined ? undefined : String(value)
}

/** The text of a required cell, whose presence was checked when the row was read. */
export const requiredText = (row: HistoryRow, name: string): string => textOf(row, name) ?? ''

const FINDERS = {
  facilities: records.facilitiesNamed,
  scopes: records.scopesNamed,
  groups: records.groupsNamed,
} as const

/** The id of the record that a cell names; undefined for an empty cell. */
export async function referenceTo(
  { tx, faultyNames }: Writing,
  row: HistoryRow,
  { column, kind }: { readonly column: string; readonly kind: keyof typeof FINDERS },
): Promise<string | undefined> {
  const name = textOf(row, column)
  if (name === undefined) return undefined
  const [found, second] = await FINDERS[kind](tx, name)
  if (second) throw new RowFault(column, TEXTS.HISTORY_REFERENCE_AMBIGUOUS({ column, name }))
  if (found) return found.id
  if (faultyNames.has(nameKey(kind, name))) throw new FaultyReference()
  throw new RowFault(column, TEXTS.HISTORY_REFERENCE_UNKNOWN({ column, name }))
}

/** The id of a facility, a scope or a group that a required cell names. */
export const requiredReference = async (
  writing: Writing,
  row: HistoryRow,
  target: Parameters<typeof referenceTo>[2],
): Promise<string> => (await referenceTo(writing, row, target)) ?? ''

/**
 * The id of the organization that a cell names. One company may have records of several types: then the one
 * of the preferred type is taken.
 */
export async function organizationOf(
  { tx, faultyNames }: Writing,
  row: HistoryRow,
  { column, preferredTypes }: { readonly column: string; readonly preferredTypes: readonly string[] },
): Promise<string | undefined> {
  const name = textOf(row, column)
  if (name === undefined) return undefined
  const found = await records.organizationsNamed(tx, name)
  const preferred = preferredTypes.flatMap((type) => found.find(({ org_type }) => org_type === type) ?? [])
  const chosen = preferred[0] ?? (found.length === 1 ? found[0] : undefined)
  if (chosen) return chosen.id
  if (found.length > 1) throw new RowFault(column, TEXTS.HISTORY_REFERENCE_AMBIGUOUS({ column, name }))
  if (faultyNames.has(nameKey('organizations', name))) throw new FaultyReference()
  throw new RowFault(column, TEXTS.HISTORY_REFERENCE_UNKNOWN({ column, name }))
}

/** Comparable text: decimals without trailing zeros, instants in UTC. */
function comparable(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  const text = String(value)
  if (/^\d+\.\d+$/.test(text)) return text.replace(/\.?0+$/, '')
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return new Date(text).toISOString()
  return text
}

/**
 * Compares an existing record with the cells of a row. An empty cell makes no statement; a cell with another
 * value is an error, because an import never overwrites.
 */
export function requireSame(
  stored: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): void {
  for (const [field, value] of Object.entries(sent)) {
    if (value === undefined || value === null) continue
    const [before, now] = [comparable(stored[field]), comparable(value)]
    if (before === now) continue
    const column = columnOf(field)
    throw new RowFault(column, TEXTS.HISTORY_RECORD_DIFFERS({ column, stored: before || '-', sent: now }))
  }
}

/** The column of a field of the API: references are named without `_id`. */
export const columnOf = (field: string): string => field.replace(/_id$/, '')

const ajv = makeAjv({ coerceTypes: false })

/** Makes the check of a body by the schema of its route. */
export function bodyCheck<T extends object>(schema: object): (body: T) => T {
  const isValid = lazyValidator(() => ajv.compile(schema))
  return (body) => {
    if (isValid(body)) return body
    const [error] = isValid.errors ?? []
    const [, field = ''] = error?.instancePath.split('/') ?? []
    const column = columnOf(field || String(error?.params['missingProperty'] ?? ''))
    throw new RowFault(column, TEXTS.HISTORY_CELL_INVALID({ column, reason: cellProblem(error) }))
  }
}

/** Removes absent fields, which a schema would take for values of another type. */
export const present = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T
