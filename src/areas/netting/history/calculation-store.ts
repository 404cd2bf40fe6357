import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'history_calculation_step.error_message': Message
  }
}

export interface PlannedStep {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
}

interface Months {
  readonly from: BillingPeriod
  readonly to: BillingPeriod
}

/** The months of active groups with a member in them, in order of time. */
export async function planSteps({ db, tenantId }: TenantDb, { from, to }: Months): Promise<PlannedStep[]> {
  const { rows } = await sql<PlannedStep>`
    select g.id as "groupId", month::date::text as "billingPeriod"
    from netting_group g, generate_series(${from}::date, ${to}::date, interval '1 month') month
    where g.tenant_id = ${tenantId} and g.is_active and exists (
      select 1 from group_member m
      where m.tenant_id = ${tenantId} and m.group_id = g.id
        and m.valid_from < (month + interval '1 month')::date and (m.valid_to is null or m.valid_to > month::date)
        and (m.valid_to is null or m.valid_to > m.valid_from))
    order by month, g.id`.execute(db)
  return rows
}

/** The first day on which a facility is a member of an active group. */
export async function firstMemberDay({ db, tenantId }: TenantDb): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select min(m.valid_from)::text as day from group_member m
    join netting_group g on g.tenant_id = m.tenant_id and g.id = m.group_id
    where m.tenant_id = ${tenantId} and g.is_active`.execute(db)
  return rows[0]?.day ?? undefined
}

export const countOpen = async (tx: TenantTx): Promise<number> => {
  const { count } = await selectRows(tx, 'history_calculation')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface NewCalculation extends Months {
  readonly requestedBy: string | null
  readonly at: number
  readonly steps: readonly PlannedStep[]
}

/** Inserts a calculation with its steps. Returns its id. */
export async function insertCalculation(
  { db, tenantId }: TenantTx,
  calculation: NewCalculation,
): Promise<string> {
  const { from, to, requestedBy, at, steps } = calculation
  const { id } = await db
    .insertInto('history_calculation')
    .values({
      tenant_id: tenantId,
      from_period: from,
      to_period: to,
      requested_by: requestedBy,
      created_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into history_calculation_step (tenant_id, job_id, billing_period, group_id)
    select ${tenantId}::int, ${id}::uuid, s.period, s.group_id
    from unnest(${steps.map((step) => step.billingPeriod)}::date[], ${steps.map((step) => step.groupId)}::uuid[])
      s(period, group_id)`.execute(db)
  return id
}

/** Deletes the oldest finished calculations, so that a number of them is kept. */
export async function deleteOldest({ db, tenantId }: TenantTx, keptMax: number): Promise<void> {
  await sql`
    delete from history_calculation where tenant_id = ${tenantId} and state <> 'open' and id in (
      select id from history_calculation where tenant_id = ${tenantId}
      order by created_at desc, id offset ${keptMax})`.execute(db)
}

export const findCalculation = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'history_calculation').selectAll().where('id', '=', id).executeTakeFirst()

/** The tenant of a calculation, for the superuser, who works across tenants. */
export const findTenantOf = ({ db }: SystemDb, id: string) =>
  db
    .selectFrom('history_calculation')
    .innerJoin('tenant', 'tenant.id', 'history_calculation.tenant_id')
    .select(['tenant.id as key', 'tenant.uid as id'])
    .where('history_calculation.id', '=', id)
    .executeTakeFirst()

/** The steps of a calculation with the names of their groups, in order of time. */
export const listSteps = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'history_calculation_step as s')
    .innerJoin('netting_group as g', (join) =>
      join.onRef('g.tenant_id', '=', 's.tenant_id').onRef('g.id', '=', 's.group_id'),
    )
    .select([
      's.billing_period',
      's.group_id',
      'g.name as group_name',
      's.state',
      's.hours',
      's.error_code',
      's.error_message',
      's.finished_at',
    ])
    .where('s.job_id', '=', id)
    .orderBy('s.billing_period')
    .orderBy('s.group_id')
    .execute()

/** The next step in order of time; undefined when all are finished. */
export const nextStep = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'history_calculation_step')
    .select(['billing_period as billingPeriod', 'group_id as groupId'])
    .where('job_id', '=', id)
    .where('state', '=', 'open')
    .orderBy('billing_period')
    .orderBy('group_id')
    .limit(1)
    .executeTakeFirst()

export interface StepOutcome {
  readonly state: 'calculated' | 'unchanged' | 'failed' | 'skipped'
  readonly hours?: number
  readonly errorCode?: string
  readonly errorMessage?: Message
}

const openSteps = (tx: TenantTx, id: string, groupId: string) =>
  updateRows(tx, 'history_calculation_step')
    .where('job_id', '=', id)
    .where('group_id', '=', groupId)
    .where('state', '=', 'open')

const columnsOf = ({ state, hours, errorCode, errorMessage }: StepOutcome, at: number) => ({
  state,
  hours: hours ?? null,
  error_code: errorCode ?? null,
  error_message: errorMessage ? toJson(errorMessage) : null,
  finished_at: new Date(at),
})

/** Finishes a step, unless another process has finished it. */
export const finishStep = (
  tx: TenantTx,
  { id, groupId, billingPeriod }: PlannedStep & { readonly id: string },
  { at, ...outcome }: StepOutcome & { readonly at: number },
) =>
  openSteps(tx, id, groupId).where('billing_period', '=', billingPeriod).set(columnsOf(outcome, at)).execute()

/** Finishes the steps of a group that are still open. */
export const skipGroup = (
  tx: TenantTx,
  { id, groupId }: { readonly id: string; readonly groupId: string },
  { at, ...outcome }: StepOutcome & { readonly at: number },
) => openSteps(tx, id, groupId).set(columnsOf(outcome, at)).execute()

/** Ends a calculation without open steps. */
export async function finishCalculation({ db, tenantId }: TenantTx, id: string, at: number): Promise<void> {
  await sql`
    update history_calculation set finished_at = ${new Date(at)}, state = case when exists (
      select 1 from history_calculation_step
      where tenant_id = ${tenantId} and job_id = ${id} and state = 'failed') then 'failed' else 'done' end
    where tenant_id = ${tenantId} and id = ${id} and state = 'open'`.execute(db)
}

/** The facilities that are members of a group in some day of a month. */
export async function memberFacilities(
  { db, tenantId }: TenantDb,
  { groupId, billingPeriod }: PlannedStep,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct facility_id as id from group_member
    where tenant_id = ${tenantId} and group_id = ${groupId}
      and valid_from < (${billingPeriod}::date + interval '1 month')::date
      and (valid_to is null or valid_to > ${billingPeriod}::date)
    order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

export interface CalculationKey {
  readonly tenantId: number
  readonly id: string
}

interface OpenQuery {
  readonly limit: number
  /** All tenants when undefined. */
  readonly tenantId: number | undefined
}

/** The oldest open calculations of active tenants. */
export async function listOpen({ db }: SystemDb, { limit, tenantId }: OpenQuery): Promise<CalculationKey[]> {
  const ofTenant = tenantId === undefined ? sql`` : sql`and h.tenant_id = ${tenantId}`
  const { rows } = await sql<{ tenant_id: number; id: string }>`
    select h.tenant_id, h.id from history_calculation h
    where h.state = 'open' and exists (select 1 from tenant t where t.id = h.tenant_id and t.is_active) ${ofTenant}
    order by created_at, tenant_id, id limit ${limit}`.execute(db)
  return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id }))
}

/** A tenant by its public id or its short name. */
export const findTenant = ({ db }: SystemDb, by: { readonly id: string } | { readonly slug: string }) => {
  const tenants = db.selectFrom('tenant').select(['id as key', 'uid as id', 'slug'])
  return (
    'id' in by ? tenants.where('uid', '=', by.id) : tenants.where('slug', '=', by.slug)
  ).executeTakeFirst()
}
