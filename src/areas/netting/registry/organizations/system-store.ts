import { sql } from 'kysely'
import { lockResource, shareResource } from '../../../../platform/db/locks.ts'
import type { SystemDb, SystemTx, TenantTx } from '../../../../platform/db/tenant.ts'
import type { OrgType } from './schema.ts'

export interface NamedOrganization {
  readonly orgType: OrgType
  readonly name: string
}

/**
 * The advisory lock of the system-wide organizations: exclusive for a change of them, shared for the creation
 * of a tenant with them.
 */
const SYSTEM_ORGANIZATIONS_LOCK = 'system organizations'

/**
 * Serializes changes of system-wide organizations, also with the creation of tenants. Take it before the
 * first statement.
 */
export const lockSystem = (tx: SystemTx): Promise<void> => lockResource(tx, SYSTEM_ORGANIZATIONS_LOCK)

/**
 * Copies the system-wide organizations into a new tenant under the same ids, so that references stay within the tenant.
 * Changes of system organizations take the same lock exclusively before they list the tenants, so no tenant is missed.
 */
export async function copySystemOrganizations(tx: TenantTx): Promise<void> {
  await shareResource(tx, SYSTEM_ORGANIZATIONS_LOCK)
  await sql`insert into organization (tenant_id, id, org_type, name, is_active, is_system)
    select ${tx.tenantId}::int, id, org_type, name, is_active, true from system_organization`.execute(tx.db)
}

/** Adds unknown organizations; a deactivated one stays deactivated. */
export const addMissing = async ({ db }: SystemTx, rows: readonly NamedOrganization[]): Promise<void> => {
  if (rows.length === 0) return
  await db
    .insertInto('system_organization')
    .values(rows.map(({ orgType, name }) => ({ org_type: orgType, name })))
    .onConflict((it) => it.constraint('system_organization_name_key').doNothing())
    .execute()
}

export interface SeedOrganization extends NamedOrganization {
  readonly formerNames: readonly string[]
}

/**
 * Renames organizations that have a former name, and their copies, under the same id. An organization whose new
 * name exists already stays as it is, and so does the copy of a tenant that has its own one of the new name.
 */
export async function renameFormer({ db }: SystemTx, rows: readonly SeedOrganization[]): Promise<void> {
  for (const { orgType, name, formerNames } of rows) {
    for (const formerName of formerNames) {
      await sql`update system_organization s set name = ${name}
        where s.org_type = ${orgType} and s.name = ${formerName} and not exists (
          select 1 from system_organization n where n.org_type = ${orgType} and n.name = ${name})`.execute(db)
      await sql`update organization o set name = s.name from system_organization s
        where s.org_type = ${orgType} and s.name = ${name} and o.id = s.id and o.is_system
          and o.name = ${formerName} and not exists (select 1 from organization n
            where n.tenant_id = o.tenant_id and n.org_type = o.org_type and n.name = s.name)`.execute(db)
    }
  }
}

export const setActive = ({ db }: SystemTx, id: string, isActive: boolean) =>
  db
    .updateTable('system_organization')
    .set({ is_active: isActive })
    .where('id', '=', id)
    .returning(['id', 'org_type', 'name'])
    .executeTakeFirst()

export const find = ({ db }: SystemTx, { orgType, name }: NamedOrganization) =>
  db
    .selectFrom('system_organization')
    .select(['id', 'is_active'])
    .where('org_type', '=', orgType)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

/**
 * Synchronizes the copies of all tenants: missing copies are created, and is_active follows the original. A
 * tenant with its own organization of the same type and name gets no copy, because the pair is unique within
 * a tenant.
 */
export async function syncCopies({ db }: SystemTx): Promise<void> {
  await sql`
    insert into organization (tenant_id, id, org_type, name, is_active, is_system)
    select wanted.tenant_id, wanted.id, wanted.org_type, wanted.name, wanted.is_active, true
    from (
      select t.id as tenant_id, s.id, s.org_type, s.name, s.is_active from system_organization s cross join tenant t
    ) wanted
    left join organization o on o.tenant_id = wanted.tenant_id and o.id = wanted.id
    where o.id is null
    order by wanted.tenant_id, wanted.org_type, wanted.name
    on conflict do nothing`.execute(db)
  await sql`
    update organization o set is_active = s.is_active from system_organization s
    where o.id = s.id and o.is_system and o.is_active <> s.is_active`.execute(db)
}

export interface TenantOverride {
  readonly slug: string
  readonly org_type: string
  readonly name: string
}

/**
 * Returns organizations that tenants created themselves and that replace a copy, for one system-wide
 * organization or for all.
 */
export async function listTenantOverrides(
  { db }: SystemDb,
  { id = null, limit }: { readonly id?: string | null; readonly limit: number },
): Promise<TenantOverride[]> {
  const { rows } = await sql<TenantOverride>`
    select t.slug, s.org_type, s.name from system_organization s
    join organization o on (o.org_type, o.name) = (s.org_type, s.name) and not o.is_system
    join tenant t on t.id = o.tenant_id
    where ${id}::uuid is null or s.id = ${id}::uuid
    order by t.slug, s.org_type, s.name limit ${limit}`.execute(db)
  return rows
}

export interface SystemOrganization {
  readonly id: string
  readonly org_type: string
  readonly name: string
  readonly is_active: boolean
  /** Tenants that have a copy. */
  readonly tenants: number
}

/** All system-wide organizations. The operator maintains this list, so it is short. */
export async function listSystem({ db }: SystemDb): Promise<SystemOrganization[]> {
  const { rows } = await sql<SystemOrganization>`
    select s.id, s.org_type, s.name, s.is_active, coalesce(o.tenants, 0)::int as tenants
    from system_organization s
    left join (select id, count(*) as tenants from organization group by id) o on o.id = s.id
    order by s.org_type, s.name`.execute(db)
  return rows
}
