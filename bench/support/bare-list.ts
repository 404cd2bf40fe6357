/**
 * The minimal HTTP server for a list: a Fastify route that runs given statements and sends their rows.
 * Receives one message from its parent and responds with its address.
 */
import Fastify from 'fastify'
import { connect } from '../../src/platform/db/pool.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface BareTask {
  readonly databaseUrl: string
  readonly maxConnections: number
  /** By path: groups run one after another; the statements of a group run concurrently. */
  readonly routes: Readonly<Record<string, readonly (readonly Statement[])[]>>
}

async function serve({ databaseUrl, maxConnections, routes }: BareTask): Promise<void> {
  const { pool } = connect({ url: databaseUrl, maxConnections })
  const app = Fastify()
  for (const [path, steps] of Object.entries(routes)) {
    app.get(path, async () => {
      const results = []
      for (const statements of steps)
        results.push(await Promise.all(statements.map(({ text, values }) => pool.query(text, [...values]))))
      const items = results.at(-1)?.[0]?.rows ?? []
      return { items, total: items[0]?.list_total, skip: 0, limit: 50 }
    })
  }
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
}

process.once('message', (task: BareTask) => void serve(task))
process.once('disconnect', () => process.exit(0))
