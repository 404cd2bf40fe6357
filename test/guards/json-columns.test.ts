import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase } from '../support/database.ts'

const COLUMN = /^\s*'(\w+\.\w+)':/gm
const DECLARATION = /interface JsonColumns \{\n(.*?)\n {2}\}/gs

/** The columns that the sources of the areas declare, with repetitions. */
async function declaredColumns(): Promise<string[]> {
  const names = (await readdir('src/areas', { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(names.map((name) => readFile(`src/areas/${name}`, 'utf8')))
  return texts
    .flatMap((text) => [...text.matchAll(DECLARATION)])
    .flatMap(([, body = '']) => [...body.matchAll(COLUMN)])
    .flatMap(([, column = '']) => column)
    .toSorted()
}

async function storedColumns(): Promise<string[]> {
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>(`
      select c.relname || '.' || a.attname as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.atttypid in ('json'::regtype, 'jsonb'::regtype)`)
    return rows.map(({ name }) => name).toSorted()
  } finally {
    await client.end()
    await database.drop()
  }
}

it('every jsonb column has one declared type, and every declaration has a column', async () => {
  const declared = await declaredColumns()
  expect(declared.length).toBeGreaterThan(30)
  expect(declared, 'declare the column in JsonColumns: src/platform/db/json-columns.ts says how').toEqual(
    await storedColumns(),
  )
})

it('the generated table types refer to the declared type of each jsonb column', async () => {
  const types = await readFile('src/platform/db/types.ts', 'utf8')
  const used = [...types.matchAll(/JsonColumn<"([\w.]+)">/g)].map(([, column]) => column).toSorted()
  expect(used).toEqual(await declaredColumns())
  expect(types).not.toMatch(/\bJson(Value|Object|Array|Primitive)?\b/)
})
