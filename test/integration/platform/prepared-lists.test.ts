import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PlanCache, planCacheOf } from '../../../src/platform/db/distribution/cluster.ts'
import { readPage } from '../../../src/platform/db/list.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { makeReplicaReads } from '../../../src/platform/db/replica-reads.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { selectRows } from '../../../src/platform/db/tenant-rows.ts'
import { citusNodes } from '../../support/citus.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let created: TestDatabase
let database: Database
let planCache: PlanCache

beforeAll(async () => {
  created = await createDatabase()
})
afterAll(() => created.drop())

beforeEach(async () => {
  // One connection, which shows the statements that it has prepared.
  database = connect({ url: created.url, maxConnections: 1, keepsIdle: true })
  planCache = await planCacheOf(database.pool)
})
afterEach(() => database.close())

async function preparedTexts(): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>(
    `select statement from pg_prepared_statements where statement like '%from "role"%' order by statement`,
  )
  return rows.map(({ statement }) => statement)
}

interface Options {
  readonly name?: string
  readonly isPrepared?: boolean
  readonly countsSeparately?: boolean
  readonly skip?: number
  readonly limit?: number
  readonly kysely?: Database['kysely']
}

const listRoles = (tenantId: number, options: Options = {}) => {
  const {
    name,
    isPrepared = true,
    countsSeparately,
    skip = 0,
    limit = 10,
    kysely = database.kysely,
  } = options
  const rows = selectRows(tenantDb(kysely, tenantId), 'role').select(['id', 'name'])
  return readPage(name === undefined ? rows : rows.where('name', '=', name), {
    skip,
    limit,
    sort_by: 'name',
    sort_order: 'asc',
    isPrepared,
    countsSeparately,
  })
}

async function createRoles(names: readonly string[]): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into tenant (name, slug) values ('lists', 'lists-' || gen_random_uuid()) returning id`,
  )
  const tenantId = rows[0]?.id ?? 0
  for (const name of names)
    await database.pool.query('insert into role (tenant_id, name) values ($1, $2)', [tenantId, name])
  return tenantId
}

test('plain PostgreSQL keeps all plans, and Citus does not', () => {
  expect(planCache === 'all').toBe(citusNodes.length === 0)
})

test('the statement of a list is prepared once on a connection, whatever its values are', async () => {
  for (let tenantId = 1; tenantId <= 8; tenantId++) {
    const page = await listRoles(tenantId)
    expect(page).toEqual({ items: [], total: 0, skip: 0, limit: 10 })
  }
  const texts = await preparedTexts()
  if (planCache === 'none') return void expect(texts).toEqual([])
  expect(texts).toHaveLength(1)

  // Another filter is another text, with a name of its own.
  await listRoles(1, { name: 'operators' })
  await listRoles(2, { name: 'viewers' })
  expect(await preparedTexts()).toHaveLength(2)
  expect(await preparedTexts()).toEqual(expect.arrayContaining(texts))
})

test('a list is not prepared unless its store says so', async () => {
  await listRoles(3, { isPrepared: false })
  expect(await preparedTexts()).toEqual([])
})

test('a list is prepared on a replica too', async () => {
  const primary = connect({ url: created.url })
  try {
    const { kysely } = makeReplicaReads({ replica: database, primary, onFallback: () => {} })
    await listRoles(1, { kysely })
    expect(await preparedTexts()).toHaveLength(planCache === 'none' ? 0 : 1)
  } finally {
    await primary.close()
  }
})

test('a list that is counted by a second statement has the same pages and numbers', async () => {
  const tenantId = await createRoles(['a', 'b', 'c', 'd', 'e'])
  for (const skip of [0, 2, 4, 5, 9])
    for (const limit of [1, 2, 5, 10]) {
      const apart = await listRoles(tenantId, { skip, limit, countsSeparately: true })
      expect(apart).toEqual(await listRoles(tenantId, { skip, limit }))
      expect(apart).toMatchObject({ total: 5, skip, limit })
    }
  const none = { items: [], total: 0, skip: 0, limit: 10 }
  expect(await listRoles(tenantId, { name: 'x', countsSeparately: true })).toEqual(none)
})

test('rows are not counted when the page has fewer rows than its limit', async () => {
  const tenantId = await createRoles(['a', 'b', 'c'])
  const counts = async () => (await preparedTexts()).filter((text) => text.startsWith('select count('))
  await listRoles(tenantId, { limit: 4, countsSeparately: true })
  await listRoles(tenantId, { limit: 2, skip: 2, countsSeparately: true })
  expect(await counts()).toEqual([])
  await listRoles(tenantId, { limit: 3, countsSeparately: true })
  expect(await counts()).toHaveLength(planCache === 'none' ? 0 : 1)
})

test('the number from a second statement is not less than the rows that were read', async () => {
  const tenantId = await createRoles(['a', 'b', 'c'])
  // Uses of the only connection: page, deletion, count. The deletion is queued when the page releases it.
  let statements = 0
  database.pool.on('acquire', () => {
    statements += 1
  })
  database.pool.once('release', () => {
    void database.pool.query('delete from role where tenant_id = $1', [tenantId])
  })
  const page = await listRoles(tenantId, { limit: 3, countsSeparately: true })
  expect(page.items).toHaveLength(3)
  expect([page.total, statements]).toEqual([3, 3])
  expect((await listRoles(tenantId)).total).toBe(0)
})

test.skipIf(citusNodes.length === 0).each([true, false])(
  'executions add no memory to the node of the rows (needs CITUS_NODES; for reads: %s)',
  async (isForReads) => {
    // A superuser sees the memory of its own connection. Six tenants, so that each worker has some.
    const url = new URL(citusNodes.at(-1) ?? '')
    url.pathname = new URL(created.url).pathname
    const tenants: number[] = []
    for (let index = 0; index < 6; index++) tenants.push(await createRoles(['a', 'b']))
    const own = connect({ url: url.href, maxConnections: 1, keepsIdle: true, isForReads })
    const usedBytes = async () => {
      const { rows } = await own.pool.query<{ bytes: number }>(
        'select sum(used_bytes)::int as bytes from pg_backend_memory_contexts',
      )
      return rows[0]?.bytes ?? 0
    }
    // The page is full, so that it is counted.
    const lists = async (times: number) => {
      for (let time = 0; time < times; time++)
        for (const tenantId of tenants)
          await listRoles(tenantId, { kysely: own.kysely, countsSeparately: true, limit: 1 })
    }
    try {
      await lists(20)
      const before = await usedBytes()
      await lists(50)
      expect((await usedBytes()) - before).toBeLessThan(1_000_000)
    } finally {
      await own.close()
    }
  },
)
