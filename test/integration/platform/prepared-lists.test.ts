import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readPage } from '../../../src/platform/db/list.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { tenantDb } from '../../../src/platform/db/tenant.ts'
import { selectRows } from '../../../src/platform/db/tenant-rows.ts'
import { citusNodes } from '../../support/citus.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let created: TestDatabase
let database: Database

beforeAll(async () => {
  created = await createDatabase()
})
afterAll(() => created.drop())

beforeEach(() => {
  // One connection, which shows the statements that it has prepared.
  database = connect({ url: created.url, maxConnections: 1, keepsIdle: true })
})
afterEach(() => database.close())

async function preparedTexts(): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>(
    `select statement from pg_prepared_statements where statement like '%from "role"%' order by statement`,
  )
  return rows.map(({ statement }) => statement)
}

const listRoles = (
  tenantId: number,
  { name, isPrepared = true }: { name?: string; isPrepared?: boolean } = {},
) => {
  const rows = selectRows(tenantDb(database.kysely, tenantId), 'role').select(['id', 'name'])
  return readPage(name === undefined ? rows : rows.where('name', '=', name), {
    skip: 0,
    limit: 10,
    sort_by: 'name',
    sort_order: 'asc',
    isPrepared,
  })
}

test('the statement of a list is prepared once on a connection, whatever its values are', async () => {
  for (let tenantId = 1; tenantId <= 8; tenantId++) {
    const page = await listRoles(tenantId)
    expect(page).toEqual({ items: [], total: 0, skip: 0, limit: 10 })
  }
  const texts = await preparedTexts()
  // A distributed database keeps no plans.
  if (citusNodes.length > 0) return void expect(texts).toEqual([])
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
