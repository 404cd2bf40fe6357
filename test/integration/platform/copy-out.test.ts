import { afterAll, beforeAll, expect, it } from 'vitest'
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
