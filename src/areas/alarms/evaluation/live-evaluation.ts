import { systemDb } from '../../../platform/db/tenant.ts'
import type { EvaluationDeps } from './evaluate-marked.ts'
import { evaluateTenant, pause, waitForQuietIngest } from './evaluate-tenant.ts'
import { ALARM_DEBOUNCE_MS, ALARM_RETRY_MS, ALARM_ROUNDS_MAX, ALARM_WATCH_TTL_MS } from './limits.ts'
import { watchedTenants } from './watch-store.ts'

export interface LiveEvaluation {
  /** Resolves when nothing that was stored until now waits to be judged, or judging has failed. */
  settle(): Promise<void>
  /** Ends after the turn that it is in; what is left is judged by whoever comes next. */
  stop(): Promise<void>
}

/**
 * Judges new samples moments after they were stored by this process. It only takes note of the event; what it would miss,
 * also by being killed, has its mark in the database and is judged by the minutely job at the latest.
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

  /** True: more of it is left. */
  async function evaluate(tenantId: number, startedAt: number): Promise<boolean> {
    const { signal } = stopping
    try {
      if (signal.aborted || !(await isWatched(tenantId))) return false
      return await evaluateTenant(deps, tenantId, { signal, startedAt })
    } catch (error) {
      // The marks are still there. A pause, so that a database that is away is not run against.
      log.error({ err: error }, 'samples could not be judged for alarms; it is tried again')
      refreshedAt = Number.NEGATIVE_INFINITY
      await pause(ALARM_RETRY_MS, signal)
      return false
    }
  }

  async function work(): Promise<void> {
    // Of many devices whose samples never cease something is left always: it is not behind for that, and rests again.
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
