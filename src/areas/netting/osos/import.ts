import { createHash } from 'node:crypto'
import { type Language, type Message, textOf } from '../../../kernel/messages.ts'
import { inChunks } from '../../../platform/async/yield.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readLargeTable } from '../../../platform/tables/index.ts'
import type { Label } from '../shared/index.ts'
import { refusingUnreadable } from '../shared/index.ts'
import { PackedRows, type SentRow } from './delivered-rows.ts'
import { openFile, type ReadingFile } from './file.ts'
import {
  OSOS_CELL_LENGTH_MAX,
  OSOS_COLUMNS_MAX,
  OSOS_ENTRIES_MAX,
  OSOS_FILE_OTHER_ROWS_MAX,
  OSOS_FILE_ROWS_MAX,
  OSOS_REPORTED_MAX,
  OSOS_UNPACKED_BYTES_MAX,
} from './limits.ts'
import { READING_TEXTS } from './messages.ts'
import type { RowResult } from './outcomes.ts'
import { type Delivery, type Recorded, recordReadings } from './record.ts'
import { reportOf } from './report.ts'
import type { ImportReport } from './schema.ts'
import * as installations from './store.ts'

/** The limits of an uploaded file of readings. */
export const OSOS_FILE_LIMITS = {
  rowsMax: OSOS_FILE_ROWS_MAX + OSOS_FILE_OTHER_ROWS_MAX,
  columnsMax: OSOS_COLUMNS_MAX,
  cellLengthMax: OSOS_CELL_LENGTH_MAX,
  unpackedBytesMax: OSOS_UNPACKED_BYTES_MAX,
  entriesMax: OSOS_ENTRIES_MAX,
  encodings: 'turkish' as const,
}

export interface ImportFile
  extends Pick<Delivery, 'inTx' | 'installationId' | 'multiplied' | 'tenantId' | 'userId'> {
  readonly label: Label
  readonly file: { readonly name: string; readonly bytes: Buffer }
  /** Of the texts of the report. */
  readonly language: Language
}

/**
 * Imports a file of readings for one installation or, by its column of installation numbers, for many. A file
 * that cannot be read as a whole is refused and writes nothing (413, 422). Invalid rows are reported, and the
 * others are stored.
 */
export async function importFile(
  deps: Pick<Deps, 'clock' | 'database' | 'log'>,
  { file, language, ...delivery }: ImportFile,
): Promise<ImportReport> {
  const { rows, ...about } = await readFile(deps, { file, ...delivery })
  const recorded = await recordReadings(deps, {
    ...delivery,
    fileName: file.name.slice(0, 255),
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    rows,
  })
  return {
    ...reportOf(recorded, rows.length),
    rows: reportedOf(recorded).map(({ row, status, message }) => ({
      row,
      status,
      message: message && textOf(message, language),
    })),
    ...about,
  }
}

interface ReadRows extends Pick<ImportReport, 'decimal_mark' | 'ignored_columns'> {
  readonly rows: PackedRows
}

/** Reads the rows of a file; what was needed for reading it is not kept while they are stored. */
async function readFile(
  deps: Pick<Deps, 'database'>,
  { file, label, tenantId, installationId }: Omit<ImportFile, 'language'>,
): Promise<ReadRows> {
  const hasInstallations = installationId === null
  const read = await refusingUnreadable(async () =>
    openFile(await readLargeTable(file.bytes, OSOS_FILE_LIMITS), { label, hasInstallations }),
  )
  const known = await installations.findByNumbers(
    tenantDb(deps.database.kysely, tenantId),
    read.installationNos,
  )
  const ids = new Map(known.map((row) => [row.installation_no, row.id]))
  const rows = new PackedRows(read.rowCount)
  for await (const portion of inChunks(rowsOf(read, installationId, ids)))
    for (const row of portion) rows.push(row)
  return { rows, decimal_mark: read.decimalMark, ignored_columns: [...read.header.ignored] }
}

/** The first rows that were not stored as they are. */
function reportedOf({ results }: Recorded): RowResult[] {
  const reported: RowResult[] = []
  for (const result of results) {
    if (result.status === 'accepted' || result.status === 'unchanged') continue
    reported.push(result)
    if (reported.length === OSOS_REPORTED_MAX) break
  }
  return reported
}

/**
 * Assigns an installation to each row: the one of the import, otherwise the one with the number of the row.
 * When the import is for one installation, a row with the number of another one is refused.
 */
function* rowsOf(
  read: ReadingFile,
  ownId: string | null,
  ids: ReadonlyMap<string, string>,
): Generator<SentRow> {
  for (const { row, installationNo: no, sent } of read.rows()) {
    const named = no === undefined ? undefined : ids.get(no)
    const fault = faultOf(no, named, ownId)
    yield { row, installationId: ownId ?? named ?? '', sent: fault ?? sent }
  }
}

function faultOf(
  no: string | undefined,
  named: string | undefined,
  ownId: string | null,
): Message | undefined {
  if (ownId !== null) {
    return no === undefined || named === ownId
      ? undefined
      : READING_TEXTS.READING_OF_ANOTHER_INSTALLATION({ installation_no: no })
  }
  if (no === undefined) return READING_TEXTS.READING_WITHOUT_INSTALLATION()
  return named === undefined ? READING_TEXTS.READING_INSTALLATION_UNKNOWN({ installation_no: no }) : undefined
}
