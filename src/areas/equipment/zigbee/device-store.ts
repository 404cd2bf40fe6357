import { sql } from 'kysely'
import type { JsonColumns } from '../../../platform/db/json-columns.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { ZigbeeDeviceQuery } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'zigbee_device.exposes': unknown
  }
}

/** One page of paired devices, each with its device record if it still exists. */
export async function listPaired(tenant: TenantDb, gatewayId: string, query: ZigbeeDeviceQuery) {
  const { skip, limit, sort_by, sort_order } = query
  const all = selectRows(tenant, 'zigbee_device as z')
    .where('z.gateway_id', '=', gatewayId)
    .where(matchesSearch(query.search, ['z.friendly_name', 'z.ieee_address', 'z.vendor', 'z.model']))
  const page = all
    .leftJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 'z.tenant_id').onRef('d.id', '=', 'z.device_id'),
    )
    .select(['z.ieee_address', 'z.friendly_name', 'z.vendor', 'z.model', 'z.is_supported', 'z.is_available'])
    .select(['z.first_seen', 'd.id as device_id', 'd.key', 'd.last_seen'])
    .orderBy(`z.${sort_by as 'friendly_name'}`, sort_order)
    .orderBy('z.ieee_address')
    .offset(skip)
    .limit(limit)
  const count = all.select((eb) => eb.fn.countAll().as('total'))
  const [items, { total }] = await Promise.all([page.execute(), count.executeTakeFirstOrThrow()])
  return { items, total: Number(total), skip, limit }
}

/** Locks a Zigbee gateway; undefined for any other gateway. */
export const lockGateway = (tx: TenantTx, gatewayId: string) =>
  selectRows(tx, 'gateway as g')
    .leftJoin('zigbee_gateway as z', (join) =>
      join.onRef('z.tenant_id', '=', 'g.tenant_id').onRef('z.gateway_id', '=', 'g.id'),
    )
    .select(['g.id', 'z.inventory_at'])
    .where('g.id', '=', gatewayId)
    .where('g.gateway_type', '=', 'zigbee')
    .forNoKeyUpdate('g')
    .executeTakeFirst()

export interface PairedDevice {
  readonly ieee_address: string
  readonly friendly_name: string
  readonly vendor: string | null
  readonly model: string | null
  readonly is_supported: boolean
  readonly exposes: JsonColumns['zigbee_device.exposes']
}

export interface PairedRecord {
  readonly ieee_address: string
  readonly device_id: string | null
}

/** Upserts paired devices and returns their device records. */
export async function upsertPaired(
  { db, tenantId }: TenantTx,
  gatewayId: string,
  { devices, now }: { readonly devices: readonly PairedDevice[]; readonly now: Date },
): Promise<PairedRecord[]> {
  const { rows } = await sql<PairedRecord>`
    insert into zigbee_device as z (tenant_id, gateway_id, ieee_address, friendly_name, vendor, model,
      is_supported, exposes, first_seen)
    select ${tenantId}, ${gatewayId}, p.ieee_address, p.friendly_name, p.vendor, p.model,
      p.is_supported, p.exposes, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(devices)}::jsonb) as p (ieee_address text, friendly_name text,
      vendor text, model text, is_supported boolean, exposes jsonb)
    on conflict (tenant_id, gateway_id, ieee_address) do update set friendly_name = excluded.friendly_name,
      vendor = excluded.vendor, model = excluded.model, is_supported = excluded.is_supported,
      exposes = excluded.exposes
    returning z.ieee_address, z.device_id`.execute(db)
  return rows
}

/** Deletes devices that a complete list no longer contains: they have left the network. */
export const removeUnlisted = (tx: TenantTx, gatewayId: string, addresses: readonly string[]) =>
  deleteRows(tx, 'zigbee_device')
    .where('gateway_id', '=', gatewayId)
    .where((eb) => eb.not(eb('ieee_address', '=', eb.fn.any(eb.val(addresses)))))
    .execute()

export const countPaired = async (tx: TenantTx, gatewayId: string): Promise<number> => {
  const { count } = await selectRows(tx, 'zigbee_device')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('gateway_id', '=', gatewayId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const linkDevice = (
  tx: TenantTx,
  gatewayId: string,
  { ieeeAddress, deviceId }: { readonly ieeeAddress: string; readonly deviceId: string },
) =>
  updateRows(tx, 'zigbee_device')
    .set({ device_id: deviceId })
    .where('gateway_id', '=', gatewayId)
    .where('ieee_address', '=', ieeeAddress)
    .execute()

/** Devices are named by friendly name or address. */
export const updateAvailability = (
  { db, tenantId }: TenantTx,
  gatewayId: string,
  availability: ReadonlyMap<string, boolean>,
) => {
  const list = JSON.stringify([...availability].map(([device, is_available]) => ({ device, is_available })))
  return sql`
    update zigbee_device z set is_available = a.is_available
    from jsonb_to_recordset(${list}::jsonb) as a (device text, is_available boolean)
    where z.tenant_id = ${tenantId} and z.gateway_id = ${gatewayId}
      and (z.friendly_name = a.device or z.ieee_address = a.device)`.execute(db)
}

export interface DeviceRecord {
  readonly id: string
  readonly name: string
  readonly extra_metadata: JsonColumns['device.extra_metadata']
}

/** Device records that are bound to the gateway. */
export const listRecords = (tx: TenantTx, gatewayId: string): Promise<DeviceRecord[]> =>
  selectRows(tx, 'device')
    .select(['id', 'name', 'extra_metadata'])
    .where('mqtt_gateway_id', '=', gatewayId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/**
 * The template for exactly this product that can be read over Zigbee; a template of the tenant takes
 * precedence.
 */
export const findTemplate = (tx: TenantTx, vendor: string, model: string) =>
  selectRows(tx, 'device_template')
    .select('id')
    .where(sql<boolean>`'zigbee' = any (protocols)`)
    .where(sql`lower(vendor)`, '=', vendor.toLowerCase())
    .where(sql`lower(model)`, '=', model.toLowerCase())
    .orderBy('is_system')
    .orderBy('id')
    .executeTakeFirst()
