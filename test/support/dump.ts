import type { TestApi } from './api.ts'

const TABLES = `
  select c.relname as name, bool_or(a.attname = 'tenant_id') as is_tenants
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  group by c.relname order by c.relname`

/** All rows of a tenant in all tables, as text by table; without the columns that are named, as `table.column`. */
export async function dumpTenant(
  { deps }: Pick<TestApi, 'deps'>,
  tenantId: number,
  except: readonly string[] = [],
): Promise<Map<string, string[]>> {
  const { pool } = deps.database
  const dump = new Map<string, string[]>()
  const { rows: tables } = await pool.query<{ name: string; is_tenants: boolean }>(TABLES)
  for (const { name } of tables.filter((table) => table.is_tenants)) {
    const hidden = except.flatMap((column) =>
      column.startsWith(`${name}.`) ? [column.slice(name.length + 1)] : [],
    )
    const { rows } = await pool.query<{ text: string }>(
      `select (to_jsonb(t) - $2::text[])::text as text from "${name}" t where tenant_id = $1 order by 1`,
      [tenantId, hidden],
    )
    if (rows.length > 0)
      dump.set(
        name,
        rows.map(({ text }) => text),
      )
  }
  return dump
}
