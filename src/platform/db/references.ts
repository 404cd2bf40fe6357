import { sql } from 'kysely'
import { invalidReference } from '../../kernel/errors.ts'
import type { TenantDb } from './tenant.ts'
import type { DB } from './types.ts'

/** The tables whose rows belong to a tenant and have an id. */
type Referable = {
  [Table in keyof DB]: 'tenant_id' | 'id' extends keyof DB[Table] ? Table : never
}[keyof DB]

/** A field of a request and the table that its id must be found in; null and undefined refer to nothing. */
export type Reference = readonly [field: string, table: Referable, id: string | null | undefined]

/**
 * Throws 422 for the first reference that does not exist or belongs to another tenant. The foreign keys
 * refuse the same; the check before the write allows the error to name the field.
 */
export async function requireReferences(
  { db, tenantId }: TenantDb,
  references: readonly Reference[],
): Promise<void> {
  for (const [field, table, id] of references) {
    if (!id) continue
    const query = sql`select 1 from ${sql.table(table)} where (tenant_id, id) = (${tenantId}, ${id})`
    const { rows } = await query.execute(db)
    if (rows.length === 0) throw invalidReference(field)
  }
}
