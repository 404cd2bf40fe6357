import { expect, it } from 'vitest'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { createDatabase } from '../../support/database.ts'

const USES: readonly (readonly [string, (database: Database) => Promise<unknown>])[] = [
  ['statements of the pool only', ({ pool }) => pool.query('select 1')],
  ['statements of Kysely', ({ kysely }) => kysely.selectFrom('tenant').select('id').execute()],
  ['no statement', async () => {}],
]

it.each(USES)(
  'a database closes all its connections after %s, also when closed twice',
  async (_name, use) => {
    const { url, drop } = await createDatabase()
    const database = connect({ url, keepsIdle: true })
    await use(database)
    await database.close()
    await database.close()
    expect([database.pool.ended, database.pool.totalCount]).toEqual([true, 0])
    await drop()
  },
)

it('a connection that the server ends while the database is closed is not reported', async () => {
  const { url, drop } = await createDatabase()
  const reported: string[] = []
  const database = connect({
    url,
    keepsIdle: true,
    onIdleError: ({ message }) => void reported.push(message),
  })
  await database.pool.query('select 1')
  database.pool.emit('error', new Error('open'), undefined as never)
  const closed = database.close()
  database.pool.emit('error', new Error('closing'), undefined as never)
  await closed
  expect(reported).toEqual(['open'])
  await drop()
})
