import { sql } from 'kysely'
import { at } from '../../../kernel/checked.ts'
import { byTenant } from '../../../platform/db/by-tenant.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'

export interface GatewayKey {
  readonly tenantId: number
  readonly gatewayId: string
}

/** SQL: the names by which messages may refer to a device `d`, as in the directory of `src/field/mqtt`. */
const NAMES = `d.id::text, d.name, d.extra_metadata ->> 'external_id', d.extra_metadata ->> 'ieee_address'`

/**
 * Positions of the names that a device of their gateway has. An empty name is the gateway itself, which counts as
 * a device when it has exactly one.
 */
const FIND_NAMED = `
  select asked.position::int as position
  from unnest($2::uuid[], $3::text[]) with ordinality as asked (gateway_id, name, position)
  where exists (
      select 1 from device d
      where d.tenant_id = $1 and d.mqtt_gateway_id = asked.gateway_id and asked.name in (${NAMES}))
    or asked.name = '' and 1 = (
      select count(*) from (
        select 1 from device d where d.tenant_id = $1 and d.mqtt_gateway_id = asked.gateway_id limit 2
      ) as own)`

/** Which of the names a device of their gateway has; one statement for each tenant. */
export async function findNamedDevices<Name extends GatewayKey & { readonly name: string }>(
  { pool }: Database,
  names: readonly Name[],
): Promise<ReadonlySet<Name>> {
  const found = new Set<Name>()
  for (const [tenantId, own] of byTenant(names)) {
    const { rows } = await pool.query<{ position: number }>(FIND_NAMED, [
      tenantId,
      own.map(({ gatewayId }) => gatewayId),
      own.map(({ name }) => name),
    ])
    for (const { position } of rows) found.add(at(own, position - 1))
  }
  return found
}

/**
 * Gateways whose devices were created or named in the last milliseconds, by the clock of the database, and that have
 * dead letters of unknown devices; one page of them.
 */
export async function listGatewaysToReplay(
  { kysely }: Database,
  { namedForMs, max, after }: { namedForMs: number; max: number; after?: GatewayKey | undefined },
): Promise<GatewayKey[]> {
  const { rows } = await sql<{ tenant_id: number; gateway_id: string }>`
    select g.tenant_id, g.gateway_id from (
      select distinct tenant_id, mqtt_gateway_id as gateway_id from device
      where mqtt_gateway_id is not null and named_at > now() - ${namedForMs}::float8 * interval '1 millisecond'
    ) as g
    where (g.tenant_id, g.gateway_id) > (${after?.tenantId ?? 0}, ${after?.gatewayId ?? FIRST_ID}::uuid) and exists (
      select 1 from dead_letter l
      where l.tenant_id = g.tenant_id and l.gateway_id = g.gateway_id and l.reason = 'unknown_device')
    order by g.tenant_id, g.gateway_id limit ${max}`.execute(kysely)
  return rows.map(({ tenant_id: tenantId, gateway_id: gatewayId }) => ({ tenantId, gatewayId }))
}

export interface ReplayQuery {
  readonly gatewayId: string
  /** Older dead letters are left out. */
  readonly since: Date
  /** Only devices that were named in the last milliseconds count. */
  readonly namedForMs: number
  readonly max: number
  /** The last dead letter of the previous page. */
  readonly after?: { readonly receivedAt: Date; readonly id: string } | undefined
}

/** Dead letters that name a device which has appeared, oldest first. */
export async function listReplayableDeadLetters(
  { db, tenantId }: TenantDb,
  { gatewayId, since, namedForMs, max, after = { receivedAt: since, id: FIRST_ID } }: ReplayQuery,
) {
  const { rows } = await sql<{
    id: string
    gateway_id: string
    topic: string
    payload: Buffer
    received_at: Date
  }>`
    with device_name as materialized (
      select named.name from device d, lateral unnest(array[${sql.raw(NAMES)}]) as named (name)
      where d.tenant_id = ${tenantId} and d.mqtt_gateway_id = ${gatewayId} and named.name is not null
        and d.named_at > now() - ${namedForMs}::float8 * interval '1 millisecond'
      union
      select '' from device where tenant_id = ${tenantId} and mqtt_gateway_id = ${gatewayId} having count(*) = 1
    )
    select id, gateway_id, topic, payload, received_at from dead_letter
    where tenant_id = ${tenantId} and gateway_id = ${gatewayId} and reason = 'unknown_device'
      and received_at >= ${since} and (received_at, id) > (${after.receivedAt}, ${after.id}::uuid)
      and exists (
        select 1 from unnest(unknown_devices) as unknown (name) where unknown.name in (select name from device_name))
    order by received_at, id limit ${max}`.execute(db)
  return rows
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
