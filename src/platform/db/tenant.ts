import { type Kysely, sql, type Transaction } from 'kysely'
import { currentActor } from '../runtime/actor.ts'
import type { DB } from './types.ts'

/**
 * Read access to a tenant's data. It opens no transaction, because BEGIN and COMMIT would cost two round
 * trips.
 */
export interface TenantDb {
  readonly db: Kysely<DB>
  readonly tenantId: number
  /**
   * The server keeps a plan only for statements that read one table (`PlanCache`), so a prepared list is counted by a
   * second statement. Unset in transactions.
   */
  readonly keepsSingleTablePlans?: boolean
}

/** A transaction for the data of one tenant. Every function that writes requires one. */
export interface TenantTx extends TenantDb {
  readonly db: Transaction<DB>
}

/**
 * Access to national data and across tenants (superuser). It is a separate type, so that its uses are easy
 * to find.
 */
export interface SystemDb {
  readonly db: Kysely<DB>
  readonly system: true
}
export interface SystemTx extends SystemDb {
  readonly db: Transaction<DB>
}

export const tenantDb = (db: Kysely<DB>, tenantId: number): TenantDb => ({ db, tenantId })
export const systemDb = (db: Kysely<DB>): SystemDb => ({ db, system: true })

/** Passes the actor of the transaction to the triggers of the change log. */
async function setActor(db: Transaction<DB>): Promise<void> {
  const actor = currentActor()
  if (actor) await sql`select set_actor(${JSON.stringify(actor)})`.execute(db)
}

export const inTenantTx = <T>(
  db: Kysely<DB>,
  tenantId: number,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    await setActor(transaction)
    return work({ db: transaction, tenantId })
  })

/** Runs several reads on one snapshot: commits in between are not visible. */
export const inTenantSnapshot = <T>(
  { db, tenantId }: TenantDb,
  work: (db: TenantDb) => Promise<T>,
): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => work({ db: transaction, tenantId }))

export const inSystemTx = <T>(db: Kysely<DB>, work: (tx: SystemTx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (transaction) => {
    await setActor(transaction)
    return work({ db: transaction, system: true })
  })
