import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_TEXTS } from '../../../src/kernel/error-texts.ts'
import { conflict } from '../../../src/kernel/errors.ts'
import { refusing, unlessReferred, violatedConstraint } from '../../../src/platform/db/constraints.ts'
import {
  hasSqlState,
  isConnectionLoss,
  isInvalidData,
  isNodeLoss,
  SQLSTATE,
  sqlStateOf,
} from '../../../src/platform/db/errors.ts'
import { createDatabase } from '../../support/database.ts'

/**
 * The violations of a real server, and the same as Citus passes them on: with the number of the shard behind each name,
 * without the fields of the error, and after COPY with the code of an internal error.
 */

const SHARD = '_102318'
let database: Awaited<ReturnType<typeof createDatabase>>
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    create table parent (id int primary key, name text not null);
    create table child (id int primary key, parent_id int constraint child_parent_fkey references parent,
      amount int constraint child_amount_check check (amount > 0),
      span int4range, constraint child_span_excl exclude using gist (span with &&));
    insert into parent values (1, 'a');
    insert into child values (1, 1, 1, '[1,5)')`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function errorOf(statement: string): Promise<pg.DatabaseError> {
  const error: unknown = await client.query(statement).catch((thrown: unknown) => thrown)
  if (!(error instanceof pg.DatabaseError)) throw new Error(`no error of the database: ${statement}`)
  return error
}

/** The error as a coordinator reports it: the fields are absent, and the names are those of a shard. */
function ofShard({ message, code }: pg.DatabaseError, { isCopy = false } = {}): pg.DatabaseError {
  const text = message.replace(/(constraint|relation|table) "([^"]+)"/g, `$1 "$2${SHARD}"`)
  const error = new pg.DatabaseError(text, 0, 'error')
  error.code = isCopy ? 'XX000' : code
  return error
}

const VIOLATIONS = [
  ["insert into parent values (1, 'b')", 'parent_pkey', '23505'],
  ['insert into child values (2, 7, 1)', 'child_parent_fkey', '23503'],
  ['delete from parent', 'child_parent_fkey', '23503'],
  ['insert into child values (2, 1, 0)', 'child_amount_check', '23514'],
  ["insert into child values (2, 1, 1, '[4,9)')", 'child_span_excl', '23P01'],
] as const

describe('the violated constraint', () => {
  it.each(VIOLATIONS)(
    'of "%s" is %s, on the server, on a shard and in a COPY to a shard',
    async (text, name, state) => {
      const error = await errorOf(text)
      expect(error.constraint).toBe(name)
      for (const reported of [error, ofShard(error), ofShard(error, { isCopy: true })]) {
        expect(violatedConstraint(reported)).toBe(name)
        expect(sqlStateOf(reported)).toBe(state)
        expect(isInvalidData(reported)).toBe(state !== '23P01')
      }
    },
  )

  it('becomes the error of the API', async () => {
    const exists = () =>
      conflict('DUPLICATE_ENTRY', ERROR_TEXTS.RECORD_IN_USE({ what: 'parent', table: 'child' }))
    const error = ofShard(await errorOf("insert into parent values (1, 'b')"), { isCopy: true })
    await expect(refusing({ parent_pkey: exists }, Promise.reject(error))).rejects.toMatchObject({
      status: 409,
    })
    await expect(refusing({ other_key: exists }, Promise.reject(error))).rejects.toBe(error)
  })

  it('of a deleted row names the table that still refers to it', async () => {
    const error = await errorOf('delete from parent')
    for (const reported of [error, ofShard(error), ofShard(error, { isCopy: true })])
      await expect(unlessReferred('parent', Promise.reject(reported))).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('child') as string,
      })
    const named = await unlessReferred('parent', Promise.reject(ofShard(error))).catch(
      (thrown: Error) => thrown,
    )
    expect((named as Error).message).not.toContain(SHARD)
  })

  it('is not looked for in the text of other errors', async () => {
    const missing = ofShard(await errorOf('insert into parent values (2, null)'), { isCopy: true })
    expect(sqlStateOf(missing)).toBe('23502')
    const unknown = new pg.DatabaseError('could not open constraint "x"', 0, 'error')
    unknown.code = 'XX000'
    expect(sqlStateOf(unknown)).toBe('XX000')
    expect(violatedConstraint(unknown)).toBeUndefined()
    expect(sqlStateOf(new Error('duplicate key value violates unique constraint "x"'))).toBeUndefined()
    expect(hasSqlState(await errorOf('select * from nowhere'), SQLSTATE.undefinedTable)).toBe(true)
  })
})

describe('the loss of a node of a distributed database', () => {
  it.each([
    'could not commit transaction for shard 102046 on at least one active node',
    'failure on connection marked as essential: 127.0.0.1:7702',
    'failed to complete COPY on 127.0.0.1:7702',
    'could not connect to any active placements',
    'server closed the connection unexpectedly',
  ])('is recognised by "%s", which has the code of an internal error', (text) => {
    const lost = new pg.DatabaseError(text, 0, 'error')
    lost.code = 'XX000'
    expect([sqlStateOf(lost), isConnectionLoss(lost), isNodeLoss(lost)]).toEqual(['08006', true, true])
  })

  it('is not the loss of the coordinator, nor an error of its own', async () => {
    const closed = new pg.DatabaseError('terminating connection', 0, 'error')
    closed.code = '57P01'
    expect([isConnectionLoss(closed), isNodeLoss(closed)]).toEqual([true, false])
    const missing = await errorOf('select * from nowhere')
    expect([isConnectionLoss(missing), isNodeLoss(missing)]).toEqual([false, false])
  })
})
