import { setTimeout as sleep } from 'node:timers/promises'
import { type EvaluationDeps, judgeMarked } from './evaluate-marked.ts'
import {
  ALARM_BEHIND_MAX_MS,
  ALARM_BUSY_SHARE,
  ALARM_LINGER_MS,
  ALARM_PUT_OFF_MAX_MS,
  ALARM_REST_FACTOR,
  ALARM_TURNS_MAX,
} from './limits.ts'

/** Shorter when the signal comes. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {})

const isBusy = ({ ingest }: EvaluationDeps): boolean => ingest.busyShare() > ALARM_BUSY_SHARE

/** Resolves when this process writes few samples, or after a while in any case. */
export async function whenQuiet(deps: EvaluationDeps, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ALARM_PUT_OFF_MAX_MS
  while (isBusy(deps) && performance.now() < until && !signal.aborted) await pause(ALARM_LINGER_MS, signal)
}

/**
 * Judges what is marked of a tenant, turn by turn, and rests after each as long as many samples come in. Who gives way for
 * ever would never be done: long after `begun` it rests no more. True: after some turns others have theirs, and more of
 * this tenant is left.
 */
export async function judgeTenant(
  deps: EvaluationDeps,
  tenantId: number,
  { signal, begun }: { readonly signal: AbortSignal; readonly begun: number },
): Promise<boolean> {
  let isLeft = true
  for (let turn = 0; isLeft && turn < ALARM_TURNS_MAX && !signal.aborted; turn++) {
    const turned = performance.now()
    isLeft = await judgeMarked(deps, tenantId)
    const now = performance.now()
    if (isBusy(deps) && now - begun < ALARM_BEHIND_MAX_MS)
      await pause((now - turned) * ALARM_REST_FACTOR, signal)
  }
  return isLeft
}
