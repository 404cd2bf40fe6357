import { sql } from 'kysely'
import { conflict, invalidReference } from '../../../../kernel/errors.ts'
import { insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readPage } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { isLockedOut } from '../interlock-store.ts'
import { LOTO_TEXTS } from '../messages.ts'
import { OPEN_STATUSES } from '../sessions/states.ts'
import type { CreateLotoPoint, LotoPointQuery, UpdateLotoPoint } from './schema.ts'

/** The columns that a client may write. */
export const WRITABLE = [
  'name',
  'subregion_id',
  'device_id',
  'energy_type',
  'isolation_method',
  'location',
] as const
const columns = ['id', ...WRITABLE, 'created_at', 'updated_at'] as const
const withLock = (tenantId: number) =>
  [...columns, isLockedOut(tenantId, 'loto_point').as('is_locked_out')] as const
const constraints = {
  loto_point_name_key: () => conflict('DUPLICATE_ENTRY', LOTO_TEXTS.LOTO_POINT_NAME_EXISTS()),
  loto_point_subregion_fkey: () => invalidReference('subregion_id'),
  loto_point_device_fkey: () => invalidReference('device_id'),
}

const points = (tenant: TenantDb) => selectRows(tenant, 'loto_point').where('deleted_at', 'is', null)

export function list(db: TenantDb, query: LotoPointQuery) {
  let rows = points(db).select(withLock(db.tenantId))
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  if (query.device_id !== undefined) rows = rows.where('device_id', '=', query.device_id)
  if (query.energy_type !== undefined) rows = rows.where('energy_type', '=', query.energy_type)
  if (query.is_locked_out !== undefined) {
    rows = rows.where(isLockedOut(db.tenantId, 'loto_point'), '=', query.is_locked_out)
  }
  return readPage(rows.where(matchesSearch(query.search, ['name', 'location'])), query)
}

export const find = (db: TenantDb, id: string) =>
  points(db).select(withLock(db.tenantId)).where('id', '=', id).executeTakeFirst()

export async function create({ db, tenantId }: TenantTx, body: CreateLotoPoint, now: Date) {
  const point = await refusing(
    constraints,
    db
      .insertInto('loto_point')
      .values({ tenant_id: tenantId, ...insertable(body, WRITABLE), created_at: now, updated_at: now })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )
  return { ...point, is_locked_out: false }
}

/** Locks a point until the end of the transaction, so that no session can include it meanwhile. */
export const lock = (tx: TenantTx, id: string) =>
  points(tx).select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Locks points against changes and deletion until the end of the transaction. Returns those that exist. */
export const share = (tx: TenantTx, ids: readonly string[]) =>
  points(tx).select('id').where('id', 'in', ids).orderBy('id').forShare().execute()

/** The title of an open session that contains the point. */
export async function openSessionOf(tx: TenantTx, id: string): Promise<string | undefined> {
  const row = await selectRows(tx, 'loto_session_point as sp')
    .innerJoin('loto_session as s', (join) =>
      join.onRef('s.tenant_id', '=', 'sp.tenant_id').onRef('s.id', '=', 'sp.session_id'),
    )
    .select('s.title')
    .where('sp.point_id', '=', id)
    .where('s.status', 'in', OPEN_STATUSES)
    .limit(1)
    .executeTakeFirst()
  return row?.title
}

/** Changes a point that is locked. */
export async function update(tx: TenantTx, id: string, set: UpdateLotoPoint, now: Date) {
  await refusing(
    constraints,
    updateRows(tx, 'loto_point')
      .set({ ...insertable(set, WRITABLE), updated_at: now })
      .where('id', '=', id)
      .execute(),
  )
  return find(tx, id)
}

/**
 * Hides a point that is locked: sessions that are over keep it, and it refers neither to its subregion nor to
 * its device.
 */
export const remove = (tx: TenantTx, id: string, now: Date) =>
  updateRows(tx, 'loto_point')
    .set({ deleted_at: now, subregion_id: null, device_id: null })
    .where('id', '=', id)
    .execute()

/**
 * A point as JSON, with the names of its subregion and device; the statement joins them as `p`, `r` and `d`.
 */
export const POINT_SNAPSHOT = sql`jsonb_build_object(
  'name', p.name, 'subregion_id', p.subregion_id, 'subregion_name', r.name, 'device_id', p.device_id,
  'device_name', d.name, 'energy_type', p.energy_type, 'isolation_method', p.isolation_method,
  'location', p.location)`
export const POINT_WITH_NAMES = sql`loto_point p
  left join subregion r on (r.tenant_id, r.id) = (p.tenant_id, p.subregion_id)
  left join device d on (d.tenant_id, d.id) = (p.tenant_id, p.device_id)`
