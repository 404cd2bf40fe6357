import { localDate, type Range } from '../../../kernel/time.ts'
import type { SystemDb, TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import { firstRows } from '../history/index.ts'
import { listMonths, readSealedSamples } from '../storage/index.ts'
import { DEVICES_AT_ONCE } from './limits.ts'

export interface DeviceOfTenant {
  readonly id: string
  readonly key: number
  readonly name: string
}

/** The devices of a tenant by key. */
export async function* listDevices(tenant: TenantDb): AsyncGenerator<DeviceOfTenant> {
  for (let after = 0; ; ) {
    const rows = selectRows(tenant, 'device').select(['id', 'key', 'name']).where('key', '>', after)
    const page = await rows.orderBy('key').limit(DEVICES_AT_ONCE).execute()
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.key
  }
}

/** Which of some devices have samples in a range of whole local days. */
export async function findKeysWithSamples(
  tenant: TenantDb,
  keys: readonly number[],
  { from, to }: Range,
): Promise<ReadonlySet<number>> {
  const rows = await firstRows(tenant, keys, { from, to })
  const chunks = await selectRows(tenant, 'measurement_chunk')
    .select('device_key')
    .distinct()
    .where('device_key', 'in', keys)
    .where('day', '>=', localDate(from))
    .where('day', '<', localDate(to))
    .execute()
  return new Set([...rows.map(({ deviceKey }) => deviceKey), ...chunks.map((chunk) => chunk.device_key)])
}

/** The months of samples, oldest first. */
export async function listSampleMonths(system: SystemDb): Promise<string[]> {
  const months = await listMonths(system)
  return months.filter(({ table }) => table === 'measurement').map(({ period }) => period)
}

export const listSealed = async (system: SystemDb): Promise<ReadonlySet<string>> =>
  (await readSealedSamples(system)).periods
