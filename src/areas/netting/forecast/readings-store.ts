import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'

/** The limits of accounts of a year with their adjustments and transfers, without usage. */
export async function listInitialLimits(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
  year: number,
): Promise<{ facilityId: string; limitKwh: string }[]> {
  if (facilityIds.length === 0) return []
  const { rows } = await sql<{ facilityId: string; limitKwh: string }>`
    select a.facility_id as "facilityId", (a.initial_limit_kwh + coalesce((
      select sum(m.amount_kwh) from limit_movement m
      where (m.tenant_id, m.account_id) = (${tenantId}, a.id)
        and m.movement_type in ('manual_adjustment', 'group_transfer_out', 'group_transfer_in')), 0))::text as "limitKwh"
    from limit_account a
    where a.tenant_id = ${tenantId} and a.year = ${year} and a.facility_id = any(${facilityIds}::uuid[])`.execute(
    db,
  )
  return rows
}
