import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { acceptFiles } from '../../../platform/http/upload.ts'
import { importFile } from './import.ts'
import { OSOS_FILE_BYTES_MAX, OSOS_FILE_ROWS_MAX } from './limits.ts'
import { ImportForm, ImportReport } from './schema.ts'
import * as installations from './store.ts'

const tags = ['official readings']
const manage = needs('manage:osos')
const DESCRIPTION =
  'The file is a CSV file (UTF-8; semicolon, comma or tab) or the first sheet of an XLSX workbook with one row per ' +
  `hour: at most 16 MiB and ${OSOS_FILE_ROWS_MAX} rows. The columns are identified by their headers, in any order and ` +
  'case: Tarih, Tarih-Saat or date (with or without a column Saat), Çekiş, Aktif Çekiş, Tüketim or import, ' +
  'Veriş, Aktif Veriş, Üretim or export, and Tesisat No or installation_no; units in headers are ignored, other ' +
  'columns are reported and ignored. Dates are written as 01.11.2026 13:00 or 2026-11-01 13:00, numbers with a ' +
  'decimal comma or point. An error of the whole file stores nothing: 413, 422 FILE_NOT_READABLE, ' +
  'FILE_COLUMNS_UNKNOWN or FILE_TOO_MANY_ROWS, 409 SEALED_MONTH. Errors in single rows are reported with the row ' +
  'of the file; the other rows are stored together with their facts in one transaction.'

/**
 * A Fastify scope of its own, because its bodies are files. An import is idempotent, so it accepts no
 * Idempotency-Key.
 */
export function ososImportRoutes(app: App): void {
  setErrorShape(app, 'nested')
  acceptFiles(app, { bytesMax: OSOS_FILE_BYTES_MAX, fields: ['label', 'multiplied'] })
  app.after(() => importRoutes(app))
}

function importRoutes(app: App): void {
  app.post(
    '/installations/:id/readings/import',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'importOsosReadings',
        summary: 'Import a file of hourly readings of one installation',
        description: `${DESCRIPTION} Rows that name another installation are rejected.`,
        consumes: ['multipart/form-data'],
        params: IdParams,
        body: ImportForm,
        response: { 201: ImportReport },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const { id } = found('installation', await installations.find(request.tenantDb(), params.id))
      const report = await importFile(app.deps, {
        tenantId: principal.tenantId,
        userId: principal.id,
        installationId: id,
        label: body.label,
        multiplied: body.multiplied === 'true',
        file: body.file,
        inTx: (work) => request.tenantTx(work),
        language: languageOf(reply),
      })
      return reply.code(201).send(report)
    },
  )

  app.post(
    '/readings/import',
    {
      ...withErrors(manage, 'sealed month'),
      schema: {
        tags,
        operationId: 'importOsosReadingsOfMany',
        summary: 'Import a file of hourly readings of several installations, identified by their numbers',
        description: `${DESCRIPTION} Rows of an installation that is not known are rejected.`,
        consumes: ['multipart/form-data'],
        body: ImportForm,
        response: { 201: ImportReport },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const report = await importFile(app.deps, {
        tenantId: principal.tenantId,
        userId: principal.id,
        installationId: null,
        label: body.label,
        multiplied: body.multiplied === 'true',
        file: body.file,
        inTx: (work) => request.tenantTx(work),
        language: languageOf(reply),
      })
      return reply.code(201).send(report)
    },
  )
}
