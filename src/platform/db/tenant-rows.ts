/**
 * The entry point for statements on a tenant's tables. Each function starts a Kysely statement that already
 * compares the table's tenant_id with the tenant of the connection, so that a store cannot forget the filter,
 * and so that the comparison is always one with a parameter (a distributed database routes by it).
 *
 * Tables that are joined are compared with the tenant_id of the first one; a subquery compares its tables with the
 * parameter again. INSERT names tenant_id among its values, which the table types demand. Plain SQL (`sql` templates
 * and prepared statements) writes the comparison out. The tests reject every executed statement on a tenant table
 * without it (ADR 0103, test/support/tenant-filter.ts).
 */
import { sql } from 'kysely'
import type { TenantDb, TenantTx } from './tenant.ts'
import type { DB } from './types.ts'

/** The tables that have a tenant_id. */
type TenantTable = {
  [Table in keyof DB]: 'tenant_id' extends keyof DB[Table] ? Table : never
}[keyof DB]

/** A tenant table, or one with an alias: 'device', 'device as d'. */
type TenantTableExpression = TenantTable | `${TenantTable} as ${string}`

interface Filterable {
  where(column: string, operator: '=', value: number): unknown
}

/** Rows of a tenant, to select 1 from. */
export function selectRows<Table extends TenantTableExpression>({ db, tenantId }: TenantDb, table: Table) {
  const rows = db.selectFrom(table)
  return withTenant(rows, table, tenantId)
}

/** Rows of a tenant, to update. */
export function updateRows<Table extends TenantTableExpression>({ db, tenantId }: TenantTx, table: Table) {
  const rows = db.updateTable(table)
  return withTenant(rows, table, tenantId)
}

/** Rows of a tenant, to delete. */
export function deleteRows<Table extends TenantTableExpression>({ db, tenantId }: TenantTx, table: Table) {
  const rows = db.deleteFrom(table)
  return withTenant(rows, table, tenantId)
}

/** Kysely's types of a statement on a generic table offer no columns, hence the two conversions. */
function withTenant<Statement>(rows: Statement, table: string, tenantId: number): Statement {
  const name = table.split(' as ').at(-1)
  return (rows as unknown as Filterable).where(`${name}.tenant_id`, '=', tenantId) as unknown as Statement
}

/** For statements that list the work of all tenants: the jobs of an inactive tenant pause (ADR 0076). */
export const isOfActiveTenant = (tenantIdColumn: string) =>
  sql<boolean>`exists (select 1 from tenant where tenant.id = ${sql.ref(tenantIdColumn)} and tenant.is_active)`
