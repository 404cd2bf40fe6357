import type pg from 'pg'

export type PoolClient = pg.PoolClient

/** Runs work in a transaction on a connection of its own, for statements that Kysely does not know, such as COPY. */
export async function inConnectionTx<T>(pool: pg.Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}
