import { AppError } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { failureOf } from '../../../platform/db/savepoint.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { enqueueImported } from './calculation.ts'
import { type HistoryFile, readFiles } from './files.ts'
import { KIND_NAMES, type KindName } from './kinds.ts'
import { HISTORY_ERRORS_MAX } from './limits.ts'
import { HISTORY_TEXTS as TEXTS } from './messages.ts'
import { writeMeterChange } from './meter-change-writer.ts'
import { writeAccount, writeMember, writeMeter } from './period-writers.ts'
import { writeFacility, writeGroup, writeOrganization, writeScope } from './registry-writers.ts'
import type { HistoryRow, RowPosition } from './rows.ts'
import { columnOf, FaultyReference, nameKey, RowFault, type Writing, type Written } from './writing.ts'

export interface HistoryImport {
  readonly tenantId: number
  /** Null for the command line. */
  readonly userId: string | null
  readonly files: readonly HistoryFile[]
  readonly isDryRun: boolean
  /** Orders the calculation of all months in the transaction of the import. */
  readonly isToCalculate: boolean
}

/** The error of a row: `content` has its text, or `text` where the rules of the registry refused it. */
export interface HistoryError extends RowPosition {
  readonly column: string | null
  readonly code: string
  readonly content: Message | undefined
  readonly text: string
}

export interface HistoryRowResult extends RowPosition {
  readonly kind: KindName
  readonly result: 'created' | 'unchanged' | 'failed' | 'not_checked'
  /** Null where nothing is stored. */
  readonly id: string | null
}

export interface HistoryReport {
  readonly isDryRun: boolean
  /** Whether the records are stored. */
  readonly isApplied: boolean
  readonly rows: readonly HistoryRowResult[]
  readonly errors: readonly HistoryError[]
  readonly errorCount: number
  /** The calculation that was recorded; null without one, and when there is no month to calculate. */
  readonly calculationId: string | null
}

const WRITERS: Readonly<Record<KindName, (writing: Writing, row: HistoryRow) => Promise<Written>>> = {
  organizations: writeOrganization,
  scopes: writeScope,
  facilities: writeFacility,
  meters: writeMeter,
  meter_changes: writeMeterChange,
  groups: writeGroup,
  members: writeMember,
  limit_accounts: writeAccount,
}

/** The columns that identify the record of a row; two rows of one record are an error. */
const KEYS: Readonly<Record<KindName, readonly string[]>> = {
  organizations: ['org_type', 'name'],
  scopes: ['name'],
  facilities: ['name'],
  meters: ['facility', 'meter_no', 'measurement_role', 'device', 'valid_from'],
  meter_changes: ['facility', 'meter_no', 'register', 'changed_at'],
  groups: ['name'],
  members: ['group', 'facility', 'valid_from'],
  limit_accounts: ['facility', 'year'],
}

/** Ends the transaction of a dry run, or of an import with errors. */
class Undo extends Error {}

class Errors {
  readonly list: HistoryError[] = []
  count = 0
  add(
    { file, sheet, row }: RowPosition,
    error: Pick<HistoryError, 'column' | 'code' | 'content' | 'text'>,
  ): void {
    this.count += 1
    if (this.list.length < HISTORY_ERRORS_MAX) this.list.push({ file, sheet, row, ...error })
  }
}

/**
 * Imports past records of a tenant from a workbook or CSV files. All rows are written in one transaction
 * through the services of the registry, each behind a savepoint, so that every row with an error is found. An
 * error of any row, or a dry run, rolls the transaction back: the report of a dry run cannot differ from that
 * of the import.
 */
export async function importHistory(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { tenantId, userId, files, isDryRun, isToCalculate }: HistoryImport,
): Promise<HistoryReport> {
  const errors = new Errors()
  const read = await readFiles(files, (position, column, content) =>
    errors.add(position, { column, code: content.code, content, text: '' }),
  )
  const rows = refuseRepeated(read, errors)
  const origin = `import: ${files.map(({ name }) => name).join(', ')}`.slice(0, ORIGIN_LENGTH_MAX)
  const context = { by: userId, at: clock.now(), history: { origin } }
  let results: HistoryRowResult[] = []
  let calculationId: string | null = null
  try {
    await inTenantTx(database.kysely, tenantId, async (tx) => {
      await lockResource(tx, `history import ${tenantId}`)
      results = await writeRows({ tx, context, faultyNames: new Set() }, rows, errors)
      if (isDryRun || errors.count > 0) throw new Undo()
      if (isToCalculate) calculationId = await enqueueImported(tx, { userId, at: context.at })
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  const isApplied = !isDryRun && errors.count === 0
  return {
    isDryRun,
    isApplied,
    rows: results.map((row) => (row.result === 'created' && !isApplied ? { ...row, id: null } : row)),
    errors: errors.list.toSorted(byPosition),
    errorCount: errors.count,
    calculationId,
  }
}

const ORIGIN_LENGTH_MAX = 500

const byPosition = (a: RowPosition, b: RowPosition): number =>
  a.file.localeCompare(b.file) || (a.sheet ?? '').localeCompare(b.sheet ?? '') || a.row - b.row

/** Marks the rows that repeat the record of an earlier row. */
function refuseRepeated(rows: readonly HistoryRow[], errors: Errors): HistoryRow[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    if (row.isFaulty) return row
    const key = JSON.stringify([
      row.kind.name,
      ...KEYS[row.kind.name].map((name) => row.values[name] ?? null),
    ])
    const first = seen.get(key)
    if (first === undefined) {
      seen.set(key, row.row)
      return row
    }
    const content = TEXTS.HISTORY_ROW_REPEATED({ row: first })
    errors.add(row, { column: null, code: content.code, content, text: '' })
    return { ...row, isFaulty: true }
  })
}

async function writeRows(
  writing: Writing & { readonly faultyNames: Set<string> },
  rows: readonly HistoryRow[],
  errors: Errors,
): Promise<HistoryRowResult[]> {
  const results: HistoryRowResult[] = []
  for (const name of KIND_NAMES) {
    for (const row of rows.filter(({ kind }) => kind.name === name)) {
      const { file, sheet, row: number } = row
      const done = row.isFaulty ? 'failed' : await writeRow(writing, row, errors)
      if (typeof done === 'string') writing.faultyNames.add(rowKey(name, row))
      const outcome = typeof done === 'string' ? { result: done, id: null } : done
      results.push({ file, sheet, row: number, kind: name, ...outcome })
    }
  }
  return results
}

/** Meters are referred to by their number, all other records by their name. */
const rowKey = (kind: KindName, { values }: HistoryRow): string =>
  nameKey(kind, values[kind === 'meters' ? 'meter_no' : 'name'])

async function writeRow(
  writing: Writing,
  row: HistoryRow,
  errors: Errors,
): Promise<Written | 'failed' | 'not_checked'> {
  let written: Written | undefined
  const tx: TenantTx = writing.tx
  const failure = await failureOf(tx, async () => {
    written = await WRITERS[row.kind.name](writing, row)
  })
  if (!failure && written) return written
  if (failure instanceof FaultyReference) return 'not_checked'
  if (failure instanceof RowFault) {
    const { column, content } = failure
    errors.add(row, { column, code: content.code, content, text: '' })
  } else if (failure instanceof AppError) {
    const { code, content, message, extra } = failure
    const field = typeof extra['field'] === 'string' ? columnOf(extra['field']) : null
    errors.add(row, { column: field, code, content, text: message })
  } else throw failure
  return 'failed'
}
