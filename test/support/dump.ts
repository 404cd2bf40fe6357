import type { TestApi } from './api.ts'

const TENANT_TABLES = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ('tenant_usage_day', 'change_log') order by 1`

/**
 * All rows of a tenant in all tables, as text by table, without the columns in `except` (`table.column`). Without
 * the counters of usage, which are written some time after what they count, and the change log, whose times are
 * those of the database.
 */
export async function dumpTenant(
  { deps }: Pick<TestApi, 'deps'>,
  tenantId: number,
  except: readonly string[] = [],
): Promise<Map<string, string[]>> {
  const { pool } = deps.database
  const { rows: tables } = await pool.query<{ name: string }>(TENANT_TABLES)
  const parts = tables.map(({ name }) => {
    const hidden = except.flatMap((column) =>
      column.startsWith(`${name}.`) ? [column.slice(name.length + 1)] : [],
    )
    return `select '${name}' as name, (to_jsonb(t) - '{${hidden.join()}}'::text[])::text as text from "${name}" t
      where tenant_id = $1`
  })
  const { rows } = await pool.query<{ name: string; text: string }>(
    `${parts.join(' union all ')} order by 1, 2`,
    [tenantId],
  )
  const dump = new Map<string, string[]>()
  for (const { name, text } of rows) {
    const known = dump.get(name)
    if (known) known.push(text)
    else dump.set(name, [text])
  }
  return dump
}
