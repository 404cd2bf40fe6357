import { systemDb } from '../../../platform/db/tenant.ts'
import type { EvaluationDeps } from './evaluate-marked.ts'
import { judgeTenant, pause, whenQuiet } from './evaluate-tenant.ts'
import { ALARM_LINGER_MS, ALARM_RETRY_MS, ALARM_ROUNDS_MAX, ALARM_WATCH_TTL_MS } from './limits.ts'
import { watchingTenants } from './watch-store.ts'

export interface Evaluator {
  /** Resolves when nothing that was stored until now waits to be judged, or judging has failed. */
  settle(): Promise<void>
  /** Ends after the turn that it is in; what is left is judged by whoever comes next. */
  stop(): Promise<void>
}

/**
 * Judges new samples moments after they were stored by this process. It only takes note of the event; what it would miss,
 * also by being killed, has its mark in the database and is judged by the minutely job at the latest.
 */
export function startEvaluator(deps: EvaluationDeps): Evaluator {
  const { bus, database, log } = deps
  const waiting = new Set<number>()
  let watching: ReadonlySet<number> = new Set()
  let lookedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const stopping = new AbortController()

  async function isWatching(tenantId: number): Promise<boolean> {
    if (performance.now() - lookedAt > ALARM_WATCH_TTL_MS) {
      lookedAt = performance.now()
      watching = await watchingTenants(systemDb(database.kysely))
    }
    return watching.has(tenantId)
  }

  /** True: more of it is left. */
  async function judge(tenantId: number, begun: number): Promise<boolean> {
    const { signal } = stopping
    try {
      if (signal.aborted || !(await isWatching(tenantId))) return false
      return await judgeTenant(deps, tenantId, { signal, begun })
    } catch (error) {
      // The marks are still there. A pause, so that a database that is away is not run against.
      log.error({ err: error }, 'samples could not be judged for alarms; it is tried again')
      lookedAt = Number.NEGATIVE_INFINITY
      await pause(ALARM_RETRY_MS, signal)
      return false
    }
  }

  async function work(): Promise<void> {
    // Of many devices whose samples never cease something is left always: it is not behind for that, and rests again.
    let round = 0
    let begun = 0
    while (!stopping.signal.aborted && waiting.size > 0) {
      await pause(ALARM_LINGER_MS, stopping.signal)
      if (round === 0) {
        await whenQuiet(deps, stopping.signal)
        begun = performance.now()
      }
      const tenantIds = [...waiting]
      waiting.clear()
      let isLeft = false
      for (const tenantId of tenantIds) {
        if (!(await judge(tenantId, begun))) continue
        waiting.add(tenantId)
        isLeft = true
      }
      round = isLeft ? (round + 1) % ALARM_ROUNDS_MAX : 0
    }
    running = undefined
  }

  const off = bus.on('samples_stored', ({ tenantId }) => {
    if (stopping.signal.aborted) return
    waiting.add(tenantId)
    running ??= work()
  })

  return {
    async settle() {
      while (running !== undefined) await running
    },
    async stop() {
      stopping.abort()
      off()
      await running
    },
  }
}
