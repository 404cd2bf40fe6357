import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './pool.ts'
import type { ReadDatabase } from './replica-reads.ts'

/** A server that executes reads instead of the primary: a replica, or a node of a distributed database. */
export interface ReadServer {
  /** Host and port. */
  readonly name: string
  readonly database: Database
  readonly reads: ReadDatabase
  /** Why it is not used; undefined while it can be used. */
  problem: string | undefined
}

export interface ReadServerState {
  /** Host and port. */
  readonly name: string
  readonly isUsable: boolean
}

export type ReadServerLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'debug'>

/** Sets why a server is not used, and logs it when it changes. */
export function setProblem(
  server: ReadServer,
  problem: string | undefined,
  { kind, log }: { readonly kind: 'replica' | 'node'; readonly log: ReadServerLog },
): void {
  if (problem !== server.problem) {
    if (problem === undefined) log.info({ [kind]: server.name }, `reads use the ${kind}`)
    else log.warn({ [kind]: server.name, reason: problem }, `reads do not use the ${kind}`)
  }
  server.problem = problem
}

/** Closes the connections to the servers. */
export async function closeServers(servers: Iterable<ReadServer>): Promise<void> {
  await Promise.all([...servers].map(({ database }) => database.close()))
}
