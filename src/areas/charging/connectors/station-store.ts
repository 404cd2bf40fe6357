import { sql } from 'kysely'
import { SAMPLE_EPOCH_FLOOR_MS, SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { createDevice } from '../../equipment/devices/index.ts'
import { recordEvent } from '../events/index.ts'
import type { ChargerRef } from '../registry/index.ts'
import { isDeviceOf } from './known-devices-store.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'charger.boot': Boot['message']
  }
}

export interface Boot {
  readonly vendor?: string | null | undefined
  readonly model?: string | null | undefined
  readonly serialNumber?: string | null | undefined
  readonly firmwareVersion?: string | null | undefined
  /** The message as the station sent it. */
  readonly message: object
  readonly at: Date
}

/**
 * Records a boot. Fields that the operator has set stay, except for the firmware version, which the station
 * knows better.
 */
export async function recordBoot(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  { vendor, model, serialNumber, firmwareVersion, message, at }: Boot,
): Promise<void> {
  await updateRows(tx, 'charger')
    .set((eb) => ({
      vendor: eb.fn.coalesce(eb.fn<string | null>('nullif', ['vendor', sql`''`]), eb.val(vendor ?? null)),
      model: eb.fn.coalesce(eb.fn<string | null>('nullif', ['model', sql`''`]), eb.val(model ?? null)),
      serial_number: eb.fn.coalesce(
        eb.fn<string | null>('nullif', ['serial_number', sql`''`]),
        eb.val(serialNumber ?? null),
      ),
      ...(firmwareVersion && { firmware_version: firmwareVersion }),
      boot: toJson(message),
      booted_at: at,
    }))
    .where('id', '=', chargerId)
    .execute()
}

/**
 * Locks the charger before a connector is added. Its device is that of the whole station and of connector 1.
 */
async function lockForNewConnector(tx: TenantTx, chargerId: string) {
  return selectRows(tx, 'charger')
    .select(['device_id', 'name', 'subregion_id'])
    .where('id', '=', chargerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

const findDevice = (tenant: TenantDb, chargerId: string, connectorId: number) =>
  selectRows(tenant, 'charger_connector as n')
    .innerJoin('charger as c', (join) =>
      join.onRef('c.tenant_id', '=', 'n.tenant_id').onRef('c.id', '=', 'n.charger_id'),
    )
    .select(['n.device_id', sql<boolean>`n.device_id = c.device_id`.as('is_main')])
    .where('n.charger_id', '=', chargerId)
    .where('n.connector_id', '=', connectorId)
    .orderBy('n.evse_connector_id')
    .limit(1)
    .executeTakeFirst()

const nameOf = (charger: string, connectorId: number): string =>
  `${charger.slice(0, 180)} ${connectorId === 0 ? 'main meter' : `connector ${connectorId}`}`

/**
 * The device that the meter values of a connector go to; created when the connector is first named. Connector
 * 1 has the device of the charger. The main meter (connector 0) gets a device of its own when it first
 * measures: most stations have none.
 */
export async function deviceOfConnector(
  tx: TenantTx,
  { chargerId }: ChargerRef,
  connectorId: number,
): Promise<string> {
  const known = await findDevice(tx, chargerId, connectorId)
  if (known && isDeviceOf(connectorId, known.is_main)) return known.device_id
  const charger = await lockForNewConnector(tx, chargerId)
  const since = await findDevice(tx, chargerId, connectorId)
  if (since && isDeviceOf(connectorId, since.is_main)) return since.device_id
  const deviceId =
    connectorId === 1
      ? charger.device_id
      : await createDevice(
          tx,
          {
            name: nameOf(charger.name, connectorId),
            device_type: 'charger',
            device_role: 'charger',
            device_source: 'ocpp',
            parent_id: charger.device_id,
          },
          charger.subregion_id,
        )
  await tx.db
    .insertInto('charger_connector')
    .values({
      tenant_id: tx.tenantId,
      charger_id: chargerId,
      connector_id: connectorId,
      device_id: deviceId,
    })
    .onConflict((on) =>
      on
        .columns(['tenant_id', 'charger_id', 'connector_id', 'evse_connector_id'])
        .doUpdateSet({ device_id: deviceId }),
    )
    .execute()
  return deviceId
}

export interface ConnectorStatus {
  /** The EVSE in OCPP 2.0.1. 0 is the station as a whole. */
  readonly connectorId: number
  /** The connector of the EVSE in OCPP 2.0.1. */
  readonly evseConnectorId?: number | undefined
  readonly status: string
  readonly errorCode?: string | null | undefined
  readonly vendorErrorCode?: string | null | undefined
  readonly vendorId?: string | null | undefined
  readonly info?: string | null | undefined
  /** By the station's clock; undefined where the message has no time. */
  readonly at?: Date | undefined
  readonly now: Date
}

async function deviceOfStatus(tx: TenantTx, charger: ChargerRef, connectorId: number): Promise<string> {
  if (connectorId !== 0) return deviceOfConnector(tx, charger, connectorId)
  const known = await findDevice(tx, charger.chargerId, 0)
  return known?.device_id ?? (await lockForNewConnector(tx, charger.chargerId)).device_id
}

/**
 * Stores the status of a connector and records it as an event. A status that is older than the stored one is
 * an event only, unless the stored one has the time of a wrong clock, which would stay for ever. Returns
 * whether the status is the newest.
 */
export async function recordStatus(
  tx: TenantTx,
  charger: ChargerRef,
  reported: ConnectorStatus,
): Promise<boolean> {
  const { connectorId, evseConnectorId = 1, status, now } = reported
  const [errorCode, vendorErrorCode] = [reported.errorCode ?? null, reported.vendorErrorCode ?? null]
  const info = reported.info ?? null
  const at = reported.at ?? now
  const deviceId = await deviceOfStatus(tx, charger, connectorId)
  // The messages of a station are stored one after the other, so nothing comes between the two statements.
  const before = await storedStatus(tx, charger, { connectorId, evseConnectorId })
  const { rows } = await sql`
    insert into charger_connector as n (tenant_id, charger_id, connector_id, evse_connector_id, device_id,
      status, error_code, vendor_error_code, info, status_at)
    values (${tx.tenantId}, ${charger.chargerId}, ${connectorId}, ${evseConnectorId}, ${deviceId},
      ${status}, ${errorCode}, ${vendorErrorCode}, ${info}, ${at})
    on conflict (tenant_id, charger_id, connector_id, evse_connector_id) do update set
      status = excluded.status, error_code = excluded.error_code, vendor_error_code = excluded.vendor_error_code,
      info = excluded.info, status_at = excluded.status_at
    where n.status_at is null or n.status_at <= excluded.status_at
      or n.status_at not between ${new Date(SAMPLE_EPOCH_FLOOR_MS)} and ${new Date(now.getTime() + SAMPLE_FUTURE_MAX_MS)}
    returning 1`.execute(tx.db)
  const isNewest = rows.length > 0
  const isNew = isNewest && (before?.status !== status || before.error_code !== errorCode)
  if (reported.at || isNew) {
    const details = {
      status,
      ...(evseConnectorId !== 1 && { evse_connector_id: evseConnectorId }),
      ...(errorCode !== null && { error_code: errorCode }),
      ...(vendorErrorCode !== null && { vendor_error_code: vendorErrorCode }),
      ...(reported.vendorId && { vendor_id: reported.vendorId }),
      ...(info !== null && { info }),
    }
    await recordEvent(tx, charger, { type: 'status', at, connectorId, details, now })
  }
  if (isNewest && connectorId === 0) await setChargerStatus(tx, charger, status)
  return isNewest
}

const storedStatus = (
  tx: TenantTx,
  { chargerId }: ChargerRef,
  { connectorId, evseConnectorId }: { readonly connectorId: number; readonly evseConnectorId: number },
) =>
  selectRows(tx, 'charger_connector')
    .select(['status', 'error_code'])
    .where('charger_id', '=', chargerId)
    .where('connector_id', '=', connectorId)
    .where('evse_connector_id', '=', evseConnectorId)
    .executeTakeFirst()

const setChargerStatus = (tx: TenantTx, { chargerId }: ChargerRef, status: string) =>
  updateRows(tx, 'charger').set({ status }).where('id', '=', chargerId).execute()
