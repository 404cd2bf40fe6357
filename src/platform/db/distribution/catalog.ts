import type pg from 'pg'
import { TABLE_PLACEMENT, type TablePlacement } from '../table-placement.ts'

/** What the catalogue of a database says about its distribution. */
export interface Catalog {
  readonly tables: readonly CatalogTable[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly triggers: readonly Trigger[]
  readonly rights: readonly Right[]
  /** Functions of the schema that the nodes do not have yet, as regprocedure. */
  readonly functions: readonly string[]
  /** The settings of the database, each as NAME=VALUE. */
  readonly settings: readonly string[]
}

export interface CatalogTable {
  readonly name: string
  readonly placement: TablePlacement
  readonly isPartitioned: boolean
  /** Whether it is a distributed or reference table already. */
  readonly isPlaced: boolean
}

export interface ForeignKey {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly definition: string
}

export interface Trigger {
  readonly name: string
  readonly table: string
  /** The statement that creates it. */
  readonly definition: string
}

/** What the owner of a table may not do, and the columns that somebody may update, as statements. */
export interface Right {
  readonly table: string
  readonly statement: string
}

const TABLES = `
  select c.relname as name, c.relkind = 'p' as "isPartitioned"
  from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`

const FOREIGN_KEYS = `
  select f.conname as name, c.relname as "from", r.relname as "to", pg_get_constraintdef(f.oid) as definition
  from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
  where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = 'public'::regnamespace order by c.relname, f.conname`

const TRIGGERS = `
  select t.tgname as name, c.relname as table, pg_get_triggerdef(t.oid) as definition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace and not c.relispartition
  order by c.relname, t.tgname`

/** An owner has every right that is not revoked. */
const REVOKED = `
  select c.relname as table, format('revoke %s on %I from %I', string_agg(p, ', ' order by p), c.relname,
    pg_get_userbyid(relowner)) as statement
  from pg_class c cross join unnest(array['insert', 'select', 'update', 'delete', 'truncate', 'references', 'trigger']) as p
  where relacl is not null and relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and not exists (select 1 from aclexplode(relacl) a where a.grantee = relowner and lower(privilege_type) = p)
  group by c.relname, relowner`

const GRANTED_COLUMNS = `
  select c.relname as table,
    format('grant %s (%I) on %I to %I', x.privilege_type, attname, c.relname, pg_get_userbyid(x.grantee)) as statement
  from pg_attribute a join pg_class c on c.oid = a.attrelid cross join lateral aclexplode(attacl) x
  where attacl is not null and relnamespace = 'public'::regnamespace and not relispartition and x.grantee <> 0`

const PLACED = `select relname as name from pg_dist_partition join pg_class on oid = logicalrelid`

const FUNCTIONS = `
  select p.oid::regprocedure::text as name from pg_proc p
  where pronamespace = 'public'::regnamespace
    and not exists (select 1 from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')`
const DISTRIBUTED_FUNCTIONS = `
  select objid::regprocedure::text as name from pg_dist_object where classid = 'pg_proc'::regclass`

const SETTINGS = `
  select unnest(s.setconfig) as name from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
  where d.datname = current_database() and s.setrole = 0`

/** Reads the catalogue; without the extension nothing of it is distributed. */
export async function readCatalog(client: pg.ClientBase, hasCitus: boolean): Promise<Catalog> {
  const read = async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text)).rows
  const names = async (text: string) => (await read<{ name: string }>(text)).map(({ name }) => name)
  const placed = new Set(hasCitus ? await names(PLACED) : [])
  const known = new Set(hasCitus ? await names(DISTRIBUTED_FUNCTIONS) : [])
  const tables = await read<Pick<CatalogTable, 'name' | 'isPartitioned'>>(TABLES)
  return {
    tables: tables.map((table) => ({
      ...table,
      placement: placementOf(table.name),
      isPlaced: placed.has(table.name),
    })),
    foreignKeys: await read<ForeignKey>(FOREIGN_KEYS),
    triggers: await read<Trigger>(TRIGGERS),
    rights: [...(await read<Right>(REVOKED)), ...(await read<Right>(GRANTED_COLUMNS))],
    functions: (await names(FUNCTIONS)).filter((name) => !known.has(name)),
    settings: await names(SETTINGS),
  }
}

/** A table that this program does not know stays where it is. */
const placementOf = (name: string): TablePlacement =>
  TABLE_PLACEMENT[name as keyof typeof TABLE_PLACEMENT] ?? 'local'
