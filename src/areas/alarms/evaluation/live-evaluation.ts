import { systemDb } from '../../../platform/db/tenant.ts'
import type { EvaluationDeps } from './evaluate-marked.ts'
import { evaluateTenant, pause, waitForQuietIngest } from './evaluate-tenant.ts'
import { ALARM_DEBOUNCE_MS, ALARM_RETRY_MS, ALARM_ROUNDS_MAX, ALARM_WATCH_TTL_MS } from './limits.ts'
import { watchedTenants } from './watch-store.ts'

export interface LiveEvaluation {
  /** Resolves when all samples stored so far are evaluated, or evaluation has failed. */
  settle(): Promise<void>
  /** Stops after the running transaction; marks that remain are evaluated by the next process. */
  stop(): Promise<void>
}

/**
 * Evaluates samples shortly after this process has stored them. It keeps only the tenant of an event in
 * memory. Samples that it misses, for example because the process is killed, have a mark in the database, and
 * the minutely job evaluates them.
 */
export function startLiveEvaluation(deps: EvaluationDeps): LiveEvaluation {
  const { bus, database, log } = deps
  const pending = new Set<number>()
  let watched: ReadonlySet<number> = new Set()
  let refreshedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const stopping = new AbortController()

  async function isWatched(tenantId: number): Promise<boolean> {
    if (performance.now() - refreshedAt > ALARM_WATCH_TTL_MS) {
      refreshedAt = performance.now()
      watched = await watchedTenants(systemDb(database.kysely))
    }
    return watched.has(tenantId)
  }

  /** Resolves with true when marks of the tenant remain. */
  async function evaluate(tenantId: number, startedAt: number): Promise<boolean> {
    const { signal } = stopping
    try {
      if (signal.aborted || !(await isWatched(tenantId))) return false
      return await evaluateTenant(deps, tenantId, { signal, startedAt })
    } catch (error) {
      // The marks are not lost. The pause limits the number of attempts against an unreachable database.
      log.error({ err: error }, 'alarm evaluation failed; it is retried')
      refreshedAt = Number.NEGATIVE_INFINITY
      await pause(ALARM_RETRY_MS, signal)
      return false
    }
  }

  async function work(): Promise<void> {
    // With many devices that send continuously, some marks always remain. A new run starts after
    // ALARM_ROUNDS_MAX rounds, so that it yields to ingest again.
    let round = 0
    let begun = 0
    while (!stopping.signal.aborted && pending.size > 0) {
      await pause(ALARM_DEBOUNCE_MS, stopping.signal)
      if (round === 0) {
        await waitForQuietIngest(deps, stopping.signal)
        begun = performance.now()
      }
      const tenantIds = [...pending]
      pending.clear()
      let isRemaining = false
      for (const tenantId of tenantIds) {
        if (!(await evaluate(tenantId, begun))) continue
        pending.add(tenantId)
        isRemaining = true
      }
      round = isRemaining ? (round + 1) % ALARM_ROUNDS_MAX : 0
    }
    running = undefined
  }

  const unsubscribe = bus.on('samples_stored', ({ tenantId }) => {
    if (stopping.signal.aborted) return
    pending.add(tenantId)
    running ??= work()
  })

  return {
    async settle() {
      while (running !== undefined) await running
    },
    async stop() {
      stopping.abort()
      unsubscribe()
      await running
    },
  }
}
