import { found } from '../../../kernel/errors.ts'
import { forSuperuser, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { ReportResponse, sendReport, withLocale } from '../../../platform/http/reports.ts'
import { openReport } from '../../../platform/reports/report.ts'
import { findTenantKey } from '../../access/quotas/index.ts'
import { changeReport, refuseLongRange } from './report.ts'
import { ChangePage, ChangeQuery, ChangeReportQuery } from './schema.ts'
import { list } from './store.ts'

const tags = ['change log']

/** The change log of the caller's tenant, for those who manage its users. */
export function changeRoutes(app: App): void {
  app.get(
    '/',
    {
      ...needs('manage:user'),
      schema: {
        tags,
        operationId: 'listChanges',
        summary: 'List changes of the configuration: who changed what, with old and new values',
        description:
          'The log is append-only and complete: each record is written in the transaction of its change. Samples, ' +
          'incidents, calculations and commands have records of their own.',
        querystring: ChangeQuery,
        response: { 200: ChangePage },
      },
    },
    (request) => list(request.tenantDb(), request.query),
  )

  app.get(
    '/report',
    {
      ...needs('manage:user'),
      schema: {
        tags,
        operationId: 'getChangeReport',
        summary: 'Download changes as CSV, XLSX or PDF, in Turkish or English',
        description:
          'The changes are read while the file is written, oldest first. 422 REPORT_TOO_LONG if there are too many ' +
          'for a PDF.',
        querystring: ChangeReportQuery,
        response: { 200: ReportResponse },
      },
    },
    async (request, reply) => {
      const query = withLocale(reply, request.query)
      refuseLongRange(query)
      const report = changeReport(request.tenantDb(), query)
      const { format, locale } = query
      const content = await openReport(report, { format, locale, at: app.deps.clock.now() })
      return sendReport(reply, { fileName: report.fileName, format, content })
    },
  )
}

/** The change log of any tenant; mounted at /api/v1/admin/tenants. */
export function tenantChangeRoutes(app: App): void {
  app.get(
    '/:id/changes',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'listTenantChanges',
        summary: 'List changes of the configuration of a tenant',
        params: IdParams,
        querystring: ChangeQuery,
        response: { 200: ChangePage },
      },
    },
    async (request) => {
      const { db } = request.systemDb()
      const tenantId = found('tenant', await findTenantKey(request.systemDb(), request.params.id))
      return list({ db, tenantId }, request.query)
    },
  )
}
