import { Type } from 'typebox'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { setErrorShape } from '../../../platform/http/errors.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { sendReport } from '../../../platform/http/reports.ts'
import { acceptFiles, FileBody } from '../../../platform/http/upload.ts'
import { RECONCILE_FILE_BYTES_MAX, RECONCILE_ROWS_MAX } from '../limits.ts'
import { readSettings } from '../tenant-settings/index.ts'
import { Check, CheckQuery } from './check-schema.ts'
import { createCheck, findCheck } from './check-service.ts'
import { INVOICE_CHECKS_MAX } from './limits.ts'
import { openObjection } from './objection.ts'
import { InvoicePreview, PreviewQuery, previewFile } from './preview.ts'
import { ObjectionQuery, ObjectionResponse, ReconcileQuery, Reconciliation } from './schema.ts'
import { checkFile, periodOfQuery, reconcile, settingsOf } from './service.ts'

const InvoiceFileBody = Type.Object(FileBody('CSV file, XLSX workbook, e-Fatura or PDF.').properties, {
  title: 'InvoiceFile',
})

/**
 * A Fastify scope of its own, because its bodies are files. It accepts no Idempotency-Key: a repeated check is another
 * check of the same file, and both have the same objection.
 */
export function reconcileRoutes(app: App): void {
  setErrorShape(app, 'nested')
  acceptFiles(app, { bytesMax: RECONCILE_FILE_BYTES_MAX })
  app.after(() => {
    reconcileRoute(app)
    objectionRoute(app)
    checkRoute(app)
    previewRoute(app)
  })
}

function objectionRoute(app: App): void {
  app.post(
    '/groups/:id/objection',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'makeObjection',
        summary: 'Make the objection to an invoice: its differing lines with evidence, as PDF in Turkish',
        description:
          'Takes the file of a reconciliation and reads it in the same way. Nothing is written. 422 ' +
          'BUSINESS_RULE_VIOLATION if no line differs; the other errors are those of a reconciliation.',
        consumes: ['multipart/form-data'],
        params: IdParams,
        querystring: ObjectionQuery,
        body: InvoiceFileBody,
        response: { 201: ObjectionResponse },
      },
    },
    async (request, reply) => {
      const { name, bytes } = request.body.file
      const { query } = request
      const tenant = request.tenantDb()
      const [billingPeriod, settings] = [periodOfQuery(query), settingsOf(query)]
      const checked = await checkFile(tenant, { groupId: request.params.id, billingPeriod, settings, bytes })
      const days = query.objection_days ?? (await readSettings(tenant)).objection_days
      const { fileName, content } = await openObjection({
        group: checked.group,
        billingPeriod,
        invoice: checked.report,
        file: { name, sha256: checked.fileHash },
        receipt: query.received_on === undefined ? undefined : { on: query.received_on.slice(0, 10), days },
        now: app.deps.clock.now(),
      })
      return sendReport(reply.code(201), { fileName, format: 'pdf', content })
    },
  )
}

function reconcileRoute(app: App): void {
  app.post(
    '/groups/:id/reconcile',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'reconcileGroup',
        summary:
          'Compare the monthly figures of a supplier or market operator with the current results, row by row',
        description:
          'The file is a CSV file (UTF-8; comma, semicolon or tab) or the first sheet of an XLSX workbook, with ' +
          `rows by hour, day or month: at most 2 MiB and ${RECONCILE_ROWS_MAX} rows. The columns, their Turkish ` +
          'names and an example are in docs/understand/netting/reconcile.md. An invoice with one charge in a row, an ' +
          'e-Fatura (UBL-TR XML) or a PDF with text is read too, and every line is classified: ' +
          'docs/understand/netting/invoice-check.md. Nothing is written. 413 for a ' +
          'file that is too large, also after decompression; 422 FILE_NOT_READABLE, FILE_COLUMNS_UNKNOWN or ' +
          'FILE_TOO_MANY_ROWS. Errors in single rows are listed in the response.',
        consumes: ['multipart/form-data'],
        params: IdParams,
        querystring: ReconcileQuery,
        body: InvoiceFileBody,
        response: { 201: Reconciliation },
      },
    },
    async (request, reply) => {
      const report = await reconcile(request.tenantDb(), {
        groupId: request.params.id,
        billingPeriod: periodOfQuery(request.query),
        settings: settingsOf(request.query),
        bytes: request.body.file.bytes,
        language: languageOf(reply),
      })
      return reply.code(201).send(report)
    },
  )
}

function checkRoute(app: App): void {
  app.post(
    '/groups/:id/invoice-checks',
    {
      ...needs('manage:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'createInvoiceCheck',
        summary: 'Check an invoice against the current results, and store the check with the file',
        description:
          `As a reconciliation: docs/understand/netting/invoice-check.md. 409 STATE_CONFLICT beyond ` +
          `${INVOICE_CHECKS_MAX} checks or their storage.`,
        consumes: ['multipart/form-data'],
        params: IdParams,
        querystring: CheckQuery,
        body: InvoiceFileBody,
        response: { 201: Check },
      },
    },
    async (request, reply) => {
      const { name, bytes } = request.body.file
      const tenant = request.tenantDb()
      const by = { by: request.principal.id, at: app.deps.clock.now() }
      const id = await createCheck(
        { tenant, inTx: request.tenantTx.bind(request) },
        { groupId: request.params.id, query: request.query, file: { name, bytes }, ...by },
      )
      return reply.code(201).send(await findCheck(tenant, id, languageOf(reply)))
    },
  )
}

function previewRoute(app: App): void {
  app.post(
    '/invoice-preview',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'previewInvoice',
        summary: 'Show how the fields of an invoice would be read, with its first rows',
        description:
          'Also of a file whose columns are unknown. Nothing is written. Errors as for a reconciliation.',
        consumes: ['multipart/form-data'],
        querystring: PreviewQuery,
        body: InvoiceFileBody,
        response: { 201: InvoicePreview },
      },
    },
    async (request, reply) => {
      const options = { query: request.query, bytes: request.body.file.bytes }
      return reply.code(201).send(await previewFile(request.tenantDb(), options))
    },
  )
}
