import { sql } from 'kysely'
import { conflict } from '../../../../kernel/errors.ts'
import { parseValidInstant } from '../../../../kernel/time.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { readPage } from '../../../../platform/db/list.ts'
import { matchesSearch } from '../../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { LOTO_TEXTS } from '../messages.ts'
import { POINT_SNAPSHOT, POINT_WITH_NAMES } from '../points/store.ts'
import type { CreateLotoSession, LotoSessionQuery } from './schema.ts'
import type { SessionStatus } from './states.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'loto_session_point.snapshot': PointSnapshot
    'loto_session_point.verification': PointVerification
  }
}

const columnsOf = (tenantId: number) =>
  [
    'id',
    'title',
    'reason',
    'status',
    'requested_by',
    'approved_by',
    'approved_at',
    'rejected_by',
    'rejected_at',
    'applied_by',
    'applied_at',
    'released_by',
    'released_at',
    'created_at',
    'updated_at',
    sql<string[]>`array(select sp.point_id from loto_session_point sp
    where sp.tenant_id = ${tenantId} and sp.session_id = loto_session.id order by sp.position)`.as(
      'point_ids',
    ),
    sql<number>`(select count(*)::int from loto_lock l
    where l.tenant_id = ${tenantId} and l.session_id = loto_session.id
      and l.removed_at is null)`.as('locks_left'),
  ] as const

const sessions = (tenant: TenantDb) => selectRows(tenant, 'loto_session')

/**
 * SQL: compares a column of a point of the session, in its snapshot if the session was approved, else in the
 * present point.
 */
function hasPoint(tenantId: number, column: 'id' | 'device_id' | 'subregion_id', id: string) {
  const live = sql.ref(`p.${column}`)
  const snapshot = sql`case when sp.snapshot is null then ${live} else (sp.snapshot ->> ${sql.lit(column)})::uuid end`
  return sql<boolean>`exists (
    select 1 from loto_session_point sp
    join loto_point p on (p.tenant_id, p.id) = (sp.tenant_id, sp.point_id)
    where sp.tenant_id = ${tenantId} and sp.session_id = loto_session.id
      and ${column === 'id' ? live : snapshot} = ${id}::uuid)`
}

export function list(db: TenantDb, query: LotoSessionQuery) {
  let rows = sessions(db).select(columnsOf(db.tenantId))
  const { status, requested_by, point_id, device_id, subregion_id, from, to } = query
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (requested_by !== undefined) rows = rows.where('requested_by', '=', requested_by)
  if (point_id !== undefined) rows = rows.where(hasPoint(db.tenantId, 'id', point_id), '=', true)
  if (device_id !== undefined) rows = rows.where(hasPoint(db.tenantId, 'device_id', device_id), '=', true)
  if (subregion_id !== undefined)
    rows = rows.where(hasPoint(db.tenantId, 'subregion_id', subregion_id), '=', true)
  if (from !== undefined) rows = rows.where('created_at', '>=', parseValidInstant(from))
  if (to !== undefined) rows = rows.where('created_at', '<', parseValidInstant(to))
  return readPage(rows.where(matchesSearch(query.search, ['title', 'reason'])), query)
}

export const find = (db: TenantDb, id: string) =>
  sessions(db).select(columnsOf(db.tenantId)).where('id', '=', id).executeTakeFirst()

export const exists = async (db: TenantDb, id: string): Promise<boolean> =>
  (await sessions(db).select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export interface LockedSession {
  readonly id: string
  readonly status: SessionStatus
  readonly requested_by: string
}

/** Reads a session and locks it until the end of the transaction. */
export const lock = async (tx: TenantTx, id: string): Promise<LockedSession | undefined> => {
  const row = await sessions(tx)
    .select(['id', 'status', 'requested_by'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, status: row.status as SessionStatus }
}

interface NewSession {
  readonly body: Pick<CreateLotoSession, 'title' | 'reason'>
  readonly userId: string
  readonly now: Date
}

export const create = ({ db, tenantId }: TenantTx, { body, userId, now }: NewSession) =>
  db
    .insertInto('loto_session')
    .values({
      tenant_id: tenantId,
      title: body.title,
      reason: body.reason,
      requested_by: userId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Replaces the points of a session without locks and without approval. */
export async function setPoints(tx: TenantTx, id: string, pointIds: readonly string[]) {
  await deleteRows(tx, 'loto_session_point').where('session_id', '=', id).execute()
  const rows = pointIds.map((point_id, index) => ({
    tenant_id: tx.tenantId,
    session_id: id,
    point_id,
    position: index,
  }))
  await tx.db.insertInto('loto_session_point').values(rows).execute()
}

export interface SessionChange {
  readonly title?: string
  readonly reason?: string
  readonly status?: SessionStatus
  readonly approved_by?: string
  readonly approved_at?: Date
  readonly rejected_by?: string
  readonly rejected_at?: Date
  readonly applied_by?: string
  readonly applied_at?: Date
  readonly released_by?: string
  readonly released_at?: Date
  readonly updated_at: Date
}

/** Changes a session that is locked. */
export const change = (tx: TenantTx, id: string, set: SessionChange) =>
  updateRows(tx, 'loto_session').set(set).where('id', '=', id).execute()

/**
 * Stores a snapshot of each point of a session, at its approval. The points are locked against changes. It is read and
 * then written, because a distributed database does not compute it in an UPDATE.
 */
export async function snapshotPoints({ db, tenantId }: TenantTx, id: string): Promise<void> {
  const { rows } = await sql<{ id: string; snapshot: string }>`
    select sp.point_id as id, (${POINT_SNAPSHOT})::text as snapshot
    from loto_session_point sp join (${POINT_WITH_NAMES}) on (p.tenant_id, p.id) = (sp.tenant_id, sp.point_id)
    where sp.tenant_id = ${tenantId} and sp.session_id = ${id}`.execute(db)
  await sql`
    update loto_session_point sp set snapshot = s.snapshot::jsonb
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map(({ snapshot }) => snapshot)}::text[])
      as s (point_id, snapshot)
    where sp.tenant_id = ${tenantId} and sp.session_id = ${id} and sp.point_id = s.point_id`.execute(db)
}

export interface PointSnapshot {
  readonly name: string
  readonly subregion_id: string | null
  readonly subregion_name: string | null
  readonly device_id: string | null
  readonly device_name: string | null
  readonly energy_type: string
  readonly isolation_method: string
  readonly location: string
}
export interface PointVerification {
  readonly method: 'measured' | 'manual'
  readonly measured_at: string | null
  readonly values: Readonly<Record<string, number>> | null
  readonly note: string | null
  readonly verified_by: string
  readonly verified_at: string
}
export interface SessionPoint {
  readonly id: string
  readonly picture: PointSnapshot
  readonly verification: PointVerification | null
}

/**
 * The points of a session in their order, from the snapshot if the session was approved, else as they are
 * now.
 */
export async function listPoints({ db, tenantId }: TenantDb, id: string): Promise<SessionPoint[]> {
  const { rows } = await sql<SessionPoint>`
    select sp.point_id as id, coalesce(sp.snapshot, ${POINT_SNAPSHOT}) as picture, sp.verification
    from loto_session_point sp join (${POINT_WITH_NAMES}) on (p.tenant_id, p.id) = (sp.tenant_id, sp.point_id)
    where sp.tenant_id = ${tenantId} and sp.session_id = ${id} order by sp.position`.execute(db)
  return rows
}

export interface PointDevice {
  readonly point_id: string
  readonly name: string
  readonly device_key: number | null
  readonly device_type: string | null
}

/** The points of a session with the devices whose meters are read. */
export const listPointDevices = (tenant: TenantDb, id: string): Promise<PointDevice[]> =>
  selectRows(tenant, 'loto_session_point as sp')
    .innerJoin('loto_point as p', (join) =>
      join.onRef('p.tenant_id', '=', 'sp.tenant_id').onRef('p.id', '=', 'sp.point_id'),
    )
    .leftJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 'p.tenant_id').onRef('d.id', '=', 'p.device_id'),
    )
    .select(['sp.point_id', 'p.name', 'd.key as device_key', 'd.device_type'])
    .where('sp.session_id', '=', id)
    .orderBy('sp.position')
    .execute()

const held = {
  loto_session_point_held_key: () =>
    conflict('LOTO_POINT_APPLIED', LOTO_TEXTS.LOTO_POINT_IN_APPLIED_SESSION()),
}

/**
 * Claims the points for this session, with the verification of each; 409 when another applied session has
 * one.
 */
export async function holdPoints(
  tx: TenantTx,
  id: string,
  verifications: ReadonlyMap<string, PointVerification>,
): Promise<void> {
  for (const [pointId, verification] of verifications) {
    const row = updateRows(tx, 'loto_session_point')
      .set({ is_held: true, verification: toJson(verification) })
      .where('session_id', '=', id)
      .where('point_id', '=', pointId)
      .execute()
    await refusing(held, row)
  }
}

export const releasePoints = (tx: TenantTx, id: string) =>
  updateRows(tx, 'loto_session_point').set({ is_held: false }).where('session_id', '=', id).execute()
