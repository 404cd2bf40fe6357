import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { attachment } from '../../../platform/http/attachment.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { languageOf } from '../../../platform/http/language.ts'
import { sendList } from '../../../platform/http/page.ts'
import { ReportResponse, sendReport, withLocale } from '../../../platform/http/reports.ts'
import { compareChecks } from './check-comparison.ts'
import { openCheckReport } from './check-report.ts'
import {
  Check,
  CheckComparison,
  CheckHead,
  CheckReportQuery,
  ChecksQuery,
  ComparisonQuery,
  NewStep,
  UpdateObjection,
} from './check-schema.ts'
import * as service from './check-service.ts'
import { readFile } from './check-store.ts'
import { INVOICE_CHECKS_MAX } from './limits.ts'
import { openObjection } from './objection.ts'
import { addStep, updateObjection } from './objection-service.ts'
import { ObjectionResponse } from './schema.ts'

const tags = ['netting proof']
const read = needs('read:netting')
const manage = needs('manage:netting')

/** Stored checks of invoices and their objections. The upload is in `routes.ts`. */
export function invoiceCheckRoutes(app: App): void {
  app.get(
    '/invoice-checks',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listInvoiceChecks',
        summary: 'List the stored invoice checks, newest first',
        querystring: ChecksQuery,
        response: { 200: Type.Array(CheckHead) },
      },
    },
    async (request, reply) => sendList(reply, await service.listChecks(request.tenantDb(), request.query)),
  )
  getResource(
    app,
    '/invoice-checks/:id',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getInvoiceCheck',
        summary: 'Get a stored invoice check with its report',
        params: IdParams,
        response: { 200: Check },
      },
    },
    (request, language) => service.findCheck(request.tenantDb(), request.params.id, language()),
  )
  writeRoutes(app)
  objectionRoutes(app)
  fileRoutes(app)
}

function writeRoutes(app: App): void {
  app.post(
    '/invoice-checks/:id/repeat',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'repeatInvoiceCheck',
        summary: 'Check the file again, with the current results and field mapping, as a new check',
        description: `The check is unchanged. 409 STATE_CONFLICT beyond ${INVOICE_CHECKS_MAX} checks.`,
        params: IdParams,
        response: { 201: Check },
      },
    },
    async (request, reply) => {
      const by = { by: request.principal.id, at: app.deps.clock.now() }
      const databases = { tenant: request.tenantDb(), inTx: request.tenantTx.bind(request) }
      const id = await service.repeatCheck(databases, request.params.id, by)
      return reply.code(201).send(await service.findCheck(request.tenantDb(), id, languageOf(reply)))
    },
  )
  app.delete(
    '/invoice-checks/:id',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'deleteInvoiceCheck',
        summary: 'Delete a stored check; the last one of a file with the file and its objection',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const at = app.deps.clock.now()
      await request.tenantTx((tx) => service.deleteCheck(tx, request.params.id, at))
      return reply.code(204).send(null)
    },
  )
  app.get(
    '/invoice-checks/:id/comparison',
    {
      ...read,
      schema: {
        tags,
        operationId: 'compareInvoiceChecks',
        summary: 'Compare a stored check with an earlier one of the same group and month',
        params: IdParams,
        querystring: ComparisonQuery,
        response: { 200: CheckComparison },
      },
    },
    async (request) => {
      const { before, after } = await service.findCompared(
        request.tenantDb(),
        request.params.id,
        request.query.with,
      )
      return compareChecks(before, after)
    },
  )
}

function objectionRoutes(app: App): void {
  app.patch(
    '/invoice-checks/:id/objection',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'updateInvoiceObjection',
        summary: 'Change the day of receipt or the term of the objection',
        params: IdParams,
        body: UpdateObjection,
        response: { 200: Check },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      await request.tenantTx(async (tx) => {
        const check = await service.findRow(tx, params.id)
        await updateObjection(tx, check, { body, by: principal.id, at: app.deps.clock.now() })
      })
      return service.findCheck(request.tenantDb(), params.id, languageOf(reply))
    },
  )
  app.post(
    '/invoice-checks/:id/objection-steps',
    {
      ...manage,
      schema: {
        tags,
        operationId: 'addInvoiceObjectionStep',
        summary: 'Record that the objection was sent, answered or settled, or is open again',
        params: IdParams,
        body: NewStep,
        response: { 201: Check },
      },
    },
    async (request, reply) => {
      const { body, params, principal } = request
      await request.tenantTx(async (tx) => {
        const check = await service.findRow(tx, params.id)
        await addStep(tx, check, { body, by: principal.id, at: app.deps.clock.now() })
      })
      return reply.code(201).send(await service.findCheck(request.tenantDb(), params.id, languageOf(reply)))
    },
  )
  app.get(
    '/invoice-checks/:id/objection',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getInvoiceObjection',
        summary: 'Download the objection of a stored check as PDF in Turkish',
        description: '422 BUSINESS_RULE_VIOLATION if no line differs.',
        params: IdParams,
        response: { 200: ObjectionResponse },
      },
    },
    async (request, reply) => {
      const tenant = request.tenantDb()
      const row = await service.findRow(tenant, request.params.id)
      const { report } = await service.findContent(tenant, row.id)
      const { fileName, content } = await openObjection({
        group: { id: row.group_id, name: row.group_name },
        billingPeriod: row.billing_period,
        invoice: report,
        file: { name: row.file_name, sha256: row.file_sha256 },
        receipt: { on: row.received_on, days: row.objection_days },
        now: app.deps.clock.now(),
      })
      return sendReport(reply, { fileName, format: 'pdf', content })
    },
  )
}

const FileResponse = {
  description: 'The file, as an attachment.',
  content: {
    'application/octet-stream': {
      schema: Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' }),
    },
  },
}

function fileRoutes(app: App): void {
  app.get(
    '/invoice-checks/:id/file',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getInvoiceCheckFile',
        summary: 'Download the file of a stored check, byte for byte',
        params: IdParams,
        response: { 200: FileResponse },
      },
    },
    async (request, reply) => {
      const tenant = request.tenantDb()
      const { file_name, file_sha256 } = await service.findRow(tenant, request.params.id)
      const bytes = found('invoice file', await readFile(tenant, file_sha256))
      return reply
        .type('application/octet-stream')
        .header('Content-Disposition', attachment(file_name))
        .send(Readable.from([bytes]))
    },
  )
  app.get(
    '/invoice-checks/:id/report',
    {
      ...read,
      schema: {
        tags,
        operationId: 'getInvoiceCheckReport',
        summary: 'Download the lines of a stored check as CSV, XLSX or PDF, in Turkish or English',
        params: IdParams,
        querystring: CheckReportQuery,
        response: { 200: ReportResponse },
      },
    },
    async (request, reply) => {
      const query = withLocale(reply, request.query)
      const tenant = request.tenantDb()
      const row = await service.findRow(tenant, request.params.id)
      const content = await service.findContent(tenant, row.id)
      const file = await openCheckReport(row, content, { query, now: app.deps.clock.now() })
      return sendReport(reply, { ...file, format: query.format })
    },
  )
}
