import { sql } from 'kysely'
import type { MeterChange } from '../../../core/netting/counter/meter-changes.ts'
import { isRegister, type Register, toMillionths } from '../../../kernel/metrics.ts'
import { type Queryable, readRows } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { epochMs } from '../sample-columns.ts'

/** The recorded changes of a meter by register, ascending; a register without a change is absent. */
export type RegisterChanges = ReadonlyMap<Register, readonly MeterChange[]>

const STATEMENT = {
  name: 'meter_changes_of_devices',
  text: `select d.key, c.register, ${epochMs('c.changed_at')}, c.old_end_kwh::float8, c.new_start_kwh::float8
    from device d join meter_change c on c.tenant_id = d.tenant_id and c.device_id = d.id and c.voided_at is null
    where d.tenant_id = $1 and d.key = any($2::int[]) order by c.changed_at`,
}

/**
 * The recorded meter changes of devices by their short key. All of them are read, because they are few
 * (METER_CHANGES_MAX) and the nearest one may be at any distance from a range. A device without one is absent.
 */
export async function readMeterChanges(
  db: Queryable,
  tenantId: number,
  deviceKeys: readonly number[],
): Promise<Map<number, RegisterChanges>> {
  const byDevice = new Map<number, Map<Register, MeterChange[]>>()
  if (deviceKeys.length === 0) return byDevice
  for (const cells of await readRows(db, { ...STATEMENT, values: [tenantId, deviceKeys] })) {
    const [key, register, at, oldEnd, newStart] = cells
    const device = byDevice.get(Number(key)) ?? new Map<Register, MeterChange[]>()
    byDevice.set(Number(key), device)
    addChange(device, { register, at, oldEnd, newStart })
  }
  return byDevice
}

interface ChangeRow {
  readonly register: unknown
  readonly at: unknown
  readonly oldEnd: unknown
  readonly newStart: unknown
}

function addChange(
  device: Map<Register, MeterChange[]>,
  { register, at, oldEnd, newStart }: ChangeRow,
): void {
  const name = String(register)
  if (!isRegister(name)) return
  const change = {
    at: Number(at),
    oldEnd: toMillionths(Number(oldEnd)),
    newStart: toMillionths(Number(newStart)),
  }
  const known = device.get(name)
  if (known) known.push(change)
  else device.set(name, [change])
}

/** The recorded meter changes of one device, as `readMeterChanges` in a transaction of the tenant. */
export async function listMeterChanges(
  { db, tenantId }: TenantDb,
  deviceKey: number,
): Promise<RegisterChanges> {
  const { rows } = await sql<ChangeRow>`
    select c.register, ${sql.raw(epochMs('c.changed_at'))} as at, c.old_end_kwh::float8 as "oldEnd",
      c.new_start_kwh::float8 as "newStart"
    from device d join meter_change c on c.tenant_id = d.tenant_id and c.device_id = d.id and c.voided_at is null
    where d.tenant_id = ${tenantId} and d.key = ${deviceKey} order by c.changed_at`.execute(db)
  const device = new Map<Register, MeterChange[]>()
  for (const row of rows) addChange(device, row)
  return device
}

/** The recorded meter changes of one OSOS installation. */
export async function listInstallationChanges(
  { db, tenantId }: TenantDb,
  installationId: string,
): Promise<RegisterChanges> {
  const { rows } = await sql<ChangeRow>`
    select register, ${sql.raw(epochMs('changed_at'))} as at, old_end_kwh::float8 as "oldEnd",
      new_start_kwh::float8 as "newStart"
    from meter_change
    where tenant_id = ${tenantId} and osos_installation_id = ${installationId} and voided_at is null
    order by changed_at`.execute(db)
  const installation = new Map<Register, MeterChange[]>()
  for (const row of rows) addChange(installation, row)
  return installation
}
