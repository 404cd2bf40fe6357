import type { Message } from '../../../../kernel/messages.ts'
import { OTA_REASONS } from '../messages.ts'
import type { OtaStatus } from '../updates/states.ts'

/*
 * Wave decisions: pure functions that decide how a batch of updates goes on.
 *
 * Purpose. A bad firmware on a thousand devices is worse than none. A batch is therefore split into waves: a
 * small wave tests the firmware before a larger one begins. Each time an update ends, `service.ts` counts the
 * statuses of the present wave and calls `decideWave`, which returns one of:
 *
 *   wait      updates of the wave are still open and the error threshold is not reached
 *   continue  every update of the wave is over and enough of them succeeded: the next wave begins, or the
 *             batch is complete
 *   stop      the error threshold is reached, or too few succeeded: no further wave begins
 *
 * Two thresholds, at two moments. `errorPct` is checked after every single failure, against all updates of
 * the wave, so that a bad version stops early: with 10 % the first failure among ten updates stops the batch
 * while nine are still open. `successPct` is checked once, when nothing of the wave is open. Only a stop by
 * the error threshold (`isError`) rolls devices back, and only where the batch asks for it; too few successes
 * leave the devices as they are.
 *
 * Trade-offs.
 * - A failure counts after the last retry of its update, so an unreliable connection delays a decision but
 *   does not determine it.
 * - Cancelled updates count neither for nor against. A wave that is cancelled as a whole therefore continues:
 *   otherwise an operator who removes a few devices would stop the batch.
 * - The decision is derived from the counts each time an update ends and has no state of its own, so it is
 *   idempotent and survives a killed process. `service.ts` holds the lock of the batch meanwhile, so that
 *   concurrent ends are decided one after the other.
 * - When all devices of a wave were deleted, no update ends that would trigger a decision; the watchdog finds
 *   such batches.
 */

/** Number of updates of a wave by status. */
export type StatusCounts = Readonly<Partial<Record<OtaStatus, number>>>

export interface Thresholds {
  readonly successPct: number
  readonly errorPct: number
}

export type WaveDecision =
  | { readonly kind: 'wait' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'stop'; readonly isError: boolean; readonly reason: Message }

const OPEN = ['queued', 'notified', 'downloading', 'downloaded', 'installing'] as const

/** Returns the decision after a change in the present wave of a batch. */
export function decideWave(counts: StatusCounts, { successPct, errorPct }: Thresholds): WaveDecision {
  const { succeeded = 0, failed = 0 } = counts
  const open = OPEN.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const total = succeeded + failed + open
  if (failed > 0 && failed * 100 >= errorPct * total) {
    const reason = OTA_REASONS.OTA_ERROR_THRESHOLD({ failed, total, threshold: errorPct })
    return { kind: 'stop', isError: true, reason }
  }
  if (open > 0) return { kind: 'wait' }
  if (succeeded * 100 >= successPct * total) return { kind: 'continue' }
  const reason = OTA_REASONS.OTA_SUCCESS_THRESHOLD({ succeeded, total, threshold: successPct })
  return { kind: 'stop', isError: false, reason }
}

/**
 * The sizes of the waves of a batch: those that the request names, and one more with the rest of the targets.
 */
export function splitIntoWaves(total: number, groups: readonly number[]): number[] {
  const waves: number[] = []
  let remaining = total
  for (const size of groups) {
    if (remaining === 0) break
    waves.push(Math.min(size, remaining))
    remaining -= Math.min(size, remaining)
  }
  if (remaining > 0) waves.push(remaining)
  return waves
}
