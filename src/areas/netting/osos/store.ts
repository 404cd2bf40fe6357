import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { changes, insertable } from '../../../platform/db/columns.ts'
import { refusing, unlessReferred } from '../../../platform/db/constraints.ts'
import { readList } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { INSTALLATION_TEXTS } from './messages.ts'
import type { CreateInstallation, InstallationQuery, UpdateInstallation } from './schema.ts'

const writable = [
  'installation_no',
  'facility_id',
  'distribution_company_id',
  'multiplier',
  'measurement_role',
] as const
const columns = ['id', ...writable, 'fact_source', 'created_at'] as const
const constraints = {
  osos_installation_no_key: () =>
    conflict('DUPLICATE_ENTRY', INSTALLATION_TEXTS.INSTALLATION_NUMBER_TAKEN(), { field: 'installation_no' }),
  osos_installation_facility_fkey: () => invalidReference('facility_id'),
  osos_installation_distribution_company_fkey: () => invalidReference('distribution_company_id'),
}

const installations = (tenant: TenantDb) => selectRows(tenant, 'osos_installation').select(columns)

export function list(tenant: TenantDb, query: InstallationQuery) {
  let rows = installations(tenant)
  if (query.facility_id !== undefined) rows = rows.where('facility_id', '=', query.facility_id)
  return readList(
    rows
      .where(matchesSearch(query.search, ['installation_no']))
      .orderBy('installation_no')
      .orderBy('id'),
    query,
  )
}

export const find = (tenant: TenantDb, id: string) =>
  installations(tenant).where('id', '=', id).executeTakeFirst()

export const lock = (tx: TenantTx, id: string) =>
  installations(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Locks installations (at least one) in id order before readings are stored, so that the compared values do
 * not change.
 */
export const lockAll = (tx: TenantTx, ids: readonly string[]) =>
  installations(tx)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Installations by their numbers. */
export const findByNumbers = (tenant: TenantDb, numbers: readonly string[]) =>
  numbers.length === 0
    ? []
    : installations(tenant)
        .where((eb) => eb('installation_no', '=', eb.fn.any(eb.val([...numbers]))))
        .execute()

/** The facilities with a name: at most two, because only a unique name identifies one. */
export const facilitiesNamed = (tenant: TenantDb, name: string) =>
  selectRows(tenant, 'facility').select('id').where('name', '=', name).limit(2).execute()

/**
 * The largest power, contracted or installed, kW, of the facilities of a meter: its own, and those of its metering
 * points. A power of 0 is not recorded.
 */
export async function powerOf(
  { db, tenantId }: TenantDb,
  meter: { readonly id: string; readonly facilityId: string | null },
): Promise<number | undefined> {
  const { rows } = await sql<{ power: number | null }>`
    select max(greatest(f.contracted_power_kw, f.installed_power_kw))::float8 as power from facility f
    where f.tenant_id = ${tenantId} and (f.id = ${meter.facilityId} or f.id in (
      select p.facility_id from metering_point p
      where p.tenant_id = ${tenantId} and p.osos_installation_id = ${meter.id}))`.execute(db)
  return rows[0]?.power || undefined
}

const writableColumns = (body: UpdateInstallation) => ({
  ...insertable(body, ['facility_id', 'distribution_company_id', 'measurement_role']),
  ...(body.multiplier !== undefined && { multiplier: String(body.multiplier) }),
})

export const create = ({ db, tenantId }: TenantTx, body: CreateInstallation) =>
  refusing(
    constraints,
    db
      .insertInto('osos_installation')
      .values({ tenant_id: tenantId, installation_no: body.installation_no, ...writableColumns(body) })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** Creates the meter that a customer declares, at its first import; nothing for an existing meter. */
export async function createDeclared(
  { db, tenantId }: TenantTx,
  {
    id,
    facilityId,
    role,
    source,
    newNumber,
  }: { id: string; facilityId: string | null; role: string; source: string; newNumber: string | undefined },
): Promise<void> {
  if (newNumber === undefined) return
  await refusing(
    constraints,
    db
      .insertInto('osos_installation')
      .values({
        tenant_id: tenantId,
        id,
        installation_no: newNumber,
        facility_id: facilityId,
        measurement_role: role,
        fact_source: source,
      })
      .execute(),
  )
}

export function update(tx: TenantTx, id: string, body: UpdateInstallation) {
  const set = { ...changes(body, ['installation_no']), ...writableColumns(body) }
  if (Object.keys(set).length === 0) return find(tx, id)
  return refusing(
    constraints,
    updateRows(tx, 'osos_installation').set(set).where('id', '=', id).returning(columns).executeTakeFirst(),
  )
}

export const remove = (tx: TenantTx, id: string) =>
  unlessReferred(
    'installation',
    deleteRows(tx, 'osos_installation').where('id', '=', id).returning('id').executeTakeFirst(),
  )

/** The type of an organization of the tenant. */
export const organizationType = async (tenant: TenantDb, id: string) =>
  (await selectRows(tenant, 'organization').select('org_type').where('id', '=', id).executeTakeFirst())
    ?.org_type
