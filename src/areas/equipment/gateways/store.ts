import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { type JsonObject, toJson } from '../../../platform/db/json-columns.ts'
import { readList, readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { GATEWAY_TEXTS } from '../messages.ts'
import { isOnline } from './presence/presence-store.ts'
import type { BrokerGatewayQuery, CreateGateway, GatewayQuery, UpdateGateway } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'gateway.config': JsonObject
  }
}

const plain = [
  'name',
  'subregion_id',
  'host',
  'port',
  'serial_number',
  'client_id',
  'poll_interval_s',
  'model',
  'firmware_version',
] as const
const columns = [
  'id',
  'gateway_type',
  ...plain,
  'last_seen',
  'clock_skew_ms',
  'config',
  'config_version',
  'config_synced_at',
  'config_state',
  'synced_version',
  'reported_version',
  'reported_at',
  'created_at',
] as const
const constraints = {
  gateway_name_key: () => conflict('DUPLICATE_ENTRY', GATEWAY_TEXTS.GATEWAY_NAME_EXISTS()),
  gateway_subregion_fkey: () => invalidReference('subregion_id'),
}

const withPresence = (now: Date) => [...columns, isOnline(now).as('is_online')] as const

export function list(tenant: TenantDb, query: GatewayQuery, now: Date) {
  let rows = selectRows(tenant, 'gateway').select(withPresence(now))
  if (query.gateway_type !== undefined) rows = rows.where('gateway_type', '=', query.gateway_type)
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  if (query.is_online !== undefined) rows = rows.where(isOnline(now), '=', query.is_online)
  return readPage(
    rows.where(matchesSearch(query.search, ['name', 'serial_number', 'client_id', 'model'])),
    query,
  )
}

/** Gateways on a message broker, including Zigbee gateways, by name. */
export function listOnBroker(tenant: TenantDb, query: BrokerGatewayQuery, now: Date) {
  let rows = selectRows(tenant, 'gateway')
    .select(['id', 'name', 'gateway_type', 'client_id', 'last_seen', 'subregion_id'])
    .select(isOnline(now).as('is_online'))
    .where('gateway_type', 'in', ['mqtt', 'zigbee'])
    .orderBy('name')
    .orderBy('id')
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  if (query.is_online !== undefined) rows = rows.where(isOnline(now), '=', query.is_online)
  return readList(rows.where(matchesSearch(query.search, ['name', 'client_id'])), query)
}

export const find = (tenant: TenantDb, id: string, now: Date) =>
  selectRows(tenant, 'gateway').select(withPresence(now)).where('id', '=', id).executeTakeFirst()

export const create = ({ db, tenantId }: TenantTx, body: CreateGateway, now: Date) =>
  refusing(
    constraints,
    db
      .insertInto('gateway')
      .values({
        tenant_id: tenantId,
        gateway_type: body.gateway_type,
        ...insertable(body, plain),
        config: toJson(body.config ?? {}),
      })
      .returning(withPresence(now))
      .executeTakeFirstOrThrow(),
  )

/** Increments config_version only when the config differs. */
const newConfig = (config: JsonObject) => {
  const json = toJson(config)
  return {
    config: json,
    config_version: sql<number>`config_version + (config <> ${json}::jsonb)::int`,
  }
}

export function update(tx: TenantTx, id: string, body: UpdateGateway, now: Date) {
  const set = { ...changes(body, plain), ...(body.config && newConfig(body.config)) }
  if (Object.keys(set).length === 0) return find(tx, id, now)
  return refusing(
    constraints,
    updateRows(tx, 'gateway').set(set).where('id', '=', id).returning(withPresence(now)).executeTakeFirst(),
  )
}

export const remove = (tx: TenantTx, id: string) =>
  unlessReferred('gateway', deleteRows(tx, 'gateway').where('id', '=', id).returning('id').executeTakeFirst())
