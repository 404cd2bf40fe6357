import { conflict } from '../../../../kernel/errors.ts'
import { changes, insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readList } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'
import type { CreateOrganization, OrganizationQuery, UpdateOrganization } from './schema.ts'

const writable = ['org_type', 'name', 'is_active'] as const
const columns = ['id', ...writable, 'is_system', 'created_at'] as const
const constraints = {
  organization_name_key: () => conflict('DUPLICATE_ENTRY', NETTING_ERRORS.ORGANIZATION_EXISTS()),
}

export function list(tenant: TenantDb, query: OrganizationQuery) {
  let rows = selectRows(tenant, 'organization').select(columns)
  if (query.org_type !== undefined) rows = rows.where('org_type', '=', query.org_type)
  if (!query.include_inactive) rows = rows.where('is_active', '=', true)
  return readList(
    rows
      .where(matchesSearch(query.search, ['name']))
      .orderBy('name')
      .orderBy('org_type')
      .orderBy('id'),
    query,
  )
}

export const create = ({ db, tenantId }: TenantTx, body: CreateOrganization) =>
  refusing(
    constraints,
    db
      .insertInto('organization')
      .values({ tenant_id: tenantId, ...insertable(body, writable) })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** Updates an organization of the tenant; undefined for a system-wide one. */
export function update(tx: TenantTx, id: string, body: UpdateOrganization) {
  const set = changes(body, writable) ?? { is_system: false }
  return refusing(
    constraints,
    updateRows(tx, 'organization')
      .set(set)
      .where('id', '=', id)
      .where('is_system', '=', false)
      .returning(columns)
      .executeTakeFirst(),
  )
}
