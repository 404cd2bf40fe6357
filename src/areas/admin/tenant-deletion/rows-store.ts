import { sql } from 'kysely'
import type { SystemDb, SystemTx } from '../../../platform/db/tenant.ts'
import { DELETION_BATCH_ROWS } from './limits.ts'
import type { TenantTable } from './sequence.ts'

/** A pair of columns of a foreign key of a table to itself. */
interface SelfReference {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** The rights on append-only tables that a deletion needs and the service does not have. */
export interface MissingRights {
  /** Tables in which the service has no right to delete, which the deletion needs. */
  readonly deleteRights: readonly string[]
  /** Tables in which the service has no right to update, which the check of a foreign key needs to lock rows. */
  readonly updateRights: readonly string[]
}

/** A tenant table with what its deletion needs. */
export interface DeletableTable extends TenantTable, MissingRights {
  readonly selfReferences: readonly SelfReference[]
  readonly mayUpdate: boolean
}

interface TableRow {
  readonly name: string
  readonly parts: string[]
  readonly may_delete: boolean
  readonly may_update: boolean
}

interface ReferenceRow {
  readonly child: string
  readonly parent: string
  readonly cascades: boolean
  readonly from_columns: string[]
  readonly to_columns: string[]
}

/**
 * Reads all tables with a column tenant_id from the catalogue, so that no table can be missing. A reference by a table
 * without that column counts too: the sequence then does not exist.
 */
export async function readTenantTables({ db }: SystemDb): Promise<DeletableTable[]> {
  const { rows: tables } = await sql<TableRow>`
    select c.relname::text as name,
      array(select tree.relid::regclass::text from pg_partition_tree(c.oid) as tree where tree.isleaf
        union all select c.relname::text where c.relkind = 'r') as parts,
      has_table_privilege(c.oid, 'DELETE') as may_delete,
      has_any_column_privilege(c.oid, 'UPDATE') as may_update
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`.execute(db)
  const { rows: references } = await sql<ReferenceRow>`
    select child.relname::text as child, parent.relname::text as parent, k.confdeltype = 'c' as cascades,
      array(select attname::text from unnest(k.conkey) with ordinality as key(number, position)
        join pg_attribute on attrelid = k.conrelid and attnum = key.number order by key.position) as from_columns,
      array(select attname::text from unnest(k.confkey) with ordinality as key(number, position)
        join pg_attribute on attrelid = k.confrelid and attnum = key.number order by key.position) as to_columns
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0 and parent.relnamespace = 'public'::regnamespace`.execute(db)
  return tables.map((table) => describe(table, tables, references))
}

function describe(
  { name, parts, may_update: mayUpdate }: TableRow,
  tables: readonly TableRow[],
  references: readonly ReferenceRow[],
): DeletableTable {
  const toThis = references.filter(({ parent }) => parent === name)
  const children = new Set(toThis.map(({ child }) => child))
  const cascading = new Set(toThis.filter(({ cascades }) => cascades).map(({ child }) => child))
  return {
    name,
    parts,
    mayUpdate,
    referencedBy: [...children],
    selfReferences: toThis
      .filter(({ child }) => child === name)
      .map(({ from_columns: from, to_columns: to }) => ({ from, to })),
    deleteRights: tables
      .filter((table) => !table.may_delete && (table.name === name || cascading.has(table.name)))
      .map((table) => table.name),
    updateRights: tables
      .filter((table) => !table.may_update && children.has(table.name))
      .map((table) => table.name),
  }
}

/**
 * Gives the service the rights that append-only tables refuse, for the work in this transaction only: they are returned
 * before its commit, and no other transaction ever sees them.
 */
export async function withRights<T>(
  { db }: SystemTx,
  { deleteRights, updateRights }: MissingRights,
  work: () => Promise<T>,
): Promise<T> {
  for (const table of deleteRights)
    await sql`grant delete on table ${sql.table(table)} to current_user`.execute(db)
  for (const table of updateRights)
    await sql`grant update (tenant_id) on table ${sql.table(table)} to current_user`.execute(db)
  const result = await work()
  for (const table of deleteRights)
    await sql`revoke delete on table ${sql.table(table)} from current_user`.execute(db)
  for (const table of updateRights)
    await sql`revoke update (tenant_id) on table ${sql.table(table)} from current_user`.execute(db)
  return result
}

const isNotReferenced = (part: string, tenantKey: number, { from, to }: SelfReference) => sql`
  and not exists (select 1 from ${sql.table(part)} as child where child.tenant_id = ${tenantKey} and child.ctid <> victim.ctid and ${sql.join(
    from.map((column, index) => sql`${sql.ref(`child.${column}`)} = ${sql.ref(`victim.${to[index]}`)}`),
    sql` and `,
  )})`

/**
 * Deletes at most DELETION_BATCH_ROWS rows of a tenant, rows that no other row refers to first. Returns their
 * number.
 */
export async function deleteRowsOf(
  { db }: SystemTx,
  { selfReferences }: DeletableTable,
  { part, tenantKey }: { part: string; tenantKey: number },
): Promise<number> {
  const conditions = selfReferences.map((reference) => isNotReferenced(part, tenantKey, reference))
  const { numAffectedRows } = await sql`
    delete from ${sql.table(part)} where tenant_id = ${tenantKey} and ctid = any(array(
      select victim.ctid from ${sql.table(part)} as victim
      where victim.tenant_id = ${tenantKey} ${sql.join(conditions, sql` `)} limit ${DELETION_BATCH_ROWS}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Whether a tenant has a row in a table. */
export async function hasRows({ db }: SystemTx, part: string, tenantKey: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(part)} where tenant_id = ${tenantKey} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
