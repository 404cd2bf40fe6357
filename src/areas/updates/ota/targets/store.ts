import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'

export type TargetKind = 'device' | 'gateway'

/**
 * A possible target of an update: a device behind a gateway on a message broker, such a gateway, or a
 * charger.
 */
export interface Target {
  readonly kind: TargetKind
  readonly id: string
  readonly name: string
  /** The values of `device_model` of firmware versions that fit this target. */
  readonly models: readonly string[]
  /** The gateway on whose topics it is notified; null when there is none on a message broker. */
  readonly via: string | null
  /** The charger that it is, notified over its own socket. */
  readonly viaCharger: string | null
  /** The version that the target runs, if known. */
  readonly version: string | null
  readonly hasOpenUpdate: boolean
}

interface TargetRow extends Omit<Target, 'models' | 'kind'> {
  readonly models: readonly (string | null)[]
}

const lastVersion = (tenantId: number, column: 'device_id' | 'gateway_id', id: string) => sql`(
  select f.version from ota_update u
  join firmware_version f on (f.tenant_id, f.id) = (u.tenant_id, u.firmware_version_id)
  where u.tenant_id = ${tenantId} and ${sql.ref(`u.${column}`)} = ${sql.ref(id)} and u.status = 'succeeded'
  order by u.finished_at desc limit 1)`

const isUpdating = (tenantId: number, column: 'device_id' | 'gateway_id') => sql`exists (
  select 1 from ota_update u
  where u.tenant_id = ${tenantId} and ${sql.ref(`u.${column}`)} = t.id and u.finished_at is null)`

const devices = ({ tenantId }: TenantDb, where: Expression<SqlBool>, limit: number) => sql<TargetRow>`
  select t.id, t.name, array[d.model, t.extra_metadata->>'model', c.model] as models,
    case when c.id is null and g.gateway_type = 'mqtt' then g.id end as via, c.id as "viaCharger",
    coalesce(c.firmware_version, ${lastVersion(tenantId, 'device_id', 't.id')}) as version,
    ${isUpdating(tenantId, 'device_id')} as "hasOpenUpdate"
  from device t
  left join device_template d on (d.tenant_id, d.id) = (t.tenant_id, t.template_id)
  left join gateway g on (g.tenant_id, g.id) = (t.tenant_id, t.mqtt_gateway_id)
  left join charger c on (c.tenant_id, c.device_id) = (t.tenant_id, t.id) and c.deleted_at is null
  where t.tenant_id = ${tenantId} and ${where} order by t.name, t.id limit ${limit}`

const gateways = ({ tenantId }: TenantDb, where: Expression<SqlBool>, limit: number) => sql<TargetRow>`
  select t.id, t.name, array[t.model] as models, case when t.gateway_type = 'mqtt' then t.id end as via,
    null::uuid as "viaCharger",
    coalesce(t.firmware_version, ${lastVersion(tenantId, 'gateway_id', 't.id')}) as version,
    ${isUpdating(tenantId, 'gateway_id')} as "hasOpenUpdate"
  from gateway t
  where t.tenant_id = ${tenantId} and ${where} order by t.name, t.id limit ${limit}`

const targetOf =
  (kind: TargetKind) =>
  ({ models, ...row }: TargetRow): Target => ({
    ...row,
    kind,
    models: models.filter((model) => model !== null),
  })

/** The targets among the ids that exist, in no order. */
export async function findTargets(
  tenant: TenantDb,
  kind: TargetKind,
  ids: readonly string[],
): Promise<Target[]> {
  if (ids.length === 0) return []
  const where = sql<SqlBool>`t.id = any(${[...ids]}::uuid[])`
  const query = (kind === 'device' ? devices : gateways)(tenant, where, ids.length)
  return (await query.execute(tenant.db)).rows.map(targetOf(kind))
}

export interface TargetFilter {
  readonly kind: TargetKind
  readonly model: string
  readonly subregionId: string | undefined
  readonly limit: number
}

/** All reachable targets of a model without an open update, by name. */
export async function findUpdatableTargets(
  tenant: TenantDb,
  { kind, model, subregionId, limit }: TargetFilter,
): Promise<Target[]> {
  if (kind === 'device') {
    const location =
      subregionId === undefined ? sql`true` : sql`${subregionId} in (g.subregion_id, c.subregion_id)`
    const where = sql<SqlBool>`(g.gateway_type = 'mqtt' or c.id is not null)
      and ${model} in (d.model, t.extra_metadata->>'model', c.model)
      and not ${isUpdating(tenant.tenantId, 'device_id')} and ${location}`
    return (await devices(tenant, where, limit).execute(tenant.db)).rows.map(targetOf(kind))
  }
  const location = subregionId === undefined ? sql`true` : sql`t.subregion_id = ${subregionId}`
  const where = sql<SqlBool>`t.gateway_type = 'mqtt' and t.model = ${model}
    and not ${isUpdating(tenant.tenantId, 'gateway_id')} and ${location}`
  return (await gateways(tenant, where, limit).execute(tenant.db)).rows.map(targetOf(kind))
}

/** The version that last succeeded on a device before this update, other than the version of the update. */
export async function findPreviousVersion(
  tenant: TenantDb,
  update: {
    readonly id: string
    readonly device_id: string | null
    readonly gateway_id: string | null
    readonly firmware_version_id: string
    readonly finished_at: Date | null
  },
): Promise<string | undefined> {
  const { id, device_id, gateway_id, firmware_version_id, finished_at } = update
  let rows = selectRows(tenant, 'ota_update')
    .select('firmware_version_id')
    .where('status', '=', 'succeeded')
    .where('id', '<>', id)
    .where('firmware_version_id', '<>', firmware_version_id)
  // At most one update of a device is open, so the order of ends is the order of updates.
  if (finished_at !== null) rows = rows.where('finished_at', '<=', finished_at)
  rows =
    device_id === null ? rows.where('gateway_id', '=', gateway_id) : rows.where('device_id', '=', device_id)
  const row = await rows.orderBy('finished_at', 'desc').orderBy('id').limit(1).executeTakeFirst()
  return row?.firmware_version_id
}

/** The devices behind these gateways, over MQTT or polled. */
export async function listDevicesBehind(tenant: TenantDb, gatewayIds: readonly string[]): Promise<string[]> {
  if (gatewayIds.length === 0) return []
  const rows = await selectRows(tenant, 'device')
    .select('id')
    .where((eb) => eb.or([eb('gateway_id', 'in', gatewayIds), eb('mqtt_gateway_id', 'in', gatewayIds)]))
    .execute()
  return rows.map(({ id }) => id)
}
