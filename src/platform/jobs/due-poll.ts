/**
 * Polls for the due work of all tenants.
 *
 * Purpose. Work becomes due in a transaction of any process, or because its instant has come. What is due is in the
 * database, so nothing is lost with a process; a poll finds it with one statement about all tenants.
 *
 * Modes. On one server an idle poll takes less than a millisecond of processor time, and is repeated every
 * `intervalMs`. On a distributed database its statement runs on every shard of every node. There it is sent when there
 * may be work: after a commit that wrote to one of the tables of the work, in this process or another (`due_work` of
 * the bus); at the next instant that the last poll found; `intervalMs` after a poll that found work; and else every
 * DUE_SWEEP_MS. The sweep finds what became due without a message: messages between processes may be lost (ADR 0161).
 */
import type { Deps } from '../runtime/deps.ts'
import { DUE_ANNOUNCE_MS, DUE_SWEEP_MS } from './limits.ts'

declare module '../messaging/bus.ts' {
  interface BusEvents {
    /** Emitted after commits that may have made work of this kind due, on a distributed database. */
    due_work: { readonly kind: string }
  }
}

/** A kind of work that is found by a poll. */
export interface DueWorkKind {
  readonly kind: string
  /** The tables whose rows make it due. */
  readonly tables: readonly string[]
}

export interface PollResult {
  readonly hasWork: boolean
  /** Epoch milliseconds of what becomes due next, within DUE_SWEEP_MS. */
  readonly nextDueAt: number | undefined
}

interface DuePollOptions {
  readonly deps: Pick<Deps, 'bus' | 'clock' | 'nodeReads'>
  readonly kind: string
  readonly intervalMs: number
  /** Does what is due. `aheadMs` is how far ahead it looks for `nextDueAt`. Undefined when it failed. */
  readonly poll: (aheadMs: number) => Promise<PollResult | undefined>
}

export interface DuePoll {
  /** Ends the timer and waits for the poll under way. */
  stop(): Promise<void>
}

const isDistributed = ({ nodeReads }: Pick<Deps, 'nodeReads'>): boolean => nodeReads?.isDistributed() ?? false

/** Polls at once, and then as described above until it is stopped. `poll` is never called while it runs. */
export function startDuePoll({ deps, kind, intervalMs, poll }: DuePollOptions): DuePoll {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isWoken = false
  let endedAt = Number.NEGATIVE_INFINITY
  let polling: Promise<void> | undefined

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(start, delayMs).unref()
  }

  function start(): void {
    isWoken = false
    polling = run().finally(() => {
      polling = undefined
      endedAt = performance.now()
    })
  }

  async function run(): Promise<void> {
    const result = await poll(isDistributed(deps) ? DUE_SWEEP_MS : 0)
    if (!isStopped) schedule(delayAfter(result))
  }

  function delayAfter(result: PollResult | undefined): number {
    if (!isDistributed(deps) || isWoken || !result || result.hasWork) return intervalMs
    const untilNextMs = (result.nextDueAt ?? Number.POSITIVE_INFINITY) - deps.clock.now()
    return Math.min(Math.max(untilNextMs, intervalMs), DUE_SWEEP_MS)
  }

  const unsubscribe = deps.bus.on('due_work', (event) => {
    if (event.kind !== kind || isWoken) return
    isWoken = true
    if (!polling) schedule(Math.max(endedAt + intervalMs - performance.now(), 0))
  })
  start()
  return {
    async stop() {
      isStopped = true
      unsubscribe()
      clearTimeout(timer)
      await polling
    },
  }
}

/**
 * Emits `due_work` after commits of this process that may have made work due, at most every DUE_ANNOUNCE_MS for each
 * kind, on a distributed database. Returns the function that ends it.
 */
export function announceDueWork(
  deps: Pick<Deps, 'bus' | 'database' | 'nodeReads'>,
  kinds: readonly DueWorkKind[],
): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const stops = kinds.map(({ kind, tables }) =>
    deps.database.watchWrites(tables, () => {
      if (!isDistributed(deps) || timers.has(kind)) return
      const emit = () => {
        timers.delete(kind)
        deps.bus.emit('due_work', { kind })
      }
      timers.set(kind, setTimeout(emit, DUE_ANNOUNCE_MS).unref())
    }),
  )
  return () => {
    for (const stop of stops) stop()
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
