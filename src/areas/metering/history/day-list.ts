import { DAY_MS, dayStart, localDate, periodEnd, periodOf } from '../../../kernel/time.ts'
import type { SystemDb, TenantDb } from '../../../platform/db/tenant.ts'
import type { SealedSamples } from '../storage/index.ts'
import { firstRow, firstRows, listDeviceKeys, listTenants } from './compress-store.ts'
import { COMPRESS_KEYS_AT_ONCE } from './limits.ts'
import type { DeviceDay } from './reopen-store.ts'

/** What the job works on, in its order. */

/** Where the work of a tenant continues: days of the device from an instant on, and all devices after it. */
export interface Position {
  readonly deviceKey: number
  readonly from: number
}

interface Wanted {
  readonly sealed: SealedSamples
  /** Samples before this instant are old enough. */
  readonly before: number
  /** Absent: all devices. */
  readonly position: Position | undefined
}

/** The device-days of a tenant with old rows in open months. Each is looked up when the one before is done. */
export async function* daysOf(
  tenant: TenantDb,
  { sealed, before, position }: Wanted,
): AsyncGenerator<DeviceDay> {
  const { openSince } = sealed
  if (position) {
    const first = await firstRow(tenant, position.deviceKey, {
      from: Math.max(openSince, position.from),
      to: before,
    })
    yield* daysFrom(tenant, position.deviceKey, { first, sealed, before })
  }
  for (let after = position?.deviceKey ?? 0; ; ) {
    const keys = await listDeviceKeys(tenant, { after, limit: COMPRESS_KEYS_AT_ONCE })
    const last = keys.at(-1)
    if (last === undefined) return
    for (const { deviceKey, first } of await firstRows(tenant, keys, { from: openSince, to: before }))
      yield* daysFrom(tenant, deviceKey, { first, sealed, before })
    after = last
  }
}

async function* daysFrom(
  tenant: TenantDb,
  deviceKey: number,
  { first, sealed, before }: Omit<Wanted, 'position'> & { readonly first: number | undefined },
): AsyncGenerator<DeviceDay> {
  for (let at = first; at !== undefined; ) {
    const [day, period] = [localDate(at), periodOf(at)]
    const isSealed = sealed.periods.has(period)
    if (!isSealed) yield { tenantId: tenant.tenantId, deviceKey, day }
    const from = isSealed ? periodEnd(period) : dayStart(day) + DAY_MS
    at = await firstRow(tenant, deviceKey, { from, to: before })
  }
}

/** The active tenants, beginning after the given one. */
export async function tenantsAfter(system: SystemDb, lastTenant: number): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await listTenants(system, { after: ids.at(-1) ?? 0, limit: COMPRESS_KEYS_AT_ONCE })
    ids.push(...page)
    if (page.length < COMPRESS_KEYS_AT_ONCE) break
  }
  return [...ids.filter((id) => id > lastTenant), ...ids.filter((id) => id <= lastTenant)]
}
