import { sql } from 'kysely'
import { SOURCE_PRIORITY } from '../../../core/netting/sources.ts'
import type { AboneGrubu, MemberRole, SupplyType } from '../../../core/netting/types.ts'
import { type BillingPeriod, type LocalDate, nextPeriod, type Range } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'

const groups = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'netting_group')
    .select(['id', 'scope_id', 'responsible_supplier_id', 'group_status'])
    .where('id', '=', id)

export const findGroup = (tenant: TenantDb, id: string) => groups(tenant, id).executeTakeFirst()

export type EvaluatedGroup = NonNullable<Awaited<ReturnType<typeof findGroup>>>

/**
 * Locks the group, so that its evaluations are logged in order. A statement that only refers to the group
 * does not wait.
 */
export const lockGroup = (tx: TenantTx, id: string) => groups(tx, id).forNoKeyUpdate().executeTakeFirst()

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
    .select('f.tariff_supply_type')
    .select(sql<string | null>`round(f.installed_power_kw, 3)`.as('installed_kw'))
    .select(sql<string | null>`round(f.contracted_power_kw, 3)`.as('contracted_kw'))
    .where('m.group_id', '=', groupId)
    .where('m.valid_from', '<=', today)
    .where((eb) => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', today)]))
    .orderBy('f.name')
    .orderBy('m.facility_id')
    .$narrowType<{
      member_role: MemberRole
      abone_grubu: AboneGrubu | null
      tariff_supply_type: SupplyType | null
    }>()
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

/**
 * Returns the hour of a range in which each facility produced most. An hour has the value of the strongest
 * source; without a production meter it is the export of the boundary meter.
 */
export async function listHighestProduction(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
  { from, to }: Range,
): Promise<{ facility_id: string; hour: Date; kwh: string }[]> {
  const { rows } = await sql<{ facility_id: string; hour: Date; kwh: string }>`
    select distinct on (facility_id) facility_id, hour, kwh from (
      select distinct on (facility_id, hour) facility_id, hour, coalesce(production_kwh, export_kwh) as kwh
      from hourly_energy
      where tenant_id = ${tenantId} and facility_id = any(${facilityIds}::uuid[])
        and hour >= ${new Date(from)} and hour < ${new Date(to)}
        and (measurement_role = 'main_production' and production_kwh is not null
          or measurement_role = 'pcc_import_export' and export_kwh is not null)
      order by facility_id, hour, measurement_role = 'main_production' desc,
        array_position(${SOURCE_PRIORITY}::text[], source)) as best
    order by facility_id, kwh desc, hour`.execute(db)
  return rows
}

/**
 * Returns the last day of a period on which the group had a member; undefined when it had none in the period.
 */
export async function lastMemberDay(
  tenant: TenantDb,
  groupId: string,
  billingPeriod: BillingPeriod,
): Promise<LocalDate | undefined> {
  const end = nextPeriod(billingPeriod)
  const row = await selectRows(tenant, 'group_member')
    .select(
      sql<LocalDate | null>`(max(least(coalesce(valid_to, ${end}::date), ${end}::date)) - 1)::text`.as('day'),
    )
    .where('group_id', '=', groupId)
    .where('valid_from', '<', end)
    .where(sql<boolean>`coalesce(valid_to, ${end}::date) > greatest(valid_from, ${billingPeriod}::date)`)
    .executeTakeFirst()
  return row?.day ?? undefined
}
