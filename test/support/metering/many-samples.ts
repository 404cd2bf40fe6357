import { addMonths, periodOf } from '../../../src/kernel/time.ts'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'

export interface ManySamples {
  readonly count: number
  /** The number of the first sample; 0 when absent. */
  readonly first?: number
  /** The instant of sample 0. */
  readonly startAt: number
  readonly stepMs: number
}

/**
 * Inserts samples directly in one statement, because the intake is tested elsewhere. Sample n counts n Wh.
 */
export async function insertSamples(
  api: { readonly deps: Pick<Deps, 'database'> },
  { tenant, device }: { readonly tenant: { readonly id: number }; readonly device: { readonly key: number } },
  { count, first = 0, startAt, stepMs }: ManySamples,
): Promise<void> {
  const { database } = api.deps
  const last = periodOf(startAt + (first + count) * stepMs)
  const months: string[] = []
  for (let month = periodOf(startAt + first * stepMs); month <= last; month = addMonths(month, 1))
    months.push(month)
  await ensurePartitions(database, 'measurement', months)
  await database.pool.query(
    `insert into measurement (tenant_id, device_key, ts, import_active_energy, voltage, active_power)
     select $1, $2, to_timestamp(($3::float8 + n * $4::float8) / 1000), n * 1000, 230 + n % 7, 12.5
     from generate_series($6::bigint, $6::bigint + $5::bigint - 1) n`,
    [tenant.id, device.key, startAt, stepMs, count, first],
  )
}
