import { sql } from 'kysely'
import type { Database } from '../../../platform/db/pool.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows } from '../../../platform/db/tenant-rows.ts'
import { DELETED_DEVICE_KEPT_MS, DELETED_DEVICES_AT_ONCE } from './limits.ts'

/**
 * The tables with rows of a device key. None has a foreign key to the device (ADR 0007). Chunks precede the samples, as
 * in the transactions of intake and of compression: the other order would be a deadlock with them.
 */
const TABLES = [
  'alarm_state',
  'measurement_chunk',
  'measurement',
  'measurement_hour',
  'measurement_set_aside',
  'rollup_dirty_range',
  'late_dirty_range',
  'rollup_state',
] as const

async function deleteTelemetry(tx: TenantTx, deviceKeys: readonly number[]): Promise<void> {
  for (const table of TABLES) await deleteRows(tx, table).where('device_key', 'in', deviceKeys).execute()
}

/**
 * Deletes the telemetry of a device in the transaction that deletes it, and records its key: a batch that was on its
 * way may commit later, and `clearOrphanedSamples` deletes its rows.
 */
export async function deleteDeviceTelemetry(tx: TenantTx, deviceKey: number): Promise<void> {
  await deleteTelemetry(tx, [deviceKey])
  await tx.db.insertInto('deleted_device').values({ tenant_id: tx.tenantId, device_key: deviceKey }).execute()
}

interface DeletedDevice {
  readonly tenant_id: number
  readonly device_key: number
}

async function listDeletedDevices({ kysely }: Database, after: DeletedDevice): Promise<DeletedDevice[]> {
  return kysely
    .selectFrom('deleted_device')
    .select(['tenant_id', 'device_key'])
    .where((eb) =>
      eb(eb.refTuple('tenant_id', 'device_key'), '>', eb.tuple(after.tenant_id, after.device_key)),
    )
    .orderBy('tenant_id')
    .orderBy('device_key')
    .limit(DELETED_DEVICES_AT_ONCE)
    .execute()
}

/**
 * The scheduled job: deletes rows that were stored after the deletion of their device, and forgets devices that were
 * deleted longer ago than any batch can be on its way.
 */
export async function clearOrphanedSamples(
  { database }: { readonly database: Database },
  signal: AbortSignal,
): Promise<void> {
  let after: DeletedDevice = { tenant_id: 0, device_key: 0 }
  for (;;) {
    signal.throwIfAborted()
    const page = await listDeletedDevices(database, after)
    const last = page.at(-1)
    if (!last) return
    for (const tenantId of new Set(page.map(({ tenant_id }) => tenant_id))) {
      const keys = page.filter(({ tenant_id }) => tenant_id === tenantId).map(({ device_key }) => device_key)
      await inTenantTx(database.kysely, tenantId, async (tx) => {
        await deleteTelemetry(tx, keys)
        await deleteRows(tx, 'deleted_device')
          .where('device_key', 'in', keys)
          .where(
            'deleted_at',
            '<',
            sql<Date>`now() - ${DELETED_DEVICE_KEPT_MS}::float8 * interval '1 millisecond'`,
          )
          .execute()
      })
    }
    after = last
  }
}
