import { sql } from 'kysely'
import type { FactSource, MeasurementRole } from '../../../core/netting/types.ts'
import type { Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'

/** The row type is written out, because the guard of row types cannot follow the types of schemas. */
interface SourceSum {
  readonly source: FactSource
  readonly measurement_role: MeasurementRole
  readonly rows: number
  readonly production_kwh: string | null
  readonly consumption_kwh: string | null
  readonly self_consumption_kwh: string | null
  readonly import_kwh: string | null
  readonly export_kwh: string | null
  readonly battery_kwh: string | null
}
interface FactSums {
  readonly rows: number
  readonly by_source: SourceSum[]
}

/** The exact sums of a facility in a range by source and role. */
export async function sumFacts(
  { db, tenantId }: TenantDb,
  facilityId: string,
  { from, to }: Range,
): Promise<FactSums> {
  const { rows: by_source } = await sql<SourceSum>`
    select e.source, e.measurement_role, count(*)::int as rows,
      sum(e.production_kwh) as production_kwh, sum(e.consumption_kwh) as consumption_kwh,
      sum(e.self_consumption_kwh) as self_consumption_kwh, sum(e.import_kwh) as import_kwh,
      sum(e.export_kwh) as export_kwh, sum(e.battery_kwh) as battery_kwh
    from hourly_energy e
    where e.tenant_id = ${tenantId} and e.facility_id = ${facilityId}
      and e.hour >= ${new Date(from)} and e.hour < ${new Date(to)}
    group by e.source, e.measurement_role order by e.source, e.measurement_role`.execute(db)
  return { rows: by_source.reduce((count, { rows }) => count + rows, 0), by_source }
}
