import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { changes } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { isOnline } from '../gateways/index.ts'
import { GATEWAY_TEXTS } from '../messages.ts'
import type { UpdateZigbeeGateway, ZigbeeGatewayQuery } from './schema.ts'

const plain = ['name', 'subregion_id', 'last_seen', 'created_at', 'firmware_version'] as const
const constraints = {
  gateway_name_key: () => conflict('DUPLICATE_ENTRY', GATEWAY_TEXTS.GATEWAY_NAME_EXISTS()),
  gateway_subregion_fkey: () => invalidReference('subregion_id'),
}

const ieeeAddress = (tenantId: number) => sql<string | null>`(select z.ieee_address from zigbee_gateway z
  where z.tenant_id = ${tenantId} and z.gateway_id = gateway.id)`

const gateways = (tenant: TenantDb, now: Date) =>
  selectRows(tenant, 'gateway')
    .select(['id', ...plain])
    .select(isOnline(now).as('is_online'))
    .select((eb) => [
      ieeeAddress(tenant.tenantId).as('ieee_address'),
      eb
        .selectFrom('zigbee_gateway as z')
        .select('z.permit_join_until')
        .where('z.tenant_id', '=', tenant.tenantId)
        .whereRef('z.gateway_id', '=', 'gateway.id')
        .where('z.permit_join_until', '>', now)
        .as('permit_join_until'),
      sql<number>`(select count(*)::int from zigbee_device d
        where d.tenant_id = ${tenant.tenantId} and d.gateway_id = gateway.id)`.as('device_count'),
    ])
    .where('gateway_type', '=', 'zigbee')

export function list(tenant: TenantDb, query: ZigbeeGatewayQuery, now: Date) {
  let rows = gateways(tenant, now)
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  if (query.is_online !== undefined) rows = rows.where(isOnline(now), '=', query.is_online)
  return readPage(rows.where(matchesSearch(query.search, ['name', ieeeAddress(tenant.tenantId)])), query)
}

export const find = (tenant: TenantDb, id: string, now: Date) =>
  gateways(tenant, now).where('id', '=', id).executeTakeFirst()

export async function update(tx: TenantTx, id: string, body: UpdateZigbeeGateway): Promise<void> {
  const set = changes(body, ['name', 'subregion_id'])
  if (!set) return
  await refusing(
    constraints,
    updateRows(tx, 'gateway').set(set).where('id', '=', id).where('gateway_type', '=', 'zigbee').execute(),
  )
}

export const create = (
  { db, tenantId }: TenantTx,
  gateway: { readonly name: string; readonly subregion_id: string | null },
) =>
  refusing(
    constraints,
    db
      .insertInto('gateway')
      .values({ tenant_id: tenantId, gateway_type: 'zigbee', config: toJson({}), ...gateway })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow(),
  )

export async function isNameTaken(tenant: TenantDb, name: string): Promise<boolean> {
  const row = await selectRows(tenant, 'gateway').select('id').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

/** The tenant's gateway with that coordinator; the most recently seen one when there are several. */
export const findByAddress = (tenant: TenantDb, ieeeAddress: string) =>
  selectRows(tenant, 'zigbee_gateway as z')
    .innerJoin('gateway as g', (join) =>
      join.onRef('g.tenant_id', '=', 'z.tenant_id').onRef('g.id', '=', 'z.gateway_id'),
    )
    .select(['g.id', 'g.name'])
    .where('z.ieee_address', '=', ieeeAddress.toLowerCase())
    .orderBy('g.last_seen', (order) => order.desc().nullsLast())
    .orderBy('g.id')
    .executeTakeFirst()

export interface ZigbeeGatewayDetails {
  readonly ieee_address?: string
  readonly permit_join_until?: Date | null
  readonly inventory_at?: Date
}

/** Upserts details that only Zigbee gateways have. */
export const upsertDetails = ({ db, tenantId }: TenantDb, gatewayId: string, details: ZigbeeGatewayDetails) =>
  db
    .insertInto('zigbee_gateway')
    .values({ tenant_id: tenantId, gateway_id: gatewayId, ...details })
    .onConflict((on) =>
      Object.keys(details).length > 0
        ? on.columns(['tenant_id', 'gateway_id']).doUpdateSet(details)
        : on.columns(['tenant_id', 'gateway_id']).doNothing(),
    )
    .execute()

/**
 * Deletes a Zigbee gateway. Its devices keep their measurements and lose the reference. False when unknown.
 */
export async function remove(tx: TenantTx, id: string): Promise<boolean> {
  const gateway = await selectRows(tx, 'gateway')
    .select('id')
    .where('id', '=', id)
    .where('gateway_type', '=', 'zigbee')
    .forUpdate()
    .executeTakeFirst()
  if (!gateway) return false
  await updateRows(tx, 'device').set({ mqtt_gateway_id: null }).where('mqtt_gateway_id', '=', id).execute()
  await unlessReferred('gateway', deleteRows(tx, 'gateway').where('id', '=', id).execute())
  return true
}
