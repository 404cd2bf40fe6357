import { forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { rowFaultBodies } from '../../../platform/http/row-faults.ts'
import { acceptFiles, FileBody } from '../../../platform/http/upload.ts'
import { importPrices, importTooLarge, readImport } from './import.ts'
import { TARIFF_IMPORT_BYTES_MAX, TARIFF_IMPORT_ROWS_MAX } from './limits.ts'
import { ImportResult } from './schema.ts'
import { foundSet } from './service.ts'
import * as tariffs from './store.ts'

/** A scope of its own: its bodies are files. */
export function tariffImportRoutes(app: App): void {
  setErrorShape(app, 'nested', 'NOT_FOUND')
  acceptFiles(app, { bytesMax: TARIFF_IMPORT_BYTES_MAX, tooLarge: importTooLarge })
  app.after(() => importRoute(app))
}

function importRoute(app: App): void {
  app.post(
    '/price-sets/:id/import-csv',
    {
      ...forSuperuser,
      schema: {
        tags: ['regulated tariffs'],
        operationId: 'importTariffPrices',
        summary:
          'Import prices from a CSV file or XLSX workbook into a draft; all rows are imported, or none',
        description:
          'The file is a CSV file in UTF-8, with or without a byte order mark, with commas, semicolons or tabs, ' +
          `or the first sheet of an XLSX workbook: at most 2 MiB and ${TARIFF_IMPORT_ROWS_MAX} rows. The first ` +
          'row contains the headers, in any order; the template contains all of them. Dates are YYYY-MM-DD ' +
          'or dd.mm.yyyy, decimals have a point or a comma. If any row has an error, nothing is written: ' +
          '`imported` is 0, and `errors` contains row numbers as in a spreadsheet. 413 CSV_IMPORT_TOO_LARGE; ' +
          '422 CSV_IMPORT_INVALID_TYPE (name, content type or content, including the old .xls), ' +
          'CSV_IMPORT_INVALID_ENCODING, CSV_IMPORT_MISSING_HEADERS, CSV_IMPORT_TOO_MANY_ROWS, ' +
          'XLSX_IMPORT_INVALID, TARIFF_PERIOD_MISMATCH (rows of another month than that of the set: the error has ' +
          '`imported`, `errors` and `error_count`); 409 TARIFF_SET_APPROVED_IMMUTABLE for a set that is not a draft.',
        consumes: ['multipart/form-data'],
        params: IdParams,
        body: FileBody('File with the name extension .csv or .xlsx.'),
        response: { 200: ImportResult },
      },
    },
    async (request, reply) => {
      const { id: setId } = foundSet(await tariffs.findSet(request.systemDb(), request.params.id))
      const read = await readImport(request.body.file)
      const now = app.deps.clock.now()
      const { imported, errors, errorCount } = await request.systemTx((tx) =>
        importPrices(tx, { setId, read, now }),
      )
      return { imported, errors: rowFaultBodies(errors, languageOf(reply)), error_count: errorCount }
    },
  )
}
