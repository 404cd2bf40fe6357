import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../../kernel/errors.ts'
import { iso } from '../../../../kernel/time.ts'
import { insertable } from '../../../../platform/db/columns.ts'
import { refusing, violatedConstraint } from '../../../../platform/db/constraints.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { readList } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { type Actor, NETTING_ERRORS, type WriteContext } from '../../shared/index.ts'
import type { CreateFacility, FacilityQuery, UpdateFacility } from './schema.ts'

const writable = [
  'subregion_id',
  'scope_id',
  'name',
  'valid_from',
  'valid_to',
  'producer_tariff_group',
  'grid_operator_id',
  'distribution_company_id',
  'retail_or_zone_operator_id',
  'meter_reading_org_id',
  'supplier_id',
  'abone_grubu',
  'source_type',
  'tariff_supply_type',
  'is_multi_time',
  'voltage_level',
  'installed_power_kw',
  'contracted_power_kw',
  'has_ess',
  'ess_capacity_kwh',
  'ess_power_kw',
] as const
const columns = ['id', ...writable, 'origin', 'created_at', 'updated_at'] as const
/** The columns of a facility; instants are ISO texts. */
type FacilitySnapshot = Readonly<Record<(typeof columns)[number], string | boolean | null>>

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'facility_history.before': FacilitySnapshot
    'facility_history.after': FacilitySnapshot
  }
}
const constraints = {
  facility_subregion_fkey: () => invalidReference('subregion_id'),
  facility_scope_fkey: () => invalidReference('scope_id'),
  facility_grid_operator_fkey: () => invalidReference('grid_operator_id'),
  facility_distribution_company_fkey: () => invalidReference('distribution_company_id'),
  facility_retail_or_zone_operator_fkey: () => invalidReference('retail_or_zone_operator_id'),
  facility_meter_reading_org_fkey: () => invalidReference('meter_reading_org_id'),
  facility_supplier_fkey: () => invalidReference('supplier_id'),
}

export type FacilityRow = NonNullable<Awaited<ReturnType<typeof find>>>

const facilities = (tenant: TenantDb) => selectRows(tenant, 'facility').select(columns)

export function list(tenant: TenantDb, query: FacilityQuery) {
  let rows = facilities(tenant)
  if (query.scope_id !== undefined) rows = rows.where('scope_id', '=', query.scope_id)
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  return readList(
    rows
      .where(matchesSearch(query.search, ['name']))
      .orderBy('created_at', 'desc')
      .orderBy('id'),
    query,
  )
}

export const find = (tenant: TenantDb, id: string) =>
  facilities(tenant).where('id', '=', id).executeTakeFirst()

/** Locks the facility, so that changes are checked and recorded one after the other. */
export const lock = (tx: TenantTx, id: string) =>
  facilities(tx).where('id', '=', id).forUpdate().executeTakeFirst()

export const subregionName = async (tenant: TenantDb, id: string): Promise<string | undefined> => {
  const query = selectRows(tenant, 'subregion').select('name')
  return (await query.where('id', '=', id).executeTakeFirst())?.name
}

export const create = (
  { db, tenantId }: TenantTx,
  values: CreateFacility & { name: string; valid_from: string },
  { at, history }: WriteContext,
) =>
  refusing(
    constraints,
    db
      .insertInto('facility')
      .values({
        ...insertable(values, writable),
        name: values.name,
        valid_from: values.valid_from,
        tenant_id: tenantId,
        origin: history?.origin ?? null,
        updated_at: iso(at),
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export const update = (tx: TenantTx, id: string, set: UpdateFacility, { at }: Actor) =>
  refusing(
    constraints,
    updateRows(tx, 'facility')
      .set({ ...insertable(set, writable), updated_at: iso(at) })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** The facilities of subregions in which an assignment names neither a facility nor a metering point. */
export async function listWithCommonMeters(
  tenant: TenantDb,
  subregionIds: readonly string[],
): Promise<string[]> {
  const rows = await selectRows(tenant, 'facility as f')
    .innerJoin('meter_assignment as a', (join) =>
      join.onRef('a.tenant_id', '=', 'f.tenant_id').onRef('a.subregion_id', '=', 'f.subregion_id'),
    )
    .select('f.id')
    .distinct()
    .where('f.subregion_id', 'in', subregionIds)
    .where('a.facility_id', 'is', null)
    .where('a.metering_point_id', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export const hasChanges = (body: UpdateFacility): boolean =>
  Object.keys(insertable(body, writable)).length > 0

type Change =
  | { readonly before: FacilityRow | undefined; readonly after: FacilityRow }
  | { readonly before: FacilityRow; readonly after: undefined }

const snapshotOf = (row: FacilityRow): FacilitySnapshot => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Records a facility before and after a change, in the transaction of the change. */
export const appendHistory = ({ db, tenantId }: TenantTx, { before, after }: Change, { by, at }: Actor) =>
  db
    .insertInto('facility_history')
    .values({
      tenant_id: tenantId,
      facility_id: (after ?? before).id,
      changed_by: by,
      changed_at: iso(at),
      operation: before ? (after ? 'update' : 'delete') : 'create',
      before: before ? toJson(snapshotOf(before)) : null,
      after: after ? toJson(snapshotOf(after)) : null,
    })
    .execute()

/** The tenant of a facility, for the superuser, who works across tenants. */
export const findTenant = ({ db }: SystemDb, id: string) =>
  db.selectFrom('facility').select('tenant_id').where('id', '=', id).executeTakeFirst()

/** Clears the facility of its OSOS installations, which persist after the facility is deleted. */
export const releaseInstallations = (tx: TenantTx, id: string) =>
  updateRows(tx, 'osos_installation').set({ facility_id: null }).where('facility_id', '=', id).execute()

export const remove = (tx: TenantTx, id: string) => deleteRows(tx, 'facility').where('id', '=', id).execute()

/** True when a foreign key refused the delete. A delete violates no other constraint. */
export const isReferenced = (error: unknown): boolean => violatedConstraint(error) !== undefined

interface Counts {
  metering_points: number
  subregion_meter_assignments: number
  facility_hourly_energy: number
  mahsuplasma_group_members: number
  bedelli_limit_accounts: number
}

export async function countDependencies({ db, tenantId }: TenantDb, id: string): Promise<Counts> {
  const count = (table: string) =>
    sql`(select count(*)::integer from ${sql.table(table)} where (tenant_id, facility_id) = (${tenantId}, ${id}))`
  const { rows } = await sql<Counts>`
    select ${count('metering_point')} as metering_points,
      ${count('meter_assignment')} as subregion_meter_assignments,
      ${count('hourly_energy')} as facility_hourly_energy,
      ${count('group_member')} as mahsuplasma_group_members,
      ${count('limit_account')} as bedelli_limit_accounts`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('a select of counts answers one row')
  return counts
}

export const hasDependencies = (dependencies: Counts) =>
  conflict('facility_has_dependencies', NETTING_ERRORS.FACILITY_IN_USE(), { dependencies })
