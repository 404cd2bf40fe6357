import { createReadStream } from 'node:fs'
import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { attachment } from '../../../platform/http/attachment.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { Page } from '../../../platform/http/page.ts'
import { ReportResponse, withLocale } from '../../../platform/http/reports.ts'
import { CONTENT_TYPES } from '../../../platform/reports/report.ts'
import { noteFilesElsewhere } from './elsewhere-note.ts'
import { holdSlot } from './hold-slot.ts'
import { makeExportRunner } from './runner.ts'
import { CreateExport, DataExport, ExportQuery } from './schema.ts'
import { deleteExport, findFile, startExport, toResponse } from './service.ts'
import * as exports from './store.ts'

const tags = ['exports']
const read = needs('read:measurement')
/** Viewers may read; creating files needs the permission of operators. */
const operate = needs('write:measurement')

export function exportRoutes(app: App): void {
  const { deps } = app
  const runner = makeExportRunner(deps)
  app.addHook('onListen', async () => runner.wake())
  app.addHook('onClose', () => runner.stop())

  app.post(
    '/export',
    {
      ...operate,
      schema: {
        tags,
        operationId: 'exportMeasurements',
        summary: 'Export measurements as a file: CSV, XLSX or PDF',
        description:
          'A small file is returned directly. A large file, or one with async, is created in the background: ' +
          'the response is then the export as JSON, and the file can be downloaded when the export is ' +
          'completed. Samples that arrive while a file is created may be missing from it. At most three ' +
          'direct downloads run at a time per tenant, and six in total; further requests receive 429 ' +
          'RATE_LIMITED or 503 SERVICE_OVERLOADED with Retry-After. Async exports are not counted.',
        body: CreateExport,
        response: {
          200: {
            description: 'The file, as an attachment; or the export that was begun.',
            content: { 'application/json': { schema: DataExport }, ...ReportResponse.content },
          },
        },
      },
    },
    async (request, reply) => {
      const { body, principal } = request
      const started = await startExport(deps, {
        tenant: request.tenantDb(),
        body: withLocale(reply, body),
        userId: principal.id,
        beforeFile: () => holdSlot(app, principal.tenantId, reply),
      })
      if ('waiting' in started) {
        runner.wake()
        return started.waiting
      }
      const { request: stored, content } = started
      return reply
        .type(CONTENT_TYPES[stored.format])
        .header('Content-Disposition', attachment(stored.file_name))
        .send(content)
    },
  )
  backgroundRoutes(app)
}

function backgroundRoutes(app: App): void {
  const { deps } = app
  const onElsewhere = noteFilesElsewhere(deps)

  app.get(
    '/exports',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listExports',
        summary: 'List background exports',
        querystring: ExportQuery,
        response: { 200: Page(DataExport) },
      },
    },
    async (request) => {
      const page = await exports.list(request.tenantDb(), request.query)
      return { ...page, items: page.items.map(toResponse) }
    },
  )

  getResource(
    app,
    '/exports/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getExport',
        summary: 'Get the state of an export',
        params: IdParams,
        response: { 200: DataExport },
      },
    },
    async (request) => toResponse(found('export', await exports.find(request.tenantDb(), request.params.id))),
  )

  app.get(
    '/exports/:id/download',
    {
      ...withErrors(read, 409),
      schema: {
        tags,
        operationId: 'downloadExport',
        summary: 'Download the file of a completed export',
        description:
          '409 STATE_CONFLICT until the export is completed. With several processes, only those that share the ' +
          'folder in which the file was created can send it; the others respond with 409.',
        params: IdParams,
        response: { 200: { description: 'The file as an attachment.', content: ReportResponse.content } },
      },
    },
    async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const file = await findFile(deps, { tenant: request.tenantDb(), id, onElsewhere })
      return reply
        .type(CONTENT_TYPES[file.format])
        .header('Content-Length', file.sizeBytes)
        .header('Content-Disposition', attachment(file.fileName))
        .send(createReadStream(file.path))
    },
  )

  app.delete(
    '/exports/:id',
    {
      ...operate,
      schema: {
        tags,
        operationId: 'deleteExport',
        summary: 'Delete an export with its file; a running export is stopped',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.tenantTx((tx) => deleteExport(deps, tx, request.params.id.toLowerCase()))
      return reply.code(204).send(null)
    },
  )
}
