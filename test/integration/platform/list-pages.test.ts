import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readList, readPage } from '../../../src/platform/db/list.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

const SLUGS = ['list-a', 'list-b', 'list-c', 'list-d', 'list-e']

let created: TestDatabase
let database: Database
let statements: string[]

beforeAll(async () => {
  created = await createDatabase()
  database = connect({ url: created.url })
  await database.pool.query(
    'insert into tenant (name, slug) select slug, slug from unnest($1::text[]) slug',
    [SLUGS],
  )
  const { query } = database.pool
  database.pool.on('acquire', (client) => {
    const original = Object.getPrototypeOf(client).query as typeof query
    Object.assign(client, {
      query(...args: readonly [{ text: string }]) {
        statements.push(args[0].text)
        return Reflect.apply(original, client, args)
      },
    })
  })
})
afterAll(async () => {
  await database.close()
  await created.drop()
})
beforeEach(() => {
  statements = []
})

const tenants = () =>
  database.kysely.selectFrom('tenant').select(['id', 'slug']).where('slug', 'like', 'list-%')

/** The slug of a row that has no other columns than those of the list in JSON. */
const onlySlug = (row: { slug: string }) =>
  Object.keys(JSON.parse(JSON.stringify(row)) as object).length === 2 && row.slug

async function pageOf(skip: number, limit: number) {
  const page = await readPage(tenants(), { skip, limit, sort_by: 'slug', sort_order: 'asc' })
  return { ...page, items: page.items.map(onlySlug) }
}

test('a page has the number of all rows of its filter, by one statement', async () => {
  expect(await pageOf(0, 2)).toEqual({ items: ['list-a', 'list-b'], total: 5, skip: 0, limit: 2 })
  expect(await pageOf(4, 2)).toEqual({ items: ['list-e'], total: 5, skip: 4, limit: 2 })
  expect(statements).toHaveLength(2)
})

test('a page beyond the last row has the number too', async () => {
  expect(await pageOf(5, 2)).toEqual({ items: [], total: 5, skip: 5, limit: 2 })
  expect(statements).toHaveLength(2)
})

test('an empty list has the number zero, by one statement', async () => {
  const none = tenants().where('slug', '=', 'list-x')
  const page = await readPage(none, { skip: 0, limit: 2, sort_by: 'slug', sort_order: 'asc' })
  expect(page).toEqual({ items: [], total: 0, skip: 0, limit: 2 })
  expect(statements).toHaveLength(1)
})

test('a slice has the order of its selection and the number of all rows', async () => {
  const rows = tenants().orderBy('slug', 'desc')
  const slugs = async (offset: number) => {
    const { items, total } = await readList(rows, { offset, limit: 3 })
    return [items.map(onlySlug), total]
  }
  expect(await slugs(0)).toEqual([['list-e', 'list-d', 'list-c'], 5])
  expect(await slugs(3)).toEqual([['list-b', 'list-a'], 5])
  expect(await slugs(9)).toEqual([[], 5])
})
