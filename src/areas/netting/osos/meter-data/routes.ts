import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../../platform/http/errors.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { withErrors } from '../../../../platform/http/openapi.ts'
import { acceptFiles } from '../../../../platform/http/upload.ts'
import { OSOS_FILE_BYTES_MAX, OSOS_FILE_ROWS_MAX } from '../limits.ts'
import { importMeterData, withErrorTexts } from './import.ts'
import { MeterDataForm, MeterDataReport } from './schema.ts'

const FIELDS = Object.keys(MeterDataForm.properties).filter((name) => name !== 'file')

/** A Fastify scope of its own, because its bodies are files. */
export function meterDataRoutes(app: App): void {
  setErrorShape(app, 'nested')
  acceptFiles(app, { bytesMax: OSOS_FILE_BYTES_MAX, fields: FIELDS })
  app.after(() => importRoute(app))
}

function importRoute(app: App): void {
  app.post(
    '/meter-data/import',
    {
      ...withErrors(needs('manage:osos'), 'sealed month'),
      schema: {
        tags: ['netting hourly energy'],
        operationId: 'importMeterData',
        summary: 'Import register readings or interval energy of one meter; all rows are stored, or none',
        description:
          'The file is a CSV file (UTF-8; semicolon, comma or tab) or the first sheet of an XLSX workbook: at ' +
          `most 16 MiB and ${OSOS_FILE_ROWS_MAX} rows. The columns are identified by their headers in Turkish ` +
          'or English, or by `columns`. Times are ISO 8601, 01.11.2026 13:15, or a date and a time in two ' +
          'columns; 24:00 and spans such as 13:00-13:15 are accepted. The rows become hours: an hour that lacks ' +
          'an interval has no value, register readings are interpolated. If any row has an error, nothing is ' +
          'stored and every error is listed. The same file again changes nothing; a changed value replaces the ' +
          'stored one, which is kept in the history. 413; 422 FILE_NOT_READABLE, FILE_COLUMNS_UNKNOWN, ' +
          'FILE_TOO_MANY_ROWS; 409 SEALED_MONTH.',
        consumes: ['multipart/form-data'],
        body: MeterDataForm,
        response: { 200: MeterDataReport },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const { file, facility_id, measurement_role, installation_id, dry_run, ...format } = body
      const report = await importMeterData(app.deps, {
        tenantId: principal.tenantId,
        userId: principal.id,
        file,
        meter: {
          ...(facility_id !== undefined && { facility_id }),
          ...(measurement_role !== undefined && { measurement_role }),
          ...(installation_id !== undefined && { installation_id }),
        },
        format,
        isDryRun: dry_run === 'true',
        inTx: (work) => request.tenantTx(work),
      })
      return withErrorTexts(report, languageOf(reply))
    },
  )
}
