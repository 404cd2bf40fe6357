import { sql } from 'kysely'
import { conflict } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readList } from '../../../platform/db/list.ts'
import type { SystemTx, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { CreateOrganization, OrganizationQuery, OrgType, UpdateOrganization } from './schema.ts'

const writable = ['org_type', 'name', 'is_active'] as const
const columns = ['id', ...writable, 'is_system', 'created_at'] as const
const constraints = {
  organization_name_key: () =>
    conflict('DUPLICATE_ENTRY', 'an organization with this org_type and name exists'),
}

export function list({ db, tenantId }: TenantDb, query: OrganizationQuery) {
  let rows = db.selectFrom('organization').select(columns).where('tenant_id', '=', tenantId)
  if (query.org_type !== undefined) rows = rows.where('org_type', '=', query.org_type)
  if (!query.include_inactive) rows = rows.where('is_active', '=', true)
  return readList(rows.orderBy('name').orderBy('org_type').orderBy('id'), query)
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

/** Only the tenant's own: a system-wide one is not found. */
export function update({ db, tenantId }: TenantTx, id: string, body: UpdateOrganization) {
  const set = changes(body, writable) ?? { is_system: false }
  return refusing(
    constraints,
    db
      .updateTable('organization')
      .set(set)
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('is_system', '=', false)
      .returning(columns)
      .executeTakeFirst(),
  )
}

/**
 * Makes an organization known in every tenant, under one id. A tenant that has its own of the same type and name
 * keeps it. Adding it again changes nothing. A tenant made later is born with it (module tenants).
 */
export async function addSystemOrganization({ db }: SystemTx, orgType: OrgType, name: string): Promise<void> {
  await db
    .insertInto('system_organization')
    .values({ org_type: orgType, name })
    .onConflict((it) => it.constraint('system_organization_name_key').doNothing())
    .execute()
  await sql`
    insert into organization (tenant_id, id, org_type, name, is_active, is_system)
    select t.id, s.id, s.org_type, s.name, s.is_active, true
    from system_organization s cross join tenant t
    where s.org_type = ${orgType} and s.name = ${name}
    on conflict do nothing`.execute(db)
}
