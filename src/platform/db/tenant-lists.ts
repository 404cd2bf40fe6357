import { sql } from 'kysely'
import type { SystemDb, SystemTx, TenantTx } from './tenant.ts'
import type { DB } from './types.ts'

/** The tenants that have rows in a table, in the order of their ids. */
export async function tenantsWithRows({ db }: SystemDb, table: keyof DB): Promise<number[]> {
  const { rows } = await sql<{ tenant_id: number }>`
    select distinct tenant_id from ${sql.table(table)} order by tenant_id`.execute(db)
  return rows.map(({ tenant_id }) => tenant_id)
}

/**
 * Locks rows of all tenants in one transaction, tenant by tenant in the order of their ids: a distributed database
 * refuses FOR UPDATE in a statement about several tenants.
 */
export async function lockTenantByTenant<Row>(
  tx: SystemTx,
  table: keyof DB,
  lock: (tenant: TenantTx) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const locked: Row[] = []
  for (const tenantId of await tenantsWithRows(tx, table))
    locked.push(...(await lock({ db: tx.db, tenantId })))
  return locked
}
