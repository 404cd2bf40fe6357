import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyFields, textsOfFields } from '../../../src/platform/db/copied-fields.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { createDatabase } from '../../support/database.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const created = await createDatabase()
  database = connect({ url: created.url, maxConnections: 1 })
  drop = created.drop
})

afterAll(async () => {
  await database?.close()
  await drop?.()
})

/** In a transaction, whose uncommitted rows the COPY sees. */
const copied = (select: string, spare?: ArrayBuffer) =>
  database.kysely.transaction().execute(async (db) => {
    await db.schema
      .createTable('uncommitted')
      .temporary()
      .onCommit('drop')
      .addColumn('text', 'text')
      .execute()
    await sql`insert into uncommitted values ('a')`.execute(db)
    return copyFields({ db }, select, spare)
  })

it('returns the fields of all rows, null values and rows of the transaction', async () => {
  const fields = await copied(
    `select text, null, '', 'ab,c' from uncommitted union all select 'z', '1', null, ''`,
  )
  expect([...textsOfFields(fields)]).toEqual(['a', null, '', 'ab,c', 'z', '1', null, ''])
  expect([...textsOfFields(await copied('select text from uncommitted where false'))]).toEqual([])
})

it('uses a spare buffer where it is large enough, and otherwise a larger one', async () => {
  const select = `select repeat('x', 1000) from generate_series(1, 100)`
  const expected = new Array(100).fill('x'.repeat(1000))
  const small = await copied(select, new ArrayBuffer(10))
  expect([...textsOfFields(small)]).toEqual(expected)
  const spare = small.buffer
  const again = await copied(select, spare)
  expect(again.buffer).toBe(spare)
  expect([...textsOfFields(again)]).toEqual(expected)
  // A shorter result does not contain the rest of the longer one.
  expect([...textsOfFields(await copied(`select 'y'`, spare))]).toEqual(['y'])
})

it('rejects with the error of the server', async () => {
  await expect(copied('select 1 / 0')).rejects.toThrow('division by zero')
  expect([...textsOfFields(await copied(`select 'after'`))]).toEqual(['after'])
})
