import { setTimeout as sleep } from 'node:timers/promises'
import { REPLICA_CHECK_MS, REPLICA_CONNECT_TIMEOUT_MS, REPLICA_POSITIONS_MAX } from './limits.ts'
import type { Database } from './pool.ts'
import {
  closeServers,
  type ReadServer,
  type ReadServerLog,
  type ReadServerState,
  setProblem,
} from './read-server.ts'
import { makeReplicaReads, type ReadDatabase } from './replica-reads.ts'

/**
 * Read replicas.
 *
 * Purpose. Lists, history, aggregates, exports and dashboards are read from streaming replicas of the database, and
 * nothing else: calculations, authentication and writes use the primary.
 *
 * Lag. Every REPLICA_CHECK_MS the position of the primary in its log is recorded with the time before the question, and
 * each replica is asked for the position that it has replayed. A replica is as current as the newest recorded position
 * that it has reached: everything that was committed before that time is visible in it. This notices a replica that has
 * lost its primary, unlike the times that the replica itself knows.
 *
 * Reads see own writes. Before a write is answered, a row on the primary says until when the writes of the user are
 * committed, by the clock of the primary. Each request reads it together with its principal, in every process, and uses
 * the primary until a replica is as current as that.
 *
 * Fallback. A replica that is late, does not answer or is no replica is not used; the primary executes a statement that
 * fails on a replica.
 */
export interface Replicas {
  /** A replica with everything that was committed before `wroteUntil` (clock of the primary), else the primary. */
  forReader(wroteUntil: number | undefined): ReadDatabase
  /** As forReader, for work that must see what is committed now; waits for a replica at most `waitMs`. */
  forReaderFromNow(waitMs: number): Promise<ReadDatabase>
  states(): readonly ReplicaState[]
  /** Statements by where they were sent. */
  readonly counts: Readonly<Record<'replica' | 'primary' | 'fallback', number>>
  notes(): readonly string[]
  close(): Promise<void>
}

export interface ReplicaState extends ReadServerState {
  /** Undefined until the replica has been compared with the primary. */
  readonly lagMs: number | undefined
}

export interface ReplicasOptions {
  readonly primary: Database
  readonly urls: readonly string[]
  readonly lagMaxMs: number
  readonly maxConnections: number
  readonly log: ReadServerLog
  readonly connect: (options: {
    readonly url: string
    readonly maxConnections: number
    readonly connectTimeoutMs: number
  }) => Database
}

interface Replica extends ReadServer {
  /** Everything committed before this position of the primary is visible. */
  reached: Position | undefined
}

/** A position in the log of the primary, and the time before it was read. */
interface Position {
  /** By the clock of this process (performance.now). */
  readonly at: number
  /** By the clock of the primary, epoch milliseconds. */
  readonly primaryAt: number
  readonly lsn: bigint
}

const PRIMARY = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as at,
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as lsn`
const REPLAYED = `select pg_is_in_recovery() as is_replica,
  pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as lsn`

const nameOf = (url: string): string => {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || '5432'}`
}

const now = (): number => performance.now()

export function openReplicas(options: ReplicasOptions): Replicas {
  const { primary, lagMaxMs, log } = options
  const counts = { replica: 0, primary: 0, fallback: 0 }
  const replicas = options.urls.map((url): Replica => {
    const database = options.connect({
      url,
      maxConnections: options.maxConnections,
      connectTimeoutMs: REPLICA_CONNECT_TIMEOUT_MS,
    })
    const replica: Replica = {
      name: nameOf(url),
      database,
      reached: undefined,
      problem: 'it was not compared with the primary yet',
      reads: makeReplicaReads({
        replica: database,
        primary,
        onFallback(error) {
          counts.fallback += 1
          log.debug({ replica: replica.name, reason: error.message }, 'the primary executes a read')
        },
      }),
    }
    return replica
  })
  const stopWatching = watchReplicas(primary, replicas, log)
  let next = 0

  function choose(isCurrent: (reached: Position) => boolean): Replica | undefined {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      next = (next + 1) % replicas.length
      const replica = replicas[next]
      if (replica?.reached && isUsable(replica) && isCurrent(replica.reached)) return replica
    }
    return undefined
  }

  function readsOf(replica: Replica | undefined): ReadDatabase {
    counts[replica ? 'replica' : 'primary'] += 1
    return replica ? replica.reads : primary
  }

  const isUsable = ({ problem, reached }: Replica): boolean =>
    problem === undefined && reached !== undefined && now() - reached.at <= lagMaxMs

  return {
    counts,
    forReader: (wroteUntil = Number.NEGATIVE_INFINITY) =>
      readsOf(choose(({ primaryAt }) => primaryAt >= wroteUntil)),
    async forReaderFromNow(waitMs) {
      const begunAt = now()
      while (replicas.some(isUsable) && now() - begunAt < waitMs) {
        const replica = choose(({ at }) => at >= begunAt)
        if (replica) return readsOf(replica)
        await sleep(REPLICA_CHECK_MS / 2)
      }
      return readsOf(undefined)
    },
    states: () =>
      replicas.map((replica) => ({
        name: replica.name,
        isUsable: isUsable(replica),
        lagMs: replica.reached && now() - replica.reached.at,
      })),
    notes: () =>
      replicas
        .filter((replica) => !isUsable(replica))
        .map(({ name, problem }) => `the read replica ${name} is not used: ${problem ?? 'it is late'}`),
    async close() {
      await stopWatching()
      await closeServers(replicas)
    },
  }
}

/** Compares the replicas with the primary every REPLICA_CHECK_MS; returns the function that stops it. */
function watchReplicas(
  primary: Database,
  replicas: readonly Replica[],
  log: ReadServerLog,
): () => Promise<void> {
  const positions: Position[] = []

  async function compare(replica: Replica): Promise<void> {
    const problem = await checkReplica(replica, positions).catch((error: Error) => error.message)
    setProblem(replica, problem, { kind: 'replica', log })
  }

  async function check(): Promise<void> {
    const at = now()
    const { rows } = await primary.pool.query<{ at: number; lsn: string }>(PRIMARY)
    if (rows[0]) positions.push({ at, primaryAt: rows[0].at, lsn: BigInt(rows[0].lsn) })
    if (positions.length > REPLICA_POSITIONS_MAX) positions.shift()
  }

  let checking: Promise<void> | undefined
  const comparing = new Map<Replica, Promise<void>>()
  const tick = (): void => {
    checking ??= check()
      .catch((error: Error) =>
        log.debug({ reason: error.message }, 'the primary was not asked for its position'),
      )
      .finally(() => {
        checking = undefined
      })
    void checking.then(() => {
      // A replica that does not answer delays only itself.
      for (const replica of replicas) {
        if (comparing.has(replica)) continue
        comparing.set(
          replica,
          compare(replica).finally(() => comparing.delete(replica)),
        )
      }
    })
  }
  tick()
  const timer = setInterval(tick, REPLICA_CHECK_MS).unref()
  return async () => {
    clearInterval(timer)
    await checking
    await Promise.all(comparing.values())
  }
}

/** Sets the position that a replica has reached; returns why it cannot be used, or undefined. */
async function checkReplica(replica: Replica, positions: readonly Position[]): Promise<string | undefined> {
  const { rows } = await replica.database.pool.query<{ is_replica: boolean; lsn: string | null }>(REPLAYED)
  const [row] = rows
  if (!row?.is_replica || row.lsn === null) return 'it is no replica, because it accepts writes'
  const replayed = BigInt(row.lsn)
  const reached = positions.findLast(({ lsn }) => lsn <= replayed)
  if (!reached) return 'it is late'
  replica.reached = reached
  return undefined
}
