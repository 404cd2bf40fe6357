import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHARD_NUMBER } from '../../src/platform/db/constraints.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { TABLE_PLACEMENT } from '../../src/platform/db/table-placement.ts'
import { createDatabase } from '../support/database.ts'

/**
 * What Citus demands of a schema that is distributed by tenant_id, compared with the catalogue of the migrated database
 * (ADR 0103). It runs on plain PostgreSQL.
 */

/** Citus appends the number of the shard to a name, and replaces the end of one that becomes longer than 63 bytes. */
const NAME_LENGTH_MAX = 54

/** The functions of the triggers. They run on the shards of a distributed database (ADR 0109). */
const TRIGGER_FUNCTIONS = [
  'mark_stale_assignment',
  'mark_stale_device',
  'mark_stale_eligibility',
  'mark_stale_energy',
  'mark_stale_facility',
  'mark_stale_group',
  'mark_stale_limit',
  'mark_stale_member',
  'mark_stale_meters',
  'mark_stale_movement',
  'mark_stale_price',
  'mark_stale_price_set',
  'mark_stale_setting',
  'record_change',
  'renew_access_version',
]

let database: Awaited<ReturnType<typeof createDatabase>>
let connection: ReturnType<typeof connect>

beforeAll(async () => {
  database = await createDatabase()
  connection = connect({ url: database.url })
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const read = async <Row extends object>(text: string): Promise<Row[]> =>
  (await connection.pool.query<Row>(text)).rows

interface Table {
  readonly name: string
  readonly has_tenant: boolean
}

const readTables = () =>
  read<Table>(`
    select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
      and not a.attisdropped) as has_tenant
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)

const placementOf = (table: string) => TABLE_PLACEMENT[table as keyof typeof TABLE_PLACEMENT]
const isDistributed = (table: string) => placementOf(table) === 'distributed'

describe('the placement of the tables', () => {
  it('names every table of the database, and no other', async () => {
    const names = (await readTables()).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(120)
    expect(Object.keys(TABLE_PLACEMENT).toSorted()).toEqual(names.toSorted())
  })

  it('distributes every table with tenant_id, except the directories in which a tenant is found', async () => {
    const tables = await readTables()
    const wrong = tables.filter(({ name, has_tenant: hasTenant }) => isDistributed(name) !== hasTenant)
    expect(wrong.map(({ name }) => `${name} ${placementOf(name)}`).toSorted()).toEqual([
      'charger_cpid reference',
      'login_email reference',
    ])
  })
})

describe('a distributed table', () => {
  it('has tenant_id first in its primary key, and in each unique and exclusion constraint', async () => {
    const indexes = await read<{ table: string; name: string; is_primary: boolean; columns: string[] }>(`
      select c.relname as table, i.relname as name, x.indisprimary as is_primary,
        array(select coalesce(a.attname::text, '(expression)') from unnest(x.indkey::int2[]) with ordinality k (number, at)
          left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number and k.number > 0 order by k.at) as columns
      from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where c.relnamespace = 'public'::regnamespace and not c.relispartition
        and (x.indisunique or x.indisexclusion)`)
    const own = indexes.filter(({ table }) => isDistributed(table))
    expect(own.length).toBeGreaterThan(130)
    expect(own.filter(({ columns }) => columns[0] !== 'tenant_id')).toEqual([])
    const withKey = new Set(own.filter((index) => index.is_primary).map(({ table }) => table))
    const tables = Object.keys(TABLE_PLACEMENT).filter(isDistributed)
    expect(tables.filter((table) => !withKey.has(table))).toEqual([])
  })

  it('refers to distributed tables by tenant_id first, and sets no column of a deleted reference to null', async () => {
    const keys = await read<{
      name: string
      from: string
      to: string
      first: string
      onto: string
      action: string
    }>(`
      select f.conname as name, c.relname as from, r.relname as to, a.attname as first, b.attname as onto,
        f.confdeltype as action
      from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
      where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = 'public'::regnamespace`)
    expect(keys.length).toBeGreaterThan(150)
    const between = keys.filter(({ from, to }) => isDistributed(from) && isDistributed(to))
    expect(between.filter(({ first, onto }) => first !== 'tenant_id' || onto !== 'tenant_id')).toEqual([])
    expect(keys.filter(({ action }) => action === 'n' || action === 'd')).toEqual([])
    // A table that is on every node cannot refer to rows that are on one.
    expect(keys.filter(({ from, to }) => !isDistributed(from) && isDistributed(to))).toEqual([])
    // Nor can a distributed row refer to one that only the coordinator has.
    expect(
      keys.filter(({ from, to }) => placementOf(from) !== 'local' && placementOf(to) === 'local'),
    ).toEqual([])
  })

  it('has names of constraints and indexes that are still distinct with the number of a shard', async () => {
    const names = await read<{ name: string }>(`
      select conname as name from pg_constraint where connamespace = 'public'::regnamespace
      union select relname from pg_class where relnamespace = 'public'::regnamespace`)
    expect(names.length).toBeGreaterThan(500)
    expect(names.map(({ name }) => name).filter((name) => name.length > NAME_LENGTH_MAX)).toEqual([])
    // The service takes such an end off the name of a violated constraint.
    expect(names.map(({ name }) => name).filter((name) => SHARD_NUMBER.test(name))).toEqual([])
  })

  it('has no triggers but those of the listed functions', async () => {
    const triggers = await read<{ name: string }>(`
      select distinct p.proname as name from pg_trigger t
      join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`)
    expect(triggers.map(({ name }) => name).toSorted()).toEqual(TRIGGER_FUNCTIONS)
  })

  it('has functions that name tables as {table} only, so that on a shard they use the shards beside it', async () => {
    const functions = await read<{ name: string; source: string }>(`
      select p.proname as name, p.prosrc as source from pg_proc p
      where pronamespace = 'public'::regnamespace and prosrc <> '' and not exists (
        select 1 from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')`)
    const names = new Set(functions.map(({ name }) => name))
    expect(TRIGGER_FUNCTIONS.filter((name) => !names.has(name))).toEqual([])
    const tables = Object.keys(TABLE_PLACEMENT).join('|')
    const direct = new RegExp(`\\b(from|join|into|update)\\s+(${tables})\\b`, 'i')
    expect(direct.test('select 1 from facility f')).toBe(true)
    expect(direct.test('select 1 from {facility} f')).toBe(false)
    expect(functions.filter(({ source }) => direct.test(source)).map(({ name }) => name)).toEqual([])
  })
})
