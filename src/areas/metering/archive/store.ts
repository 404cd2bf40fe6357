import type { SystemDb, TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
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

/** The months of samples, oldest first. */
export async function listSampleMonths(system: SystemDb): Promise<string[]> {
  const months = await listMonths(system)
  return months.filter(({ table }) => table === 'measurement').map(({ period }) => period)
}

export const listSealed = async (system: SystemDb): Promise<ReadonlySet<string>> =>
  (await readSealedSamples(system)).periods
