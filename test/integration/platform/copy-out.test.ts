import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyOut } from '../../../src/platform/db/copy-out.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { makeReplicaReads } from '../../../src/platform/db/replica-reads.ts'
import { createDatabase } from '../../support/database.ts'

let servers: { readonly database: Database; readonly drop: () => Promise<void> }[]

beforeAll(async () => {
  servers = []
  for (let index = 0; index < 2; index++) {
    const { url, drop } = await createDatabase()
    servers.push({ database: connect({ url, maxConnections: 1 }), drop })
  }
})

afterAll(async () => {
  for (const { database, drop } of servers) {
    await database.close()
    await drop()
  }
})

/** Receives rows of one column of type int4. */
function readNumbers() {
  const numbers: number[] = []
  return {
    numbers,
    readRow: (bytes: Buffer, offset: number) => void numbers.push(bytes.readInt32BE(offset + 4)),
  }
}

const copyOf = (select: string) => `copy (${select}) to stdout (format binary)`

it('COPY that a replica fails is executed by the primary, with a reader of its own', async () => {
  const [primary, replica] = servers.map(({ database }) => database)
  if (!primary || !replica) throw new Error('there are two servers')
  await primary.pool.query('create table only_here as select generate_series(1, 3) as n')
  const reasons: string[] = []
  const reads = makeReplicaReads({ primary, replica, onFallback: ({ message }) => reasons.push(message) })
  const { numbers } = await reads.copyOut(copyOf('select n from only_here order by n'), readNumbers)
  expect(numbers).toEqual([1, 2, 3])
  expect(reasons).toEqual(['relation "only_here" does not exist'])
})

it('an error after the first rows rejects, and the only connection is replaced', async () => {
  const [{ database } = { database: undefined }] = servers
  if (!database) throw new Error('there is a server')
  const failing = 'select 6 / (3 - n) from generate_series(1, 5) as n'
  await expect(database.copyOut(copyOf(failing), readNumbers)).rejects.toThrow('division by zero')
  const { numbers } = await database.copyOut(copyOf('select generate_series(4, 6)'), readNumbers)
  expect(numbers).toEqual([4, 5, 6])
})

it('rows that the socket delivers in several parts, notices between rows, and a later statement', async () => {
  const [{ database } = { database: undefined }] = servers
  if (!database) throw new Error('there is a server')
  await database.pool.query(`create or replace function tell(n integer) returns integer language plpgsql as $$
    begin raise notice 'row %', n; return n; end $$`)
  const lengths = [10, 200_000, 3, 70_000, 1, 1_000_000, 0]
  const texts: string[] = []
  const readRow = (bytes: Buffer, offset: number): void => {
    const length = bytes.readInt32BE(offset)
    texts.push(bytes.toString('latin1', offset + 4, offset + 4 + length))
  }
  const select = `select repeat(chr(96 + tell(n::int)), length)
    from unnest(array[${lengths}]) with ordinality as l (length, n)`
  await database.copyOut(copyOf(select), () => ({ readRow }))
  expect(texts).toEqual(lengths.map((length, index) => String.fromCharCode(97 + index).repeat(length)))
  const { rows } = await database.pool.query('select 7 as n')
  expect(rows).toEqual([{ n: 7 }])
})

it('COPY of no row, and one whose reader fails: the connection can be used again', async () => {
  const [{ database } = { database: undefined }] = servers
  if (!database) throw new Error('there is a server')
  const client = await database.pool.connect()
  try {
    const none = readNumbers()
    await copyOut(client, copyOf('select 1 where false'), none.readRow)
    expect(none.numbers).toEqual([])
    const failing = () => {
      throw new Error('cannot read this row')
    }
    const many = copyOf('select generate_series(1, 100000)')
    await expect(copyOut(client, many, failing)).rejects.toThrow('cannot read this row')
    await expect(copyOut(client, 'copy (select 1) to stdout', failing)).rejects.toThrow('no binary header')
    const all = readNumbers()
    await copyOut(client, many, all.readRow)
    expect(all.numbers).toEqual(Array.from({ length: 100_000 }, (_, index) => index + 1))
  } finally {
    client.release()
  }
})

it('COPY whose connection ends meanwhile rejects', async () => {
  const [first, second] = servers
  if (!first || !second) throw new Error('there are two servers')
  const endless = copyOf('select pg_backend_pid() + 0 * generate_series(1, 100000000)')
  let received = 0
  const copied = first.database.copyOut(endless, () => ({
    readRow(bytes: Buffer, offset: number) {
      received += 1
      if (received > 1) return
      void second.database.pool.query('select pg_terminate_backend($1::int)', [bytes.readInt32BE(offset + 4)])
    },
  }))
  await expect(copied).rejects.toThrow()
  expect(received).toBeGreaterThan(0)
  const { numbers } = await first.database.copyOut(copyOf('select generate_series(1, 2)'), readNumbers)
  expect(numbers).toEqual([1, 2])
})
