import { conflict } from '../../../../kernel/errors.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../../platform/db/tenant-rows.ts'
import { LOTO_TEXTS } from '../messages.ts'

const columns = [
  'id',
  'session_id',
  'point_id',
  'lock_number',
  'owner_id',
  'owner_name',
  'placed_at',
  'removed_at',
  'removed_by',
  'removed_by_name',
  'is_forced',
  'removal_reason',
] as const
const constraints = {
  loto_lock_personal_key: () => conflict('DUPLICATE_ENTRY', LOTO_TEXTS.LOTO_OWN_LOCK_EXISTS()),
  loto_lock_number_key: () => conflict('DUPLICATE_ENTRY', LOTO_TEXTS.LOTO_LOCK_NUMBER_EXISTS()),
}

const locks = (tenant: TenantDb) => selectRows(tenant, 'loto_lock')

/** All locks of a session, removed ones included. */
export const list = (db: TenantDb, sessionId: string) =>
  locks(db).select(columns).where('session_id', '=', sessionId).orderBy('seq').execute()

const count = (db: TenantDb, sessionId: string) =>
  locks(db)
    .select((eb) => eb.fn.countAll().as('count'))
    .where('session_id', '=', sessionId)

export const countHanging = async (db: TenantDb, sessionId: string): Promise<number> =>
  Number((await count(db, sessionId).where('removed_at', 'is', null).executeTakeFirstOrThrow()).count)

/** The points of a session that have a lock. */
export async function listLockedPoints(db: TenantDb, sessionId: string): Promise<ReadonlySet<string>> {
  const rows = await locks(db)
    .select('point_id')
    .distinct()
    .where('session_id', '=', sessionId)
    .where('removed_at', 'is', null)
    .execute()
  return new Set(rows.map(({ point_id }) => point_id))
}

/** The number of locks of a session, removed ones included. */
export const countAll = async (db: TenantDb, sessionId: string): Promise<number> =>
  Number((await count(db, sessionId).executeTakeFirstOrThrow()).count)

export const hasPoint = async (tx: TenantTx, sessionId: string, pointId: string) =>
  (await selectRows(tx, 'loto_session_point')
    .select('point_id')
    .where('session_id', '=', sessionId)
    .where('point_id', '=', pointId)
    .executeTakeFirst()) !== undefined

interface NewLock {
  readonly session_id: string
  readonly point_id: string
  readonly lock_number: string | null
  readonly owner_id: string
  readonly owner_name: string
  readonly placed_at: Date
}

export const insertLock = ({ db, tenantId }: TenantTx, lock: NewLock) =>
  refusing(
    constraints,
    db
      .insertInto('loto_lock')
      .values({ tenant_id: tenantId, ...lock })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/** Reads a lock, also a removed one, and holds a row lock on it until the end of the transaction. */
export const lock = (tx: TenantTx, id: string) =>
  locks(tx).select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

interface Removal {
  readonly removed_at: Date
  readonly removed_by: string
  readonly removed_by_name: string
  readonly is_forced: boolean
  readonly removal_reason: string | null
}

export const remove = (tx: TenantTx, id: string, removal: Removal) =>
  updateRows(tx, 'loto_lock').set(removal).where('id', '=', id).execute()
