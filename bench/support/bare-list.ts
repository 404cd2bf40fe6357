/**
 * The least that can answer a list over HTTP: a Fastify route that runs given statements and sends their rows. Takes
 * one order from its parent and answers where it listens.
 */
import Fastify from 'fastify'
import { connect } from '../../src/platform/db/pool.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface BareOrder {
  readonly databaseUrl: string
  readonly maxConnections: number
  /** By path: what runs one after another; what is listed together runs at the same time. */
  readonly routes: Readonly<Record<string, readonly (readonly Statement[])[]>>
}

async function serve({ databaseUrl, maxConnections, routes }: BareOrder): Promise<void> {
  const { pool } = connect({ url: databaseUrl, maxConnections })
  const app = Fastify()
  for (const [path, steps] of Object.entries(routes)) {
    app.get(path, async () => {
      const results = []
      for (const statements of steps)
        results.push(await Promise.all(statements.map(({ text, values }) => pool.query(text, [...values]))))
      const [items, counted] = results.at(-1) ?? []
      return { items: items?.rows, total: Number(counted?.rows[0]?.total), skip: 0, limit: 50 }
    })
  }
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
}

process.once('message', (order: BareOrder) => void serve(order))
process.once('disconnect', () => process.exit(0))
