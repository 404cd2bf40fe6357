import { addMonths, periodOf } from '../../../src/kernel/time.ts'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'
import type { TestDevice } from './measurements.ts'

export interface ManySamples {
  readonly count: number
  readonly startAt: number
  readonly stepMs: number
}

/**
 * Inserts samples directly in one statement, because the intake is tested elsewhere. Sample n counts n Wh.
 */
export async function insertSamples(
  api: TestApi,
  { tenant, device }: { readonly tenant: TestTenant; readonly device: TestDevice },
  { count, startAt, stepMs }: ManySamples,
): Promise<void> {
  const { database } = api.deps
  const last = periodOf(startAt + count * stepMs)
  const months: string[] = []
  for (let month = periodOf(startAt); month <= last; month = addMonths(month, 1)) months.push(month)
  await ensurePartitions(database, 'measurement', months)
  await database.pool.query(
    `insert into measurement (tenant_id, device_key, ts, import_active_energy, voltage, active_power)
     select $1, $2, to_timestamp(($3::float8 + n * $4::float8) / 1000), n * 1000, 230 + n % 7, 12.5
     from generate_series(0::bigint, $5::bigint - 1) n`,
    [tenant.id, device.key, startAt, stepMs, count],
  )
}
