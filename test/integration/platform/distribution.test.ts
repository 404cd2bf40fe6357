import { randomUUID } from 'node:crypto'
import { cp, rm, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../../src/cli/cli.ts'
import { readCatalog } from '../../../src/platform/db/distribution/catalog.ts'
import { distributeUrl } from '../../../src/platform/db/distribution/distribute.ts'
import { openNodeReads } from '../../../src/platform/db/distribution/node-reads.ts'
import { planOf } from '../../../src/platform/db/distribution/plan.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { connect } from '../../../src/platform/db/pool.ts'
import { grantServingRights } from '../../../src/platform/db/serving-rights.ts'
import { TABLE_PLACEMENT } from '../../../src/platform/db/table-placement.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { CITUS_TEST_SHARDS, citusNodes, queryNodes } from '../../support/citus.ts'
import { openCitusLog } from '../../support/citus-log.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { makeDataFolder } from '../../support/folder.ts'
import { waitFor } from '../../support/wait-for.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function command(...argv: string[]) {
  const texts = { out: '', err: '' }
  const code = await runCli(
    argv,
    { DATABASE_URL: database.url },
    {
      out: (line) => {
        texts.out += `${line}\n`
      },
      err: (line) => {
        texts.err += `${line}\n`
      },
      readInput: async () => '',
      now: () => 0,
    },
  )
  return { code, ...texts }
}

const namesOf = (placement: string) =>
  Object.entries(TABLE_PLACEMENT)
    .filter(([, own]) => own === placement)
    .map(([name]) => name)
    .toSorted()

const matches = (steps: readonly string[], pattern: RegExp) =>
  steps.flatMap((step) => pattern.exec(step)?.[1] ?? []).toSorted()

/** The reads of tenants on the nodes of the test database; `urlOf` changes the address of a worker. */
function openReads(urlOf = (url: string) => url) {
  const coordinator = connect({ url: database.url })
  const reads = openNodeReads({
    coordinator,
    log: makeLog('silent'),
    connect: (url) => connect({ url: urlOf(url), maxConnections: 2 }),
  })
  onTestFinished(async () => {
    await reads.close()
    await coordinator.close()
  })
  return { coordinator, reads }
}

describe.skipIf(citusNodes.length > 0)('the distribution of a database without Citus', () => {
  it('leaves all reads where they are', async () => {
    const { coordinator, reads } = openReads()
    expect(reads.forTenant(1)).toBe(coordinator)
    expect([reads.states(), reads.notes(), reads.counts.coordinator]).toEqual([[], [], 1])
  })

  it('is planned from the catalogue: every table, key and trigger once, in an order that Citus accepts', async () => {
    const catalog = await readCatalog(client, false)
    const steps = planOf(catalog, 8)
    expect(steps[0]).toBe('set local citus.shard_count = 8')
    expect(matches(steps, /create_reference_table\('(.+)'\)/)).toEqual(namesOf('reference'))
    expect(matches(steps, /create_distributed_table\('([a-z_]+)'/)).toEqual(namesOf('distributed'))
    const first = steps.filter((step) => step.includes("colocate_with => 'none'"))
    expect(first).toHaveLength(1)
    const dropped = matches(steps, /drop constraint (.+)$/)
    expect(dropped.length).toBeGreaterThan(150)
    expect(matches(steps, /add constraint (\S+) /)).toEqual(dropped)
    expect(matches(steps, /^drop trigger (.+) on /)).toHaveLength(catalog.triggers.length)
    expect(matches(steps, /^CREATE TRIGGER (\S+) /)).toHaveLength(catalog.triggers.length)
    const last = (pattern: RegExp) => steps.findLastIndex((step) => pattern.test(step))
    const begin = (pattern: RegExp) => steps.findIndex((step) => pattern.test(step))
    expect(last(/^drop trigger/)).toBeLessThan(begin(/create_(reference|distributed)_table/))
    expect(last(/create_(reference|distributed)_table/)).toBeLessThan(begin(/^CREATE TRIGGER/))
    // A partitioned table gets its keys first, and comes after the tables to which they refer.
    const partitioned = begin(/create_distributed_table\('measurement'/)
    expect(begin(/alter table "measurement" add constraint/)).toBeLessThan(partitioned)
    expect(begin(/create_distributed_table\('tenant_storage'/)).toBeLessThan(partitioned)
    expect(steps.filter((step) => step.startsWith('revoke ')).join()).toContain('update')
  })

  it('contains only what is not distributed yet, and joins the tables that are', async () => {
    const catalog = await readCatalog(client, false)
    const all = {
      ...catalog,
      functions: [],
      tables: catalog.tables.map((table) => ({ ...table, isPlaced: true })),
    }
    expect(planOf(all, 8)).toEqual([])
    const later = {
      ...all,
      tables: all.tables.map((table) => ({ ...table, isPlaced: table.name !== 'widget' })),
    }
    const steps = planOf(later, 8)
    expect(matches(steps, /create_distributed_table\((.+)\)/)).toEqual([
      expect.stringMatching(/^'widget', 'tenant_id', colocate_with => '(?!none|widget)[a-z_]+'$/),
    ])
    expect(steps.filter((step) => step.includes('drop constraint')).length).toBeGreaterThan(0)
    expect(steps.filter((step) => /drop constraint/.test(step) && !step.includes('"widget"'))).toEqual([])
  })

  it.each([[['db', 'distribute']], [['db', 'distribute', '--check']], [['tenant', 'place', 'default']]])(
    'is refused by %j, with the reason',
    async (argv) => {
      const { code, out, err } = await command(...argv)
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/^netsaat: the database cannot be distributed: it has no extension citus/)
    },
  )
})

describe.skipIf(citusNodes.length === 0)('the distribution of a database on Citus', () => {
  it('is complete after the migrations, and checked without a change', async () => {
    expect(await command('db', 'distribute', '--check')).toEqual({
      code: 0,
      out: 'The database is distributed.\n',
      err: '',
    })
    expect(await distributeUrl(database.url)).toEqual([])
    const { rows } = await client.query<{ name: string; method: string }>(
      `select logicalrelid::text as name, partmethod as method from pg_dist_partition where logicalrelid::oid not in (
        select inhrelid from pg_inherits) order by 1`,
    )
    const placed = (method: string) =>
      rows
        .filter((row) => row.method === method)
        .map(({ name }) => name)
        .toSorted()
    expect([placed('n'), placed('h')]).toEqual([namesOf('reference'), namesOf('distributed')])
  })

  it('needs the settings of the database on every node', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await client.query(`alter database ${name} reset citus.propagate_set_commands`)
    const statement = `alter database ${name} set citus.propagate_set_commands = local`
    const missing = await command('db', 'distribute', '--check')
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining(statement)])
    expect(await distributeUrl(database.url)).toEqual([statement])
    const values = await queryNodes<{ value: string }>(
      name,
      `select current_setting('citus.propagate_set_commands') as value`,
    )
    expect(values.map(({ value }) => value)).toEqual(citusNodes.map(() => 'local'))
  })

  it('takes a setting back that an earlier version made', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await client.query(`alter database ${name} set plan_cache_mode = force_custom_plan`)
    expect(await distributeUrl(database.url)).toEqual([`alter database ${name} reset plan_cache_mode`])
    const values = await queryNodes<{ value: string }>(
      name,
      `select current_setting('plan_cache_mode') as value`,
    )
    expect(values.map(({ value }) => value)).toEqual(citusNodes.map(() => 'auto'))
    expect(await distributeUrl(database.url)).toEqual([])
  })

  it('lets a second role serve, which writes by triggers on every node and owns nothing', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const role = `serving_${randomUUID().slice(0, 8)}`
    const onEachNode = (statement: string) =>
      queryNodes(
        name,
        `do $$ begin set local citus.enable_create_role_propagation = off; ${statement}; end $$`,
      )
    await onEachNode(`create role ${role} login`)
    onTestFinished(async () => {
      await queryNodes(name, `drop owned by ${role}`)
      await onEachNode(`drop role ${role}`)
    })
    await grantServingRights(client, role)
    const url = new URL(database.url)
    url.username = role
    const serving = new pg.Client({ connectionString: url.href })
    await serving.connect()
    onTestFinished(() => serving.end())
    const { rows: tenants } = await serving.query<{ id: number }>(
      `insert into tenant (name, slug) select 'S', 'serving-' || i from generate_series(1, 8) i returning id`,
    )
    for (const { id } of tenants)
      await serving.query(`insert into region (tenant_id, name) values ($1, 'R')`, [id])
    const ids = tenants.map(({ id }) => id)
    const { rows: log } = await serving.query(
      'select tenant_id from change_log where tenant_id = any($1) and resource_type = $2',
      [ids, 'region'],
    )
    expect(log).toHaveLength(tenants.length)
    await expect(
      serving.query('update change_log set ip = null where tenant_id = $1', [ids[0]]),
    ).rejects.toThrow('permission denied')
    await expect(serving.query('alter table region add extra integer')).rejects.toThrow('must be owner')
  })

  it('takes a table over that was added later', async () => {
    await client.query(`set citus.enable_unsafe_triggers = on; set citus.enable_local_reference_table_foreign_keys = off;
      drop table widget;
      create table widget (tenant_id integer not null references tenant (id), id integer, primary key (tenant_id, id))`)
    onTestFinished(async () => void (await client.query('drop table widget')))
    const missing = await command('db', 'distribute', '--check')
    expect(missing.code).toBe(1)
    expect(missing.out).toContain("select create_distributed_table('widget', 'tenant_id', colocate_with => ")
    expect((await command('db', 'distribute')).out).toMatch(
      /^The database is distributed now, by \d+ statements\.\n$/,
    )
    expect((await command('db', 'distribute', '--check')).code).toBe(0)
  })

  it('takes a trigger over that a later migration changes', async () => {
    const folder = await makeDataFolder('migrations')
    onTestFinished(() => rm(folder, { recursive: true }))
    await cp('migrations', folder, { recursive: true })
    await writeFile(
      `${folder}/9999_trigger.sql`,
      `drop trigger record_change on region;
      create trigger record_change after insert or update of name or delete on region for each row execute function
        record_change('region', 'id', 'name', '{name}', '{}');`,
    )
    expect(await migrate(database.url, folder)).toEqual(['9999_trigger.sql'])
    const { rows } = await client.query<{ result: string }>(
      `select result from run_command_on_shards('region', $$
        select count(*) from pg_trigger where tgrelid = '%s'::regclass and tgname like 'record_change%%' and tgattr <> ''$$)`,
    )
    expect(rows.map(({ result }) => result)).toEqual(Array.from({ length: CITUS_TEST_SHARDS }, () => '1'))
  })

  it('writes the change log and the marks beside the changed rows, once for a table of every node', async () => {
    const { rows: tenants } = await client.query<{ id: number }>(
      `insert into tenant (name, slug) values ('A', 'change-a'), ('B', 'change-b') returning id`,
    )
    const [a, b] = tenants.map(({ id }) => id)
    for (const id of [a, b])
      await client.query(`insert into netting_group (tenant_id, name) values ($1, 'G')`, [id])
    await client.query('begin')
    await client.query('select set_actor($1)', [JSON.stringify({ kind: 'command', operation: 'test' })])
    await client.query(`insert into region (tenant_id, name) values ($1, 'R')`, [a])
    await client.query(`update tenant set name = 'A2' where id = $1`, [a])
    await client.query('commit')
    const { rows: log } = await client.query(
      'select resource_type, action, operation from change_log where tenant_id = $1 order by resource_type, action',
      [a],
    )
    expect(log).toEqual([
      { resource_type: 'netting_group', action: 'create', operation: null },
      { resource_type: 'region', action: 'create', operation: 'test' },
      { resource_type: 'tenant', action: 'create', operation: null },
      { resource_type: 'tenant', action: 'update', operation: 'test' },
    ])
    await client.query(
      `insert into netting_setting (tenant_id, strict_storage_export, updated_by, updated_at)
        values ($1, false, $2, now())`,
      [b, randomUUID()],
    )
    const { rows: marks } = await client.query(
      'select tenant_id, reason, hours::text from stale_mark where tenant_id = any($1) order by 1, 2',
      [[a, b]],
    )
    expect(marks).toEqual([{ tenant_id: b, reason: 'SETTINGS_CHANGED', hours: '{(,)}' }])
  })

  it('gives a tenant shards of its own, and keeps its rows', async () => {
    await client.query(`insert into tenant (name, slug) values ('P', 'placed')`)
    await client.query(
      `insert into region (tenant_id, name) select id, 'R' from tenant where slug = 'placed'`,
    )
    const { rows: nodes } = await client.query<{ node: string }>(
      `select nodename || ':' || nodeport as node from pg_dist_node where shouldhaveshards order by 1 desc`,
    )
    const node = nodes[0]?.node ?? ''
    const first = await command('tenant', 'place', 'placed', '--node', node)
    expect(first).toEqual({ code: 0, out: expect.stringContaining(`on ${node}.`), err: '' })
    expect(first.out).toContain('has shards of its own now')
    expect((await command('tenant', 'place', 'placed')).out).toContain('had shards of its own already')
    expect((await command('tenant', 'place', 'nobody')).err).toContain('there is no tenant "nobody"')
    expect((await command('tenant', 'place', 'placed', '--node', 'nowhere:1')).err).toContain(
      'is no node with shards',
    )
    const { rows } = await client.query(
      `select count(*)::int as rows from region where tenant_id = (select id from tenant where slug = 'placed')`,
    )
    expect(rows).toEqual([{ rows: 1 }])
  })
})

describe.skipIf(citusNodes.length < 2)('the reads of tenants on several nodes', () => {
  const PORT = `select current_setting('port')::int as port`
  const NODE = `
    select nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
    where p.shardid = get_shard_id_for_distribution_column('netting_group', $1::int)`

  async function createTenants(count: number): Promise<number[]> {
    const { rows } = await client.query<{ id: number }>(
      `insert into tenant (name, slug) select 'Reads', 'reads-' || gen_random_uuid() from generate_series(1, $1) returning id`,
      [count],
    )
    return rows.map(({ id }) => id)
  }

  it('are executed by the node with the rows, and see what was just written', async () => {
    const { coordinator, reads } = openReads()
    const tenants = await createTenants(8)
    const portOf = async (tenant: number) => {
      const { rows } = await reads.forTenant(tenant).pool.query<{ port: number }>(PORT)
      return rows[0]?.port
    }
    const expected = new Map<number, number | undefined>()
    for (const tenant of tenants)
      expected.set(tenant, (await client.query<{ port: number }>(NODE, [tenant])).rows[0]?.port)
    expect(new Set(expected.values()).size).toBe(citusNodes.length - 1)
    for (const tenant of tenants) await waitFor(async () => (await portOf(tenant)) === expected.get(tenant))
    for (const tenant of tenants) {
      await coordinator.pool.query('insert into netting_group (tenant_id, name) values ($1, $2)', [
        tenant,
        'G',
      ])
      const { kysely } = reads.forTenant(tenant)
      const rows = await kysely
        .selectFrom('netting_group')
        .select('name')
        .where('tenant_id', '=', tenant)
        .execute()
      expect(rows).toEqual([{ name: 'G' }])
    }
    expect([reads.notes(), reads.counts.fallback]).toEqual([[], 0])
  })

  it.each(citusNodes.map((url, index) => [index === 0 ? 'the coordinator' : `worker ${index}`, url]))(
    'stand in the log of %s when they reach several shards',
    async (_, url) => {
      // The name of this test only, so that the check of the whole run does not find its statement.
      const application = `log-${randomUUID()}`
      const log = await openCitusLog(application)
      const own = new URL(url)
      own.pathname = new URL(database.url).pathname
      const reader = new pg.Client({ connectionString: own.href, application_name: application })
      await reader.connect()
      onTestFinished(() => reader.end())
      // A query object is sent unmarked, like a statement of the service.
      const send = (text: string) =>
        new Promise<void>((resolve, reject) => {
          reader.query(new pg.Query(text, (error) => (error ? reject(error) : resolve())))
        })
      await send('select count(*) from region where tenant_id = 1')
      await send('select name from region')
      await waitFor(async () => (await log.unlisted()).length > 0)
      expect(await log.unlisted()).toEqual(['select name from region'])
    },
  )

  it('that a worker cannot execute, and transactions, go to the coordinator', async () => {
    const { coordinator, reads } = openReads()
    const [tenant = 0] = await createTenants(1)
    await waitFor(() => reads.forTenant(tenant) !== coordinator)
    const { pool, kysely } = reads.forTenant(tenant)
    expect((await pool.query('select 1 from schema_migration limit 1')).rowCount).toBe(1)
    expect(reads.counts.fallback).toBe(1)
    const port = await kysely
      .transaction()
      .execute(async (tx) => (await sql<{ port: number }>`${sql.raw(PORT)}`.execute(tx)).rows[0]?.port)
    expect(port).toBe(Number(new URL(database.url).port))
  })

  it('go to the coordinator while the service cannot reach the nodes', async () => {
    const { coordinator, reads } = openReads((url) => url.replace(/:\d+\//, ':1/'))
    const [tenant = 0] = await createTenants(1)
    await waitFor(() => reads.notes().some((note) => note.includes('ECONNREFUSED')))
    expect(reads.states().map(({ isUsable }) => isUsable)).toEqual(citusNodes.slice(1).map(() => false))
    expect(reads.forTenant(tenant)).toBe(coordinator)
  })
})
