import { sql } from 'kysely'
import type { Database } from '../../../platform/db/pool.ts'

/** Finds the short keys of a tenant's devices by id; unknown and foreign ids are left out. */
export async function findDeviceKeys(
  { kysely }: Database,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await kysely
    .selectFrom('device')
    .select(['id', 'key'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .execute()
  return new Map(rows.map(({ id, key }) => [id, key]))
}

const assignedSubregion = (tenantId: number, at: Date) => sql`(
  select a.subregion_id from meter_assignment a where a.tenant_id = ${tenantId} and a.device_id = d.id
    and a.valid_from <= ${at} and (a.valid_to is null or a.valid_to > ${at}) order by a.valid_from desc limit 1)`

/**
 * SQL: the subregion of a device `d`: its own one (a charger), else that of its gateway, else that of the
 * meter assignment that is valid at an instant.
 */
export const subregionOfDevice = (tenantId: number, at: Date) => sql<string | null>`coalesce(
  d.subregion_id,
  (select g.subregion_id from gateway g where g.tenant_id = ${tenantId} and g.id = coalesce(d.gateway_id, d.mqtt_gateway_id)),
  ${assignedSubregion(tenantId, at)})`

/** SQL: the same as `subregionOfDevice` in a query that has joined the gateway as `g`. */
export const subregionWithJoinedGateway = (tenantId: number, at: Date) => sql<string | null>`coalesce(
  d.subregion_id, g.subregion_id, ${assignedSubregion(tenantId, at)})`
