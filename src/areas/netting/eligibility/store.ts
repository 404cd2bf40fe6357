import { sql } from 'kysely'
import type { RuleResult } from '../../../core/netting/eligibility/types.ts'
import type { AboneGrubu, EligibilityStatus, MemberRole } from '../../../core/netting/types.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'eligibility_run.rules': readonly RuleRow[]
  }
}

/** A rule result in the form of the table and of the wire. */
export interface RuleRow {
  readonly code: string
  readonly status: string
  readonly severity: string
  readonly is_blocking: boolean
  readonly reason_code?: string
  readonly message: string
  readonly details?: Record<string, unknown>
}

/**
 * Locks the group, so that its evaluations are logged in order. A statement that only refers to the group
 * does not wait.
 */
export const lockGroup = (tx: TenantTx, id: string) =>
  selectRows(tx, 'netting_group')
    .select(['id', 'scope_id', 'responsible_supplier_id', 'group_status'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const findScope = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'scope')
    .select(['id', 'name', 'declaration_source'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the members on a Turkey-local day, with the current properties of their facilities. */
export const listActiveMembers = (tenant: TenantDb, groupId: string, today: string) =>
  selectRows(tenant, 'group_member as m')
    .innerJoin('facility as f', (join) =>
      join.onRef('f.tenant_id', '=', 'm.tenant_id').onRef('f.id', '=', 'm.facility_id'),
    )
    .select(['m.facility_id', 'f.name', 'm.member_role', 'f.scope_id', 'f.supplier_id', 'f.abone_grubu'])
    .where('m.group_id', '=', groupId)
    .where('m.valid_from', '<=', today)
    .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', today)]))
    .orderBy('f.name')
    .orderBy('m.facility_id')
    .$narrowType<{ member_role: MemberRole; abone_grubu: AboneGrubu | null }>()
    .execute()

interface FacilitiesInYear {
  readonly facilityIds: readonly string[]
  readonly year: number
}

export const listAccounts = (tenant: TenantDb, { facilityIds, year }: FacilitiesInYear) =>
  selectRows(tenant, 'limit_account')
    .select(['id', 'facility_id'])
    .where('year', '=', year)
    .where('facility_id', '=', sql<string>`any(${facilityIds}::uuid[])`)
    .execute()

/**
 * Both sides of a transfer are movements and carry its confirmation. A side on the account of a non-member is
 * left out.
 */
export const listTransfers = (tenant: TenantDb, { facilityIds, year }: FacilitiesInYear) =>
  selectRows(tenant, 'limit_movement as t')
    .innerJoin('limit_account as a', (join) =>
      join.onRef('a.tenant_id', '=', 't.tenant_id').onRef('a.id', '=', 't.account_id'),
    )
    .select(['t.id', 'a.facility_id', 't.contracted_power_confirmed'])
    .where('t.movement_type', 'in', ['group_transfer_out', 'group_transfer_in'])
    .where('a.year', '=', year)
    .where('a.facility_id', '=', sql<string>`any(${facilityIds}::uuid[])`)
    .execute()

export interface NewRun {
  readonly groupId: string
  readonly status: EligibilityStatus
  readonly rules: readonly RuleRow[]
  /** Null for an evaluation without a user. */
  readonly by: string | null
  readonly at: number
}

/** Appends the evaluation to the log and sets the group's status. The caller holds the lock on the group. */
export async function appendRun(tx: TenantTx, { groupId, status, rules, by, at }: NewRun): Promise<void> {
  await tx.db
    .insertInto('eligibility_run')
    .values({
      tenant_id: tx.tenantId,
      group_id: groupId,
      eligibility_status: status,
      rules: toJson(rules),
      evaluated_by: by,
      evaluated_at: new Date(at),
    })
    .execute()
  await updateRows(tx, 'netting_group')
    .set({ eligibility_status: status })
    .where('id', '=', groupId)
    .execute()
}

/** Returns the group with its latest evaluation, read in one statement. */
export async function findEligibility({ db, tenantId }: TenantDb, groupId: string) {
  const { rows } = await sql<{
    id: string
    eligibility_status: string
    evaluated_at: Date | null
    rules: JsonColumns['eligibility_run.rules'] | null
  }>`
    select g.id, coalesce(r.eligibility_status, g.eligibility_status) as eligibility_status,
      r.evaluated_at, r.rules
    from netting_group g
    left join lateral (
      select eligibility_status, evaluated_at, rules from eligibility_run
      where tenant_id = g.tenant_id and group_id = g.id
      order by seq desc limit 1) r on true
    where (g.tenant_id, g.id) = (${tenantId}, ${groupId})`.execute(db)
  return rows[0]
}

/**
 * Returns the status with which a period is calculated: the result of the last evaluation made before an
 * instant, which is the period's end; without one the current status. The group exists.
 */
export async function statusInForce(
  { db, tenantId }: TenantDb,
  groupId: string,
  before: number,
): Promise<EligibilityStatus> {
  const { rows } = await sql<{ status: EligibilityStatus }>`
    select coalesce((
      select eligibility_status from eligibility_run
      where tenant_id = g.tenant_id and group_id = g.id and evaluated_at < ${new Date(before)}
      order by seq desc limit 1), g.eligibility_status) as status
    from netting_group g where (g.tenant_id, g.id) = (${tenantId}, ${groupId})`.execute(db)
  return rows[0]?.status ?? 'not_checked'
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
    where g.eligibility_status = 'blocked' ${afterKey} and (
      select r.rules from eligibility_run r
      where r.tenant_id = g.tenant_id and r.group_id = g.id
      order by r.seq desc limit 1) @> ${failed}::jsonb
    order by g.tenant_id, g.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ tenantId: row.tenant_id, groupId: row.id }))
}
