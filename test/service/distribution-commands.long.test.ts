import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  CITUS_TEST_SHARDS,
  citusNodes,
  createNodeDatabases,
  dropClusterDatabase,
  joinNodes,
} from '../support/citus.ts'
import { makeDataFolder } from '../support/folder.ts'
import { findCitusServer } from '../support/process/citus-server.ts'
import { runNetsaat, startService } from '../support/process/service.ts'

const SHARD = `
  select s.shardminvalue = s.shardmaxvalue as "isAlone", n.nodename || ':' || n.nodeport as node
  from tenant t
  join pg_dist_shard s on s.shardid = get_shard_id_for_distribution_column('region', t.id)
  join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid
  where t.slug = $1`
const PASSWORD = 'a password of 2026'
const EMAIL = 'a@placed.test'
/** Each test runs several processes, and one distributes all tables. */
const WAIT_MS = 600_000

/** An operator's way from a plain database with data to a distributed one, command by command. */
describe.skipIf(citusNodes.length < 3)(
  'the commands of a distributed database (needs CITUS_NODES)',
  {
    timeout: WAIT_MS,
  },
  () => {
    const name = `netsaat_commands_${randomBytes(6).toString('hex')}`
    let env: Record<string, string>
    let folder: string

    beforeAll(async () => {
      const url = new URL(process.env['DATABASE_URL'] ?? '')
      await createNodeDatabases(name, url.username)
      url.pathname = `/${name}`
      folder = await makeDataFolder('distribution')
      env = { DATABASE_URL: url.href, DATA_DIR: folder, PORT: '0', MQTT_PORT: '0' }
    })
    afterAll(async () => {
      await dropClusterDatabase(name)
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    })

    const netsaat = (...args: string[]) => runNetsaat(args, env)
    const query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await findCitusServer(citusNodes[0] ?? '', name)).query<Row>(text, values)

    it('print a reason and change nothing while the database is a plain one', async () => {
      expect(await netsaat('migrate')).toMatchObject({ code: 0, err: '' })
      const created = ['tenant', 'create', '--name', 'Placed', '--slug', 'placed', '--admin-email', EMAIL]
      expect(await runNetsaat([...created, '--password-stdin'], env, `${PASSWORD}\n`)).toMatchObject({
        code: 0,
      })
      for (const args of [
        ['db', 'distribute', '--check'],
        ['db', 'distribute'],
        ['tenant', 'place', 'placed'],
      ]) {
        const { code, out, err } = await netsaat(...args)
        expect([code, out]).toEqual([1, ''])
        expect(err).toMatch(/^netsaat: the database cannot be distributed: it has no extension citus.*\n$/)
      }
    })

    it('list what is missing, execute it, and then find nothing missing', async () => {
      await joinNodes(name, new URL(env['DATABASE_URL'] ?? '').username)
      const refused = await netsaat('tenant', 'place', 'placed')
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('run "netsaat db distribute"')])
      const shards = String(CITUS_TEST_SHARDS)
      const check = await netsaat('db', 'distribute', '--shards', shards, '--check')
      expect([check.code, check.err]).toEqual([1, ''])
      const statements = check.out.trimEnd().split('\n')
      expect(statements.every((statement) => statement.endsWith(';'))).toBe(true)
      expect(check.out).toContain("select create_reference_table('tenant');")
      expect(await query('select 1 from pg_dist_partition')).toEqual([])

      const done = await netsaat('db', 'distribute', '--shards', shards)
      expect(done).toMatchObject({ code: 0, err: '' })
      expect(done.out).toMatch(/^The database is distributed now, by \d+ statements\.\n$/)
      const nothing = { code: 0, out: 'The database is distributed.\n', err: '' }
      expect(await netsaat('db', 'distribute', '--check')).toEqual(nothing)
      expect(await netsaat('db', 'distribute')).toEqual(nothing)
      expect(await netsaat('migrate')).toMatchObject({ code: 0, err: '' })
    })

    it('give a tenant shards of its own, move them to a named node, and keep its rows', async () => {
      const shardOf = async () => (await query<{ isAlone: boolean; node: string }>(SHARD, ['placed']))[0]
      const before = await shardOf()
      expect(before?.isAlone).toBe(false)
      const first = await netsaat('tenant', 'place', 'placed')
      const own = `placed has shards of its own now; they are on ${before?.node}.\n`
      expect(first).toEqual({ code: 0, out: own, err: '' })
      expect(await shardOf()).toEqual({ isAlone: true, node: before?.node })

      const workers = citusNodes.slice(1).map((url) => new URL(url).host)
      const other = workers.find((worker) => worker !== before?.node) ?? ''
      const moved = `placed had shards of its own already; they are now on ${other}.\n`
      expect(await netsaat('tenant', 'place', 'placed', '--node', other)).toEqual({
        code: 0,
        out: moved,
        err: '',
      })
      expect(await shardOf()).toEqual({ isAlone: true, node: other })
      const again = `placed had shards of its own already; they are on ${other}.\n`
      expect(await netsaat('tenant', 'place', 'placed', '--node', other)).toEqual({
        code: 0,
        out: again,
        err: '',
      })

      const service = await startService({ env })
      onTestFinished(async () => void (await service.stop()))
      const login = await fetch(`${service.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
      })
      expect(login.status).toBe(200)
    })

    it('refuse what is not there, and name what is', async () => {
      const unknown = await netsaat('tenant', 'place', 'nobody')
      expect([unknown.code, unknown.err]).toEqual([1, 'netsaat: there is no tenant "nobody"\n'])
      const nodes = citusNodes.slice(1).map((url) => new URL(url).host)
      const nowhere = await netsaat('tenant', 'place', 'placed', '--node', 'nowhere:1')
      expect([nowhere.code, nowhere.err]).toEqual([
        1,
        `netsaat: "nowhere:1" is no node with shards: one of ${nodes.toSorted().join(', ')}\n`,
      ])
      expect((await netsaat('tenant', 'place')).code).not.toBe(0)
      const shards = await netsaat('db', 'distribute', '--shards', 'many')
      expect([shards.code, shards.err]).toEqual([
        2,
        expect.stringContaining('--shards: "many" is not a number'),
      ])
    })
  },
)
