import { AppError, type RowFault, unprocessable } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import type { SystemTx } from '../../../platform/db/tenant.ts'
import type { UploadedFile } from '../../../platform/http/upload.ts'
import { readTable, TableFault } from '../../../platform/tables/index.ts'
import {
  MissingHeaders,
  NATURAL_KEY,
  naturalKey,
  type ReadPrices,
  RowErrors,
  readPrices,
} from './import-rows.ts'
import {
  TARIFF_IMPORT_BLANK_ROWS_MAX,
  TARIFF_IMPORT_BYTES_MAX,
  TARIFF_IMPORT_CELL_LENGTH_MAX,
  TARIFF_IMPORT_COLUMNS_MAX,
  TARIFF_IMPORT_ENTRIES_MAX,
  TARIFF_IMPORT_ERRORS_MAX,
  TARIFF_IMPORT_ROWS_MAX,
  TARIFF_IMPORT_UNPACKED_BYTES_MAX,
} from './limits.ts'
import { TARIFF_ROWS, TARIFF_TEXTS } from './messages.ts'
import { decodedPeriod, foundSet, immutable, newPrice } from './service.ts'
import * as tariffs from './store.ts'

/** Throws 413 with the code that the interface defines for it. */
export const importTooLarge = (bytesMax = TARIFF_IMPORT_BYTES_MAX) =>
  new AppError(
    413,
    'CSV_IMPORT_TOO_LARGE',
    TARIFF_TEXTS.IMPORT_FILE_TOO_LARGE({ mib: bytesMax / 1024 / 1024 }),
  )

/** Reads an uploaded file; 422 with its own code for a file that is no table of prices. */
export async function readImport(file: UploadedFile): Promise<ReadPrices> {
  const format = formatOf(file)
  try {
    const rows = await readTable(file.bytes, LIMITS)
    if (rows.length > TARIFF_IMPORT_ROWS_MAX + 1) throw tooManyRows()
    return readPrices(rows)
  } catch (error) {
    if (error instanceof MissingHeaders)
      throw unprocessable(
        'CSV_IMPORT_MISSING_HEADERS',
        TARIFF_TEXTS.IMPORT_HEADERS_MISSING({ headers: error.headers }),
      )
    if (error instanceof TableFault) throw refusal(error, format)
    throw error
  }
}

export interface Imported {
  /** Number of imported rows: all rows, or 0 if any row has an error. */
  readonly imported: number
  /** The first TARIFF_IMPORT_ERRORS_MAX errors. */
  readonly errors: readonly RowFault[]
  readonly errorCount: number
}

/**
 * Adds the read prices to a draft, all or none: an error in any row writes nothing. 404, or 409 for a set
 * that is not a draft. A row whose natural key exists in the set is an error of that row. Rows of another month are
 * refused with 422, which lists them together with the other errors.
 */
export async function importPrices(
  tx: SystemTx,
  { setId, read, now }: { readonly setId: string; readonly read: ReadPrices; readonly now: number },
): Promise<Imported> {
  const set = foundSet(await tariffs.lockSet(tx, setId))
  if (set.approval_status !== 'draft') throw immutable()
  refuseOtherMonths(set.billing_period, read)
  if (read.errorCount > 0) return { imported: 0, errors: read.errors, errorCount: read.errorCount }
  const existingKeys = new Set(
    (await tariffs.listKeys(tx, setId)).map((row) => naturalKey(row as Parameters<typeof naturalKey>[0])),
  )
  const errors = new RowErrors()
  for (const { row, price } of read.prices) {
    if (existingKeys.has(naturalKey(price)))
      errors.add(row, TARIFF_ROWS.TARIFF_ROW_EXISTS({ key: NATURAL_KEY }))
  }
  if (errors.count > 0) return { imported: 0, errors: errors.list, errorCount: errors.count }
  if (read.prices.length > 0) {
    await tariffs.importPrices(
      tx,
      setId,
      read.prices.map(({ price }) => newPrice(setId, price, now)),
    )
  }
  return { imported: read.prices.length, errors: [], errorCount: 0 }
}

function refuseOtherMonths(setPeriod: string, read: ReadPrices): void {
  const others = read.prices.filter(({ price }) => decodedPeriod(price.billing_period) !== setPeriod)
  if (others.length === 0) return
  const errors = others.map(({ row, price }) => {
    const periods = { price_period: decodedPeriod(price.billing_period), set_period: setPeriod }
    return { row, content: TARIFF_TEXTS.TARIFF_PRICE_PERIOD_MISMATCH(periods) }
  })
  const listed = [...read.errors, ...errors].sort((a, b) => a.row - b.row)
  const text = TARIFF_TEXTS.TARIFF_IMPORT_PERIOD_MISMATCH({ set_period: setPeriod, rows: others.length })
  throw new AppError(422, 'TARIFF_PERIOD_MISMATCH', text, {
    extra: { imported: 0, error_count: read.errorCount + errors.length },
    rowFaults: listed.slice(0, TARIFF_IMPORT_ERRORS_MAX),
  })
}

const LIMITS = {
  rowsMax: TARIFF_IMPORT_ROWS_MAX + TARIFF_IMPORT_BLANK_ROWS_MAX + 1,
  columnsMax: TARIFF_IMPORT_COLUMNS_MAX,
  cellLengthMax: TARIFF_IMPORT_CELL_LENGTH_MAX,
  unpackedBytesMax: TARIFF_IMPORT_UNPACKED_BYTES_MAX,
  entriesMax: TARIFF_IMPORT_ENTRIES_MAX,
}

type Format = 'csv' | 'xlsx'

/**
 * Content types that browsers and programs send for each format. Windows sends the type of Excel's old format
 * for CSV.
 */
const CONTENT_TYPES: Readonly<Record<Format, readonly string[]>> = {
  csv: [
    'text/csv',
    'application/csv',
    'text/plain',
    'text/x-csv',
    'application/vnd.ms-excel',
    'application/octet-stream',
    '',
  ],
  xlsx: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/zip',
    'application/octet-stream',
    '',
  ],
}
const ZIP_START = Buffer.from('PK\x03\x04')
/** Excel's format before 2007. */
const OLD_XLS_START = Buffer.from('d0cf11e0a1b11ae1', 'hex')

function formatOf({ name, contentType, bytes }: UploadedFile): Format {
  const refuse = (message: Message) => unprocessable('CSV_IMPORT_INVALID_TYPE', message)
  const extension = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase()
  if (extension === 'xls' || bytes.subarray(0, 8).equals(OLD_XLS_START)) {
    throw refuse(TARIFF_TEXTS.IMPORT_OLD_XLS())
  }
  if (extension !== 'csv' && extension !== 'xlsx') throw refuse(TARIFF_TEXTS.IMPORT_EXTENSION_UNKNOWN())
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!CONTENT_TYPES[extension].includes(type))
    throw refuse(TARIFF_TEXTS.IMPORT_CONTENT_TYPE_WRONG({ extension }))
  const isZip = bytes.subarray(0, 4).equals(ZIP_START)
  if (extension === 'csv' && isZip) throw refuse(TARIFF_TEXTS.IMPORT_CSV_IS_WORKBOOK())
  if (extension === 'xlsx' && !isZip)
    throw unprocessable('XLSX_IMPORT_INVALID', TARIFF_TEXTS.IMPORT_NO_WORKBOOK())
  return extension
}

const tooManyRows = () =>
  unprocessable(
    'CSV_IMPORT_TOO_MANY_ROWS',
    TARIFF_TEXTS.IMPORT_TOO_MANY_ROWS({ max: TARIFF_IMPORT_ROWS_MAX }),
  )

function refusal({ kind, content }: TableFault, format: Format): AppError {
  if (kind === 'tooManyRows') return tooManyRows()
  if (format === 'xlsx') return unprocessable('XLSX_IMPORT_INVALID', content)
  if (kind === 'encoding') return unprocessable('CSV_IMPORT_INVALID_ENCODING', content)
  return unprocessable('CSV_IMPORT_INVALID_TYPE', content)
}
