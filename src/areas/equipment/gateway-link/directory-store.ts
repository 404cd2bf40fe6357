import type { JsonColumns } from '../../../platform/db/json-columns.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { MQTT_DEVICES_PER_GATEWAY_MAX } from './limits.ts'

export interface BoundDevice {
  readonly id: string
  /** Its short key in the tables of samples. */
  readonly key: number
  readonly name: string
  /** Names besides id and name by which messages may refer to the device. */
  readonly externalIds: readonly string[]
  readonly templateId: string | null
}

/** Devices of a gateway; undefined when the tenant has no such gateway. */
export async function listGatewayDevices(
  { kysely }: Database,
  tenantId: number,
  gatewayId: string,
): Promise<readonly BoundDevice[] | undefined> {
  const rows = await kysely
    .selectFrom('gateway as g')
    .leftJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 'g.tenant_id').onRef('d.mqtt_gateway_id', '=', 'g.id'),
    )
    .select(['d.id', 'd.key', 'd.name', 'd.extra_metadata', 'd.template_id'])
    .where('g.tenant_id', '=', tenantId)
    .where('g.id', '=', gatewayId)
    .orderBy('d.created_at')
    .orderBy('d.id')
    .limit(MQTT_DEVICES_PER_GATEWAY_MAX)
    .execute()
  if (rows.length === 0) return undefined
  return rows.flatMap(({ id, key, name, extra_metadata, template_id }) =>
    id === null || key === null || name === null
      ? []
      : [{ id, key, name, externalIds: externalIdsOf(extra_metadata ?? {}), templateId: template_id }],
  )
}

/** The stored register map of a template; null when it has none. */
export async function findRegisterMap(
  { kysely }: Database,
  tenantId: number,
  templateId: string,
): Promise<unknown> {
  const row = await kysely
    .selectFrom('device_template')
    .select('register_map')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', templateId)
    .executeTakeFirst()
  return row?.register_map ?? null
}

const NAME_KEYS = ['external_id', 'ieee_address'] as const

function externalIdsOf(metadata: JsonColumns['device.extra_metadata']): string[] {
  return NAME_KEYS.flatMap((key) => {
    const value = metadata[key]
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
  })
}

export async function findTenantIdByUid(
  { kysely }: Database,
  tenantUid: string,
): Promise<number | undefined> {
  const row = await kysely
    .selectFrom('tenant')
    .select('id')
    .where('uid', '=', tenantUid)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return row?.id
}
