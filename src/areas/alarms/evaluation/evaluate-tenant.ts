import { setTimeout as sleep } from 'node:timers/promises'
import { type EvaluationDeps, evaluateMarked } from './evaluate-marked.ts'
import {
  ALARM_BEHIND_MAX_MS,
  ALARM_BUSY_SHARE,
  ALARM_DEBOUNCE_MS,
  ALARM_DEFER_MAX_MS,
  ALARM_REST_FACTOR,
  ALARM_TURNS_MAX,
} from './limits.ts'

/** Resolves after `ms` milliseconds, or earlier when the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {})

const isBusy = ({ ingest }: EvaluationDeps): boolean => ingest.busyShare() > ALARM_BUSY_SHARE

/** Resolves when this process writes few samples, but after ALARM_DEFER_MAX_MS at the latest. */
export async function waitForQuietIngest(deps: EvaluationDeps, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ALARM_DEFER_MAX_MS
  while (isBusy(deps) && performance.now() < until && !signal.aborted) await pause(ALARM_DEBOUNCE_MS, signal)
}

/**
 * Evaluates the marked devices of a tenant in up to ALARM_TURNS_MAX transactions. While ingest is busy it
 * pauses after each of them; ALARM_BEHIND_MAX_MS after `startedAt` it no longer pauses. Resolves with true
 * when marks remain.
 */
export async function evaluateTenant(
  deps: EvaluationDeps,
  tenantId: number,
  { signal, startedAt }: { readonly signal: AbortSignal; readonly startedAt: number },
): Promise<boolean> {
  let isRemaining = true
  for (let turn = 0; isRemaining && turn < ALARM_TURNS_MAX && !signal.aborted; turn++) {
    const turnStartedAt = performance.now()
    isRemaining = await evaluateMarked(deps, tenantId)
    const now = performance.now()
    if (isBusy(deps) && now - startedAt < ALARM_BEHIND_MAX_MS)
      await pause((now - turnStartedAt) * ALARM_REST_FACTOR, signal)
  }
  return isRemaining
}
