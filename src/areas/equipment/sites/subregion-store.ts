import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { equalsIgnoringCase, matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { SITE_TEXTS } from './messages.ts'
import type { CreateSubregion, SubregionQuery, UpdateSubregion } from './subregion-schema.ts'

const writable = [
  'region_id',
  'name',
  'address',
  'city',
  'latitude',
  'longitude',
  'contracted_power_kw',
] as const
const columns = ['id', ...writable, 'created_at'] as const
const constraints = {
  subregion_name_key: () => conflict('DUPLICATE_ENTRY', SITE_TEXTS.SUBREGION_NAME_EXISTS()),
  subregion_region_fkey: () => invalidReference('region_id'),
}

export function list(tenant: TenantDb, query: SubregionQuery) {
  let rows = selectRows(tenant, 'subregion').select(columns)
  if (query.region_id !== undefined) rows = rows.where('region_id', '=', query.region_id)
  if (query.name !== undefined) rows = rows.where(equalsIgnoringCase('name', query.name))
  return readPage(rows.where(matchesSearch(query.search, ['name', 'city', 'address'])), query)
}

export const find = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'subregion').select(columns).where('id', '=', id).executeTakeFirst()

export const create = ({ db, tenantId }: TenantTx, body: CreateSubregion) =>
  refusing(
    constraints,
    db
      .insertInto('subregion')
      .values({ tenant_id: tenantId, ...insertable(body, writable) })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

export function update(tx: TenantTx, id: string, body: UpdateSubregion) {
  const set = changes(body, writable)
  if (!set) return find(tx, id)
  return refusing(
    constraints,
    updateRows(tx, 'subregion').set(set).where('id', '=', id).returning(columns).executeTakeFirst(),
  )
}

export const remove = (tx: TenantTx, id: string) =>
  unlessReferred(
    'subregion',
    deleteRows(tx, 'subregion').where('id', '=', id).returning('id').executeTakeFirst(),
  )
