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
  /** Tenants with samples to evaluate, and when the last of them were stored. */
  const pending = new Map<number, number>()
  /** The same, of tenants without a policy according to a cache that is older than their samples. */
  const unverified = new Map<number, number>()
  let verification: NodeJS.Timeout | undefined
  let watched: ReadonlySet<number> = new Set()
  let refreshedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const stopping = new AbortController()

  /**
   * Whether the tenant has policies. A tenant whose first policy may be younger than the cache is looked up
   * again when the cache has expired.
   */
  async function isWatched(tenantId: number, storedAt: number): Promise<boolean> {
    if (performance.now() - refreshedAt > ALARM_WATCH_TTL_MS) {
      refreshedAt = performance.now()
      watched = await watchedTenants(systemDb(database.kysely))
    }
    if (watched.has(tenantId)) return true
    if (refreshedAt < storedAt) {
      unverified.set(tenantId, storedAt)
      verification ??= setTimeout(verify, ALARM_WATCH_TTL_MS)
    }
    return false
  }

  function verify(): void {
    clearTimeout(verification)
    verification = undefined
    if (stopping.signal.aborted) return
    for (const [tenantId, storedAt] of unverified) pending.set(tenantId, pending.get(tenantId) ?? storedAt)
    unverified.clear()
    refreshedAt = Number.NEGATIVE_INFINITY
    running ??= work()
  }

  /** Resolves with true when marks of the tenant remain. */
  async function evaluate(tenantId: number, storedAt: number, startedAt: number): Promise<boolean> {
    const { signal } = stopping
    try {
      if (signal.aborted || !(await isWatched(tenantId, storedAt))) return false
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
      const tenants = [...pending]
      pending.clear()
      let isRemaining = false
      for (const [tenantId, storedAt] of tenants) {
        if (!(await evaluate(tenantId, storedAt, begun))) continue
        pending.set(tenantId, pending.get(tenantId) ?? storedAt)
        isRemaining = true
      }
      round = isRemaining ? (round + 1) % ALARM_ROUNDS_MAX : 0
    }
    running = undefined
  }

  const unsubscribe = bus.on('samples_stored', ({ tenantId }) => {
    if (stopping.signal.aborted) return
    pending.set(tenantId, performance.now())
    running ??= work()
  })

  return {
    async settle() {
      while (running !== undefined || unverified.size > 0) {
        if (unverified.size > 0) verify()
        await running
      }
    },
    async stop() {
      stopping.abort()
      clearTimeout(verification)
      unsubscribe()
      await running
    },
  }
}
