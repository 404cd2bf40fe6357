import pg from 'pg'
import { at } from '../../kernel/checked.ts'
import { hasCitus } from './distribution/cluster.ts'
import { DB_CONNECT_TIMEOUT_MS } from './limits.ts'

/**
 * The rights of the role that serves (ADR 0118). It owns nothing: on each table it has the rights that the owner has
 * left itself, but TRUNCATE, REFERENCES and TRIGGER. So an append-only table, whose owner has revoked its own rights to
 * change rows, is append-only for the service as well, and the service can neither return the rights nor disable
 * triggers.
 */

/** Tables that the service only reads. */
const READ_ONLY = `c.relname = 'schema_migration'`

const WANTED = `
  select c.oid, c.relname, c.relacl, p as privilege
  from pg_class c cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as p
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (p = 'SELECT' or not ${READ_ONLY})
    and (c.relacl is null
      or exists (select 1 from aclexplode(c.relacl) a where a.grantee = c.relowner and a.privilege_type = p))`

/** What is missing or too much, as statements; $1 is the role. */
const STATEMENTS = `
  select format('grant usage on schema public to %I', $1::text) as statement
  where not has_schema_privilege($1, 'public', 'USAGE')
  union all
  select format('revoke %s on %I from %I', string_agg(a.privilege_type, ', '), c.relname, $1::text)
  from pg_class c cross join lateral aclexplode(c.relacl) a
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.grantee = (select oid from pg_roles where rolname = $1)
    and not exists (select 1 from (${WANTED}) w where w.oid = c.oid and w.privilege = a.privilege_type)
  group by c.relname
  union all
  select format('grant %s on %I to %I', string_agg(w.privilege, ', '), w.relname, $1::text)
  from (${WANTED}) w where not has_table_privilege($1, w.oid, w.privilege) group by w.relname
  union all
  select format('grant %s (%I) on %I to %I', x.privilege_type, attname, c.relname, $1::text)
  from pg_attribute a join pg_class c on c.oid = a.attrelid cross join lateral aclexplode(a.attacl) x
  where c.relnamespace = 'public'::regnamespace and not c.relispartition and x.grantee = c.relowner
    and not has_column_privilege($1, c.oid, a.attnum, x.privilege_type)
  union all
  select format('grant usage, select on sequence %I to %I', c.relname, $1::text)
  from pg_class c where c.relnamespace = 'public'::regnamespace
    and case when c.relkind = 'S' then not has_sequence_privilege($1, c.oid, 'USAGE') else false end`

/** Rights to sequences on the workers of a distributed database: Citus repeats those to tables there, but not these. */
const SEQUENCES_OF_WORKERS = `
  select nodename || ':' || nodeport as node, result from run_command_on_workers((
    select format('grant usage, select on sequence %s to %I', string_agg(format('%I', relname), ', '), $1::text)
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'))
  where not success`

/**
 * Gives the role what it needs and takes what it must not have, as the owner of the tables. Idempotent. On a
 * distributed database the role exists on every node. Returns the statements that were needed, but for the workers.
 */
export async function grantServingRights(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [role])
  const statements = rows.map(({ statement }) => statement)
  for (const statement of statements) await client.query(statement)
  if (await hasCitus(client)) {
    const failed = await client.query<{ node: string; result: string }>(SEQUENCES_OF_WORKERS, [role])
    const [first] = failed.rows
    if (first) throw new Error(`rights to sequences on ${first.node}: ${first.result}`)
  }
  return statements
}

/** The role of a connection string, which may also come from the environment. */
export async function roleOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: DB_CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string }>('select current_user::text as role')
    return at(rows, 0).role
  } finally {
    await client.end()
  }
}

/** Throws when another role owns the tables, with what the operator has to do. */
export async function requireOwner(client: pg.ClientBase, servingRole: string): Promise<void> {
  const { rows } = await client.query<{ owner: string; self: string; is_mine: boolean }>(`
    select pg_get_userbyid(relowner)::text as owner, current_user::text as self,
      pg_has_role(current_user, relowner, 'USAGE') as is_mine
    from pg_class where oid = to_regclass('public.schema_migration')`)
  const [table] = rows
  if (!table || (table.is_mine && table.owner !== servingRole)) return
  throw new Error(
    `the tables belong to ${table.owner}: as a superuser, in this database, run ` +
      `"reassign owned by ${table.owner} to ${table.self}" (docs/operate/operations.md)`,
  )
}
