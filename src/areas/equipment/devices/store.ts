import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { type JsonObject, toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { lockResource } from '../../../platform/db/locks.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { deleteDeviceTelemetry } from '../../metering/storage/index.ts'
import { DEVICE_TEXTS } from './messages.ts'
import type { DeviceQuery } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'device.extra_metadata': JsonObject
  }
}

/** Columns that a caller may write, after the service has resolved references and defaults. */
export interface DeviceColumns {
  name?: string
  device_type?: string
  device_role?: string | null
  device_source?: string
  gateway_id?: string | null
  mqtt_gateway_id?: string | null
  slave_id?: number | null
  template_id?: string | null
  parent_id?: string | null
  subregion_id?: string | null
  inverter_type?: string | null
  reporting_interval_s?: number | null
  offline_threshold_s?: number
}

const columns = [
  'id',
  'name',
  'device_type',
  'device_role',
  'device_source',
  'gateway_id',
  'mqtt_gateway_id',
  'slave_id',
  'template_id',
  'parent_id',
  'subregion_id',
  'inverter_type',
  'reporting_interval_s',
  'offline_threshold_s',
  'last_seen',
  'created_at',
  'extra_metadata',
] as const

const FILTERS = [
  'device_source',
  'gateway_id',
  'mqtt_gateway_id',
  'template_id',
  'parent_id',
  'subregion_id',
] as const
const TEXT_FILTERS = ['name', 'device_type', 'device_role'] as const

/** The identifiers are those by which messages of gateways name the device. */
const SEARCHED = ['name', sql`extra_metadata->>'external_id'`, sql`extra_metadata->>'ieee_address'`]

const constraints = {
  device_gateway_fkey: () => invalidReference('gateway_id'),
  device_mqtt_gateway_fkey: () => invalidReference('mqtt_gateway_id'),
  device_template_fkey: () => invalidReference('template_id'),
  device_parent_fkey: () => invalidReference('parent_id'),
  device_subregion_fkey: () => invalidReference('subregion_id'),
  device_slave_key: () =>
    conflict('DUPLICATE_ENTRY', DEVICE_TEXTS.DEVICE_SLAVE_TAKEN(), { field: 'slave_id' }),
}

/** Online: a sample arrived within the device's own threshold. Derived on read, so it is never stale. */
const isOnline = (now: Date) =>
  sql<boolean>`coalesce(last_seen > ${now}::timestamptz - offline_threshold_s * interval '1 second', false)`

const devices = (tenant: TenantDb, now: Date) =>
  selectRows(tenant, 'device').select([...columns, isOnline(now).as('is_online')])

export function list(tenant: TenantDb, query: DeviceQuery, now: Date) {
  let rows = devices(tenant, now)
  for (const column of FILTERS) {
    const value = query[column]
    if (value !== undefined) rows = rows.where(column, '=', value)
  }
  for (const column of TEXT_FILTERS) {
    const text = query[column]
    if (text !== undefined) rows = rows.where(equalsIgnoringCase(column, text))
  }
  if (query.is_online !== undefined) rows = rows.where(isOnline(now), '=', query.is_online)
  const isPrepared = query.search === undefined && query.is_online === undefined
  return readPage(rows.where(matchesSearch(query.search, SEARCHED)), {
    ...query,
    isPrepared,
    countsSeparately: tenant.keepsSingleTablePlans,
  })
}

export const find = (tenant: TenantDb, id: string, now: Date) =>
  devices(tenant, now).where('id', '=', id).executeTakeFirst()

/**
 * Lock order: tree before device. Two changes that would make a cycle together are serialized, and the second
 * one sees the first.
 */
export const lockTree = (tx: TenantTx) => lockResource(tx, `device tree ${tx.tenantId}`)

/** Locks the device, so that concurrent partial updates are serialized. */
export const lock = (tx: TenantTx, id: string) =>
  selectRows(tx, 'device').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const create = (
  { db, tenantId }: TenantTx,
  values: DeviceColumns & { name: string; device_type: string; device_source: string },
  metadata: JsonObject,
) =>
  refusing(
    constraints,
    db
      .insertInto('device')
      .values({ ...values, tenant_id: tenantId, extra_metadata: toJson(metadata) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

/** `metadata`: undefined leaves it unchanged, an object replaces it. */
export async function update(tx: TenantTx, id: string, set: DeviceColumns, metadata?: JsonObject) {
  const isNamed = set.name !== undefined || set.mqtt_gateway_id !== undefined || metadata !== undefined
  const values = {
    ...set,
    ...(metadata && { extra_metadata: toJson(metadata) }),
    ...(isNamed && { named_at: sql<Date>`now()` }),
  }
  if (Object.keys(values).length === 0) return
  await refusing(constraints, updateRows(tx, 'device').set(values).where('id', '=', id).execute())
}

/** Deletes the device with its telemetry. Its numeric key is never reused. */
export async function remove(tx: TenantTx, id: string): Promise<boolean> {
  const row = await unlessReferred(
    'device',
    deleteRows(tx, 'device').where('id', '=', id).returning('key').executeTakeFirst(),
  )
  if (!row) return false
  await deleteDeviceTelemetry(tx, row.key)
  return true
}

/** True while a charger or connector refers to the device. */
export async function belongsToCharger(tenant: TenantDb, id: string): Promise<boolean> {
  const row = await selectRows(tenant, 'charger')
    .select('device_id')
    .where('device_id', '=', id)
    .unionAll(selectRows(tenant, 'charger_connector').select('device_id').where('device_id', '=', id))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const findGatewayType = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'gateway').select('gateway_type').where('id', '=', id).executeTakeFirst()

export const findTemplateProtocols = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'device_template').select('protocols').where('id', '=', id).executeTakeFirst()

/** Ids from the device up to the root of its tree; empty when the device is unknown. */
export async function listAncestors({ db, tenantId }: TenantDb, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive up as (
      select id, parent_id from device where (tenant_id, id) = (${tenantId}, ${id})
      union
      select d.id, d.parent_id from up join device d on d.tenant_id = ${tenantId} and d.id = up.parent_id)
    select id from up`.execute(db)
  return rows.map((row) => row.id)
}
