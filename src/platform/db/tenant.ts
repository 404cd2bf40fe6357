import type { Kysely, Transaction } from 'kysely'
import type { DB } from './types.ts'

/** A tenant's data, to read. A read needs no transaction: BEGIN and COMMIT would be two round trips. */
export interface TenantDb {
  readonly db: Kysely<DB>
  readonly tenantId: number
}

/** A transaction that knows whose data it may touch. Whatever writes takes one. */
export interface TenantTx extends TenantDb {
  readonly db: Transaction<DB>
}

/** National data and the superuser's view across tenants; its own type, so that it stands out. */
export interface SystemDb {
  readonly db: Kysely<DB>
  readonly system: true
}
export interface SystemTx extends SystemDb {
  readonly db: Transaction<DB>
}

export const tenantDb = (db: Kysely<DB>, tenantId: number): TenantDb => ({ db, tenantId })
export const systemDb = (db: Kysely<DB>): SystemDb => ({ db, system: true })

export const inTenantTx = <T>(
  db: Kysely<DB>,
  tenantId: number,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> => db.transaction().execute((transaction) => work({ db: transaction, tenantId }))

/** Several reads of one picture: whatever is committed meanwhile is not seen. */
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
  db.transaction().execute((transaction) => work({ db: transaction, system: true }))
