import { found, invalidReference } from '../../../kernel/errors.ts'
import { type Language, textOf } from '../../../kernel/messages.ts'
import { type BillingPeriod, parsePeriod } from '../../../kernel/time.ts'
import { inTenantTx, type SystemDb, systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { REQUESTED_JOBS } from '../shared/index.ts'
import { enqueueCalculation } from './calculation.ts'
import * as store from './calculation-store.ts'
import { type HistoryError, type HistoryReport, importHistory } from './import.ts'
import type { CalculateHistory, HistoryForm } from './schema.ts'

export interface TargetTenant {
  readonly key: number
  /** The public id. */
  readonly id: string
}

interface Caller {
  readonly id: string
  readonly tenantId: number
  readonly tenantUid: string
}

/** The tenant that a superuser names, by default their own. 422 for an unknown one. */
async function targetOf(
  system: SystemDb,
  caller: Caller,
  tenantId: string | undefined,
): Promise<TargetTenant> {
  if (tenantId === undefined) return { key: caller.tenantId, id: caller.tenantUid }
  const tenant = await store.findTenant(system, { id: tenantId.toLowerCase() })
  if (!tenant) throw invalidReference('tenant_id')
  return tenant
}

/** The text of an error in a language. */
export const errorText = ({ content, text }: HistoryError, language: Language): string =>
  content ? textOf(content, language) : text

/** Handles POST history: imports the files and, when asked for, orders the calculation of all months. */
export async function importOnRequest(
  deps: Deps,
  { caller, body, language }: { caller: Caller; body: HistoryForm; language: Language },
) {
  const tenant = await targetOf(systemDb(deps.database.kysely), caller, body.tenant_id)
  const report = await importHistory(deps, {
    tenantId: tenant.key,
    userId: caller.id,
    files: body.file,
    isDryRun: body.dry_run === 'true',
    isToCalculate: body.calculate === 'true',
  })
  const db = tenantDb(deps.database.kysely, tenant.key)
  const { calculationId } = report
  if (calculationId !== null) requestJob(deps, { job: REQUESTED_JOBS.history, tenantId: tenant.key })
  const calculation = calculationId === null ? null : await readCalculation(db, tenant, calculationId)
  return { ...reportBody(report, language), tenant_id: tenant.id, calculation }
}

function reportBody({ isDryRun, isApplied, rows, errors, errorCount }: HistoryReport, language: Language) {
  const countOf = (result: string) => rows.filter((row) => row.result === result).length
  return {
    dry_run: isDryRun,
    applied: isApplied,
    created: countOf('created'),
    unchanged: countOf('unchanged'),
    rows: [...rows],
    errors: errors.map((error) => {
      const { file, sheet, row, column, code, content } = error
      const parameters = content?.parameters ?? {}
      return { file, sheet, row, column, code, message: errorText(error, language), parameters }
    }),
    error_count: errorCount,
  }
}

interface Months {
  readonly userId: string | null
  readonly from?: BillingPeriod | undefined
  readonly to?: BillingPeriod | undefined
}

async function order(deps: Deps, tenant: TargetTenant, months: Months) {
  const { database, clock } = deps
  const id = await inTenantTx(database.kysely, tenant.key, (tx) =>
    enqueueCalculation(tx, { ...months, at: clock.now() }),
  )
  requestJob(deps, { job: REQUESTED_JOBS.history, tenantId: tenant.key })
  return readCalculation(tenantDb(database.kysely, tenant.key), tenant, id)
}

/** Handles POST history/calculate. */
export async function calculateOnRequest(deps: Deps, caller: Caller, body: CalculateHistory) {
  const tenant = await targetOf(systemDb(deps.database.kysely), caller, body.tenant_id)
  const monthOf = (text: string | undefined) => (text === undefined ? undefined : parsePeriod(text))
  return order(deps, tenant, { userId: caller.id, from: monthOf(body.from), to: monthOf(body.to) })
}

/** A calculation of any tenant, with its steps; 404 for an unknown one. */
export async function findCalculation({ database }: Deps, id: string) {
  const tenant = found('calculation', await store.findTenantOf(systemDb(database.kysely), id))
  return readCalculation(tenantDb(database.kysely, tenant.key), tenant, id)
}

async function readCalculation(db: ReturnType<typeof tenantDb>, tenant: TargetTenant, id: string) {
  const calculation = found('calculation', await store.findCalculation(db, id))
  const steps = await store.listSteps(db, id)
  return {
    id: calculation.id,
    tenant_id: tenant.id,
    state: calculation.state,
    from: calculation.from_period,
    to: calculation.to_period,
    steps_total: steps.length,
    steps_done: steps.filter(({ state }) => state !== 'open').length,
    created_at: calculation.created_at,
    finished_at: calculation.finished_at,
    steps,
  }
}
