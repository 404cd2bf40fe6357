import type { OtaStatus } from '../updates/states.ts'

/** How many updates of a wave have which status. */
export type StatusCounts = Readonly<Partial<Record<OtaStatus, number>>>

export interface Thresholds {
  readonly successPct: number
  readonly errorPct: number
}

export type WaveDecision =
  | { readonly kind: 'wait' }
  | { readonly kind: 'go_on' }
  | { readonly kind: 'stop'; readonly isError: boolean; readonly reason: string }

const OPEN = ['queued', 'notified', 'downloading', 'downloaded', 'installing'] as const

/**
 * Whether the next wave may begin. What was cancelled counts neither for nor against, so that a wave of which all are
 * cancelled holds nobody up.
 */
export function decideWave(counts: StatusCounts, { successPct, errorPct }: Thresholds): WaveDecision {
  const { succeeded = 0, failed = 0 } = counts
  const open = OPEN.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const total = succeeded + failed + open
  if (failed > 0 && failed * 100 >= errorPct * total) {
    const reason = `${failed} of ${total} updates of the wave failed: the error threshold is ${errorPct} %`
    return { kind: 'stop', isError: true, reason }
  }
  if (open > 0) return { kind: 'wait' }
  if (succeeded * 100 >= successPct * total) return { kind: 'go_on' }
  const reason = `${succeeded} of ${total} updates of the wave succeeded: the success threshold is ${successPct} %`
  return { kind: 'stop', isError: false, reason }
}

/** The sizes of the waves for so many targets: as asked for, and the rest in one more. */
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
