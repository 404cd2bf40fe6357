import type { Readable } from 'node:stream'
import { allocateMatched } from '../../../core/netting/allocation.ts'
import { found, unprocessable } from '../../../kernel/errors.ts'
import { parsePeriod } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { openReport } from '../../../platform/reports/report.ts'
import { currentRunIds, findGroup, readRunInput } from '../calculation/index.ts'
import { NETTING_ERRORS } from '../shared/index.ts'
import { allocationReport } from './allocation.ts'
import { amountsReport, hoursReport, metersReport } from './hourly.ts'
import { makeWords } from './labels.ts'
import { ledgerReport } from './ledger.ts'
import type { ReportContext } from './report-context.ts'
import type { ReportQuery } from './schema.ts'
import { summaryReport } from './summary.ts'

export interface ReportRequest {
  readonly groupId: string
  readonly query: ReportQuery
  readonly now: number
}

export interface ReportFile {
  /** Without extension. */
  readonly fileName: string
  readonly content: Readable
}

/**
 * Opens a report of the current results of a period. Throws 404 for an unknown group, and 422 when no hour of
 * the month is calculated or a PDF would be too long.
 */
export async function openGroupReport(
  tenant: TenantDb,
  { groupId, query, now }: ReportRequest,
): Promise<ReportFile> {
  const billingPeriod = parsePeriod(query.billing_period) ?? query.billing_period
  const group = found('group', await findGroup(tenant, groupId))
  const runIds = await currentRunIds(tenant, { groupId, billingPeriod })
  if (runIds.length === 0 && query.kind !== 'ledger') {
    throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.MONTH_NOT_CALCULATED())
  }
  const { locale, format } = query
  const words = makeWords(locale, query.headers)
  const context: ReportContext = { tenant, group, billingPeriod, runIds, locale, words }
  const report = await REPORTS[query.kind](context)
  const content = await openReport(report, { format, locale, at: now })
  return { fileName: report.fileName, content }
}

const REPORTS = {
  hours: hoursReport,
  virtual_meters: metersReport,
  amounts: amountsReport,
  summary: summaryReport,
  ledger: ledgerReport,
  allocation: async (context: ReportContext) => {
    const allocated = []
    for (const runId of context.runIds) {
      const input = await readRunInput(context.tenant, runId)
      if (input) allocated.push(...allocateMatched(input))
    }
    return allocationReport(context, allocated)
  },
} as const
