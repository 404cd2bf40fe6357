import { conflict } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { SITE_TEXTS } from './messages.ts'
import type { CreateRegion, RegionQuery, UpdateRegion } from './region-schema.ts'

const columns = ['id', 'name', 'code', 'description', 'created_at'] as const
const writable = ['name', 'code', 'description'] as const
const constraints = {
  region_name_key: () => conflict('DUPLICATE_ENTRY', SITE_TEXTS.REGION_NAME_EXISTS()),
}

export function list(tenant: TenantDb, query: RegionQuery) {
  let rows = selectRows(tenant, 'region').select(columns)
  if (query.name !== undefined) rows = rows.where(equalsIgnoringCase('name', query.name))
  return readPage(rows.where(matchesSearch(query.search, ['name', 'code'])), query)
}

export const find = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'region').select(columns).where('id', '=', id).executeTakeFirst()

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
    updateRows(tx, 'region').set(set).where('id', '=', id).returning(columns).executeTakeFirst(),
  )
}

export const remove = (tx: TenantTx, id: string) =>
  unlessReferred('region', deleteRows(tx, 'region').where('id', '=', id).returning('id').executeTakeFirst())
