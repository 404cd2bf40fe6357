import { sql } from 'kysely'
import { conflict, invalidReference } from '../../kernel/errors.ts'
import { changes, insertable } from '../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../platform/db/constraints.ts'
import { readPage } from '../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../platform/db/tenant.ts'
import type { CreateGateway, GatewayQuery, UpdateGateway } from './schema.ts'

const plain = [
  'name',
  'subregion_id',
  'host',
  'port',
  'serial_number',
  'client_id',
  'poll_interval_s',
  'firmware_version',
] as const
const columns = [
  'id',
  'gateway_type',
  ...plain,
  'is_online',
  'last_seen',
  'config',
  'config_version',
  'config_synced_at',
  'created_at',
] as const
const constraints = {
  gateway_name_key: () => conflict('DUPLICATE_ENTRY', 'a gateway with this name exists'),
  gateway_subregion_fkey: () => invalidReference('subregion_id'),
}

export function list({ db, tenantId }: TenantDb, query: GatewayQuery) {
  let rows = db.selectFrom('gateway').select(columns).where('tenant_id', '=', tenantId)
  if (query.gateway_type !== undefined) rows = rows.where('gateway_type', '=', query.gateway_type)
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  if (query.is_online !== undefined) rows = rows.where('is_online', '=', query.is_online)
  return readPage(rows, query)
}

export const find = ({ db, tenantId }: TenantDb, id: string) =>
  db
    .selectFrom('gateway')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()

export const create = ({ db, tenantId }: TenantTx, body: CreateGateway) =>
  refusing(
    constraints,
    db
      .insertInto('gateway')
      .values({
        tenant_id: tenantId,
        gateway_type: body.gateway_type,
        ...insertable(body, plain),
        config: JSON.stringify(body.config ?? {}),
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** A changed config raises its version; the same config sent again does not. */
const newConfig = (config: Record<string, unknown>) => {
  const json = JSON.stringify(config)
  return {
    config: json,
    config_version: sql<number>`config_version + (config <> ${json}::jsonb)::int`,
  }
}

export function update(tx: TenantTx, id: string, body: UpdateGateway) {
  const set = { ...changes(body, plain), ...(body.config && newConfig(body.config)) }
  if (Object.keys(set).length === 0) return find(tx, id)
  return refusing(
    constraints,
    tx.db
      .updateTable('gateway')
      .set(set)
      .where('tenant_id', '=', tx.tenantId)
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )
}

export const remove = ({ db, tenantId }: TenantTx, id: string) =>
  unlessReferred(
    'gateway',
    db
      .deleteFrom('gateway')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst(),
  )
