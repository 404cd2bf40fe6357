import { sql } from 'kysely'
import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import type { EligibilityStatus } from '../../../core/netting/types.ts'
import type { Message } from '../../../kernel/messages.ts'
import { type BillingPeriod, periodEnd } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { type Reason, reasonColumns, storedReason } from '../../../platform/db/reason-columns.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { Listed } from '../../../platform/http/page.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'eligibility_run.rules': readonly RuleRow[]
    'eligibility_run.reason_content': Message
  }
}

/** A rule result in the form of the table and of the wire. */
export interface RuleRow {
  readonly code: string
  readonly status: string
  readonly severity: string
  readonly is_blocking: boolean
  readonly reason_code?: string
  readonly message: Message
  readonly details?: Record<string, unknown>
}

export interface NewEvaluation {
  readonly groupId: string
  readonly status: EligibilityStatus
  readonly rules: readonly RuleRow[]
  readonly triggeredBy:
    | 'schedule'
    | 'request'
    | 'tariff_approval'
    | 'calculation'
    | 'correction'
    | 'period_request'
  /** The period that was over; absent for an evaluation of the one that runs. */
  readonly billingPeriod?: BillingPeriod
  readonly reason?: Reason | null
  readonly keptFrom?: string | null
  /** Null for an evaluation without a user. */
  readonly by: string | null
  readonly at: number
}

/** Appends an evaluation to the log and returns its id. The caller holds the lock on the group. */
export async function appendEvaluation(
  { db, tenantId }: TenantTx,
  evaluation: NewEvaluation,
): Promise<string> {
  const { groupId, status, rules, triggeredBy, billingPeriod, reason, keptFrom, by, at } = evaluation
  const { id } = await db
    .insertInto('eligibility_run')
    .values({
      tenant_id: tenantId,
      group_id: groupId,
      eligibility_status: status,
      rules: toJson(rules),
      triggered_by: triggeredBy,
      billing_period: billingPeriod ?? null,
      ...reasonColumns(reason ?? null),
      kept_from: keptFrom ?? null,
      evaluated_by: by,
      evaluated_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Appends an evaluation of the period that runs, and sets the group's status. */
export async function appendCurrent(tx: TenantTx, evaluation: NewEvaluation): Promise<string> {
  const id = await appendEvaluation(tx, evaluation)
  await updateRows(tx, 'netting_group')
    .set({ eligibility_status: evaluation.status })
    .where('id', '=', evaluation.groupId)
    .execute()
  return id
}

const evaluations = (tenant: TenantDb) =>
  selectRows(tenant, 'eligibility_run')
    .select(['id', 'eligibility_status', 'rules', 'billing_period', 'triggered_by', 'kept_from'])
    .select([storedReason.as('reason'), 'evaluated_by', 'evaluated_at'])
    .$narrowType<{ eligibility_status: EligibilityStatus }>()

export const findEvaluation = (tenant: TenantDb, id: string) =>
  evaluations(tenant).where('id', '=', id).executeTakeFirst()

export type LoggedEvaluation = NonNullable<Awaited<ReturnType<typeof findEvaluation>>>

interface PeriodOfGroup {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** True: only the evaluations that a superuser requested. */
  readonly isRequested?: true
}

/** Returns the last evaluation of a period that was made after its end. */
export const findPeriodEvaluation = (
  tenant: TenantDb,
  { groupId, billingPeriod, isRequested }: PeriodOfGroup,
): Promise<LoggedEvaluation | undefined> =>
  evaluations(tenant)
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .$if(isRequested === true, (query) => query.where('triggered_by', '=', 'period_request'))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** An evaluation of the log, or the status of a group before its first one. */
export interface EligibilityRow {
  readonly id: string | null
  readonly group_id: string
  readonly eligibility_status: EligibilityStatus
  readonly evaluated_at: Date | null
  readonly rules: JsonColumns['eligibility_run.rules'] | null
  readonly billing_period: BillingPeriod | null
  readonly triggered_by: NewEvaluation['triggeredBy'] | null
  readonly reason: Reason | null
  readonly kept_from: string | null
}

/**
 * Returns the group with its latest evaluation of the present, or with that of a period: the latest after its
 * end, else the last before its end. Read in one statement.
 */
export async function findEligibility(
  { db, tenantId }: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod | undefined,
): Promise<EligibilityRow | undefined> {
  const isWanted =
    billingPeriod === undefined
      ? sql`billing_period is null`
      : sql`(billing_period = ${billingPeriod}
          or (billing_period is null and evaluated_at < ${new Date(periodEnd(billingPeriod))}))`
  const { rows } = await sql<EligibilityRow>`
    select g.id as group_id, coalesce(r.eligibility_status, g.eligibility_status) as eligibility_status,
      r.id, r.evaluated_at, r.rules, r.billing_period, r.triggered_by, r.reason, r.kept_from
    from netting_group g
    left join lateral (
      select id, eligibility_status, evaluated_at, rules, billing_period, triggered_by, kept_from,
        ${storedReason} as reason
      from eligibility_run
      where tenant_id = ${tenantId} and group_id = g.id and ${isWanted}
      order by billing_period is null, seq desc limit 1) r on true
    where (g.tenant_id, g.id) = (${tenantId}, ${groupId})`.execute(db)
  return rows[0]
}

interface LogQuery {
  readonly billing_period: BillingPeriod | undefined
  readonly limit: number
  readonly offset: number
}

/** Returns the logged evaluations of a group, latest first. */
export const listEvaluations = (
  tenant: TenantDb,
  groupId: string,
  query: LogQuery,
): Promise<Listed<EligibilityRow>> => {
  const { billing_period: period } = query
  const rows = selectRows(tenant, 'eligibility_run')
    .select(['id', 'group_id', 'eligibility_status', 'evaluated_at', 'rules', 'billing_period'])
    .select(['triggered_by', storedReason.as('reason'), 'kept_from'])
    .where('group_id', '=', groupId)
    .$if(period !== undefined, (query) => query.where('billing_period', '=', period ?? ''))
    .orderBy('seq', 'desc')
  return readList(rows.$castTo<EligibilityRow>(), query)
}

/** True when a period has current runs of the scenario of a blocked group, or of the other scenarios. */
export async function hasRunsOf(
  tenant: TenantDb,
  {
    groupId,
    billingPeriod,
    isBlocked,
  }: { groupId: string; billingPeriod: BillingPeriod; isBlocked: boolean },
): Promise<boolean> {
  const run = await selectRows(tenant, 'calculation_run')
    .select('id')
    .where('group_id', '=', groupId)
    .where('billing_period', '=', billingPeriod)
    .where('is_current', '=', true)
    .where('scenario', isBlocked ? '=' : '<>', 'invalid_group_bedelsiz')
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}

/**
 * Returns the result of the last evaluation made before an instant, which is the end of a period; without one
 * the current status. Evaluations of periods that were over do not count. The group exists.
 */
export async function runningEvaluation(
  { db, tenantId }: TenantDb,
  groupId: string,
  before: number,
): Promise<{ status: EligibilityStatus; evaluationId: string | null }> {
  const { rows } = await sql<{ status: EligibilityStatus; id: string | null }>`
    select coalesce(r.eligibility_status, g.eligibility_status) as status, r.id
    from netting_group g
    left join lateral (
      select id, eligibility_status from eligibility_run
      where tenant_id = ${tenantId} and group_id = g.id and billing_period is null
        and evaluated_at < ${new Date(before)}
      order by seq desc limit 1) r on true
    where (g.tenant_id, g.id) = (${tenantId}, ${groupId})`.execute(db)
  return { status: rows[0]?.status ?? 'not_checked', evaluationId: rows[0]?.id ?? null }
}

export interface GroupKey {
  readonly tenantId: number
  readonly groupId: string
}

/**
 * Groups of all tenants whose latest evaluation failed a rule, one page by key. `after` is the last key of
 * the previous page.
 */
export async function listBlockedBy(
  { db }: SystemDb,
  code: RuleResult['code'],
  { after, limit }: { readonly after: GroupKey | undefined; readonly limit: number },
): Promise<GroupKey[]> {
  const failed = JSON.stringify([{ code, status: 'fail' }])
  const afterKey = after ? sql`and (g.tenant_id, g.id) > (${after.tenantId}, ${after.groupId}::uuid)` : sql``
  const { rows } = await sql<{ tenant_id: number; id: string }>`
    select g.tenant_id, g.id from netting_group g
    where g.eligibility_status = 'blocked' ${afterKey}
      and exists (select 1 from tenant t where t.id = g.tenant_id and t.is_active) and (
      select r.rules from eligibility_run r
      where r.tenant_id = g.tenant_id and r.group_id = g.id and r.billing_period is null
      order by r.seq desc limit 1) @> ${failed}::jsonb
    order by g.tenant_id, g.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ tenantId: row.tenant_id, groupId: row.id }))
}
