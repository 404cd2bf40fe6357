import { sql } from 'kysely'
import type { MeasurementRole } from '../../../core/netting/types.ts'
import type { Range } from '../../../kernel/time.ts'
import type { JsonColumns } from '../../../platform/db/json-columns.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Assignment } from './meter.ts'

interface AssignmentRow {
  id: string
  facility_id: string
  device_id: string
  device_key: number
  metering_point_id: string | null
  measurement_role: MeasurementRole
  valid_from: Date
  valid_to: Date | null
  reporting_interval_s: number | null
  register_map: JsonColumns['device_template.register_map'] | null
}

/**
 * The assignments of facilities that are in force during any part of the range. [inferred] An assignment that
 * names neither a facility nor a metering point belongs to the only facility of its subregion.
 */
export async function listAssignments(
  { db, tenantId }: TenantDb,
  facilityIds: readonly string[],
  { from, to }: Range,
): Promise<Assignment[]> {
  const { rows } = await sql<AssignmentRow>`
    select * from (
      select a.id, a.device_id, d.key as device_key, a.metering_point_id, a.measurement_role, a.valid_from,
        a.valid_to, d.reporting_interval_s, t.register_map,
        coalesce(a.facility_id, p.facility_id, (
          select min(f.id::text)::uuid from facility f
          where f.tenant_id = ${tenantId} and f.subregion_id = a.subregion_id having count(*) = 1
        )) as facility_id
      from meter_assignment a
      join device d on (d.tenant_id, d.id) = (a.tenant_id, a.device_id)
      left join device_template t on (t.tenant_id, t.id) = (d.tenant_id, d.template_id)
      left join metering_point p on (p.tenant_id, p.id) = (a.tenant_id, a.metering_point_id)
      where a.tenant_id = ${tenantId} and a.valid_from < ${new Date(to)}
        and (a.valid_to is null or a.valid_to > ${new Date(from)})
        and (a.facility_id is null or a.facility_id = any(${facilityIds}::uuid[]))
    ) as assigned
    where facility_id = any(${facilityIds}::uuid[])
    order by id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    facilityId: row.facility_id,
    deviceId: row.device_id,
    deviceKey: row.device_key,
    meteringPointId: row.metering_point_id,
    role: row.measurement_role,
    from: row.valid_from.getTime(),
    to: row.valid_to?.getTime() ?? null,
    reportingIntervalMs: row.reporting_interval_s === null ? undefined : row.reporting_interval_s * 1000,
    registerMap: row.register_map,
  }))
}
