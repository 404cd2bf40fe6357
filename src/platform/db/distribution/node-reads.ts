import { isConnectionLoss } from '../errors.ts'
import type { Database } from '../pool.ts'
import {
  closeServers,
  type ReadServer,
  type ReadServerLog,
  type ReadServerState,
  setProblem,
} from '../read-server.ts'
import { makeReplicaReads, type ReadDatabase } from '../replica-reads.ts'
import { type PlanCache, planCacheOf } from './cluster.ts'
import { NODE_READS_CHECK_MS } from './limits.ts'
import { makeTenantNodes } from './tenant-nodes.ts'

/**
 * Reads of a tenant on its node.
 *
 * Purpose. A statement that goes through the coordinator of a distributed database (Citus) is planned there, sent to
 * the worker with the rows, and parsed and planned again. Single reads of one tenant are therefore sent to that worker,
 * which has the catalogue of Citus as well and executes them alone (ADR 0140). Transactions, writes, locks, definitions
 * and statements about several tenants use the coordinator.
 *
 * Currency. The worker has the rows themselves, no copy: a write is answered after its node has committed it. After
 * shards were moved a worker passes the statement on to the right one, so that the result is the same.
 *
 * Fallback. A worker is used while it answers. The coordinator executes a statement that fails because of the
 * connection or because the worker has no such table, and all statements of a tenant whose node is not known yet.
 */
export interface NodeReads {
  /** The database for the reads of a tenant: the worker with its rows, else the coordinator. */
  forTenant(tenantId: number): ReadDatabase
  states(): readonly ReadServerState[]
  /** Whether the database is distributed; false also until that is known. */
  isDistributed(): boolean
  /**
   * The plan cache of the coordinator, undefined until it is known; that of a worker with many shards may differ.
   */
  planCache(): PlanCache | undefined
  /** Reads by where they were sent, and statements that a worker failed. */
  readonly counts: Readonly<Record<'worker' | 'coordinator' | 'fallback', number>>
  notes(): readonly string[]
  close(): Promise<void>
}

export interface NodeReadsOptions {
  readonly coordinator: Database
  readonly log: ReadServerLog
  /** Opens the connections to a worker. */
  readonly connect: (url: string) => Database
}

interface Address {
  readonly id: number
  readonly host: string
  readonly port: number
}

const WORKERS = `
  select groupid as id, nodename as host, nodeport as port from pg_dist_node
  where groupid <> 0 and isactive and metadatasynced and shouldhaveshards and noderole = 'primary'`
const OWN_ID = 'select groupid as id from pg_dist_local_group'

export function openNodeReads({ coordinator, log, connect }: NodeReadsOptions): NodeReads {
  const counts = { worker: 0, coordinator: 0, fallback: 0 }
  const workers = new Map<number, ReadServer>()
  const nodes = makeTenantNodes(coordinator, (error) =>
    log.debug({ reason: String(error) }, 'the nodes of tenants were not read'),
  )

  function open(url: string, name: string): ReadServer {
    const database = connect(url)
    const worker: ReadServer = {
      name,
      database,
      problem: 'it has not answered yet',
      reads: makeReplicaReads({
        replica: database,
        primary: coordinator,
        onFallback(error) {
          counts.fallback += 1
          log.debug({ node: name, reason: error.message }, 'the coordinator executes a read')
          if (isConnectionLoss(error)) note(worker, error.message)
        },
      }),
    }
    return worker
  }

  const note = (worker: ReadServer, problem: string | undefined) =>
    setProblem(worker, problem, { kind: 'node', log })

  const watch = watchWorkers({ coordinator, workers, log, open, note })
  return {
    counts,
    forTenant(tenantId) {
      const worker = workers.get(nodes.nodeOf(tenantId))
      const isUsed = worker !== undefined && worker.problem === undefined
      counts[isUsed ? 'worker' : 'coordinator'] += 1
      return isUsed ? worker.reads : coordinator
    },
    isDistributed: () => (watch.planCache() ?? 'all') !== 'all',
    planCache: watch.planCache,
    states: () =>
      [...workers.values()].map(({ name, problem }) => ({ name, isUsable: problem === undefined })),
    notes: () =>
      [...workers.values()].flatMap(({ name, problem }) =>
        problem === undefined ? [] : [`reads do not use the node ${name}: ${problem}`],
      ),
    async close() {
      await watch.stop()
      await closeServers(workers.values())
    },
  }
}

interface WatchOptions {
  readonly coordinator: Database
  /** By the id of the group of Citus. */
  readonly workers: Map<number, ReadServer>
  readonly log: ReadServerLog
  readonly open: (url: string, name: string) => ReadServer
  readonly note: (worker: ReadServer, problem: string | undefined) => void
}

/** Follows the nodes of the cluster every NODE_READS_CHECK_MS, and asks each whether it answers. */
function watchWorkers({ coordinator, workers, log, open, note }: WatchOptions) {
  let planCache: PlanCache | undefined
  const asking = new Map<ReadServer, Promise<void>>()

  async function follow(): Promise<void> {
    const known = planCache
    planCache = await planCacheOf(coordinator.pool)
    if (planCache === 'all') return clearInterval(timer)
    if (planCache !== known)
      log.info({ planCache }, 'the plan cache of the distributed database was determined')
    const { rows } = await coordinator.pool.query<Address>(WORKERS)
    const addresses = new Map(rows.map((address) => [address.id, address]))
    for (const [id, worker] of workers) {
      const address = addresses.get(id)
      if (address && nameOf(address) === worker.name) continue
      workers.delete(id)
      await asking.get(worker)
      await worker.database.close()
    }
    for (const [id, address] of addresses) {
      const worker = workers.get(id) ?? open(urlOf(coordinator.url, address), nameOf(address))
      workers.set(id, worker)
      if (asking.has(worker)) continue
      // A node that does not answer delays only itself.
      const answer = ask(worker, id).finally(() => asking.delete(worker))
      asking.set(worker, answer)
    }
  }

  async function ask(worker: ReadServer, id: number): Promise<void> {
    const problem = await worker.database.pool
      .query<{ id: number }>(OWN_ID)
      .then(({ rows }) => (rows[0]?.id === id ? undefined : 'another server has its address'))
      .catch((error: Error) => error.message)
    note(worker, problem)
  }

  let following: Promise<void> | undefined
  const tick = () => {
    following ??= follow()
      // The coordinator does not answer: the next tick asks again.
      .catch(() => {})
      .finally(() => {
        following = undefined
      })
  }
  const timer = setInterval(tick, NODE_READS_CHECK_MS).unref()
  tick()
  return {
    planCache: () => planCache,
    async stop() {
      clearInterval(timer)
      await following
      await Promise.all(asking.values())
    },
  }
}

const nameOf = ({ host, port }: Address): string => `${host}:${port}`

/** The URL of the coordinator with the address of a worker: the same role, password and database. */
function urlOf(coordinator: string, { host, port }: Address): string {
  const url = new URL(coordinator)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return url.href
}
