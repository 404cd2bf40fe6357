import { conflict } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { CreateRegion, RegionQuery, UpdateRegion } from './schema.ts'

const columns = ['id', 'name', 'code', 'description', 'created_at'] as const
const writable = ['name', 'code', 'description'] as const
const constraints = {
  region_name_key: () => conflict('DUPLICATE_ENTRY', 'a region with this name exists'),
}

export function list({ db, tenantId }: TenantDb, query: RegionQuery) {
  let rows = db.selectFrom('region').select(columns).where('tenant_id', '=', tenantId)
  if (query.name !== undefined) rows = rows.where('name', '=', query.name)
  return readPage(rows, query)
}

export const find = ({ db, tenantId }: TenantDb, id: string) =>
  db
    .selectFrom('region')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()

export const create = ({ db, tenantId }: TenantTx, body: CreateRegion) =>
  refusing(
    constraints,
    db
      .insertInto('region')
      .values({ tenant_id: tenantId, ...insertable(body, writable) })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export function update(tx: TenantTx, id: string, body: UpdateRegion) {
  const set = changes(body, writable)
  if (!set) return find(tx, id)
  return refusing(
    constraints,
    tx.db
      .updateTable('region')
      .set(set)
      .where('tenant_id', '=', tx.tenantId)
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst(),
  )
}

export const remove = ({ db, tenantId }: TenantTx, id: string) =>
  unlessReferred(
    'region',
    db
      .deleteFrom('region')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst(),
  )
