import { Type } from 'typebox'
import { forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { acceptFiles } from '../../../platform/http/upload.ts'
import { HISTORY_FILE_BYTES_MAX, HISTORY_FILES_MAX, HISTORY_ROWS_MAX } from './limits.ts'
import { CalculateHistory, HistoryCalculation, HistoryForm, HistoryReport, TemplateQuery } from './schema.ts'
import { calculateOnRequest, findCalculation, importOnRequest } from './service.ts'
import { makeHistoryTemplate, templateName } from './template.ts'

const tags = ['netting history']
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A scope of its own: its bodies are files. An import is idempotent, so it accepts no Idempotency-Key. */
export function historyImportRoutes(app: App): void {
  setErrorShape(app, 'nested')
  acceptFiles(app, {
    bytesMax: HISTORY_FILE_BYTES_MAX,
    filesMax: HISTORY_FILES_MAX,
    fields: ['tenant_id', 'dry_run', 'calculate'],
  })
  app.after(() => importRoute(app))
}

function importRoute(app: App): void {
  app.post(
    '/history',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'importHistory',
        summary: 'Import the past records of a tenant: all rows are stored, or none (superuser)',
        description:
          'A workbook with the sheets organizations, scopes, facilities, meters, groups, members and ' +
          'limit_accounts, or CSV files with these names; Turkish names and headers are accepted. Records refer ' +
          `to each other by name. At most ${HISTORY_ROWS_MAX} rows. Errors of rows are reported with 200 and ` +
          'applied false, all at once. A repeated import changes nothing; a row that differs from an existing ' +
          'record is an error. Every record names the file as its origin. 413 PAYLOAD_TOO_LARGE; 422 ' +
          'FILE_NOT_READABLE, FILE_TOO_MANY_ROWS, INVALID_REFERENCE (tenant_id).',
        consumes: ['multipart/form-data'],
        body: HistoryForm,
        response: { 200: HistoryReport },
      },
    },
    (request, reply) =>
      importOnRequest(app.deps, {
        caller: request.principal,
        body: request.body,
        language: languageOf(reply),
      }),
  )
}

export function historyRoutes(app: App): void {
  app.get(
    '/history/template',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'getHistoryTemplate',
        summary: 'Download the workbook for an import of history, with a sheet that explains its columns',
        querystring: TemplateQuery,
        produces: [XLSX],
        response: { 200: Type.Unsafe<Buffer>({ description: 'The workbook as an attachment.' }) },
      },
    },
    async (request, reply) => {
      const language = request.query.language ?? languageOf(reply)
      return reply
        .type(XLSX)
        .header('Content-Disposition', `attachment; filename="${templateName(language)}"`)
        .send(await makeHistoryTemplate(language, app.deps.clock.now()))
    },
  )

  app.post(
    '/history/calculate',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'calculateHistory',
        summary:
          'Start the calculation of past months of all groups of a tenant, in order of time (superuser)',
        description:
          'Every month builds the hourly energy of its members before. A month that fails ends the calculation ' +
          'of its group. 422 NO_ACTIVE_MEMBERS, BUSINESS_RULE_VIOLATION (range); 409 STATE_CONFLICT for too many ' +
          'calculations that are not finished.',
        body: CalculateHistory,
        response: { 202: HistoryCalculation },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await calculateOnRequest(app.deps, request.principal, request.body)),
  )

  getResource(
    app,
    '/history/jobs/:id',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'getHistoryCalculation',
        summary: 'Get the progress of a calculation of history of any tenant (superuser)',
        params: IdParams,
        response: { 200: HistoryCalculation },
      },
    },
    (request) => findCalculation(app.deps, request.params.id),
  )
}
