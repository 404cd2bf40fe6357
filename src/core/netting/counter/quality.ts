import type { CounterHour } from './energy-by-hour.ts'

/**
 * The values of data_quality that a register can give; corrected, estimated_profiled and unknown come from
 * elsewhere.
 */
export type CounterQuality = 'complete' | 'partial' | 'missing' | 'suspect'

/** Thresholds of the interface on completeness_pct. */
export const COMPLETE_FROM_PCT = 95
const LOW_BELOW_PCT = 50

/**
 * The data_quality of an hour; `isLow` (below 50 %) requests a log warning. An hour without a reading, or
 * with only the very first or last reading on its edge, is missing, and the fact has no value, even when a
 * reset spans it. In every other hour a reset outweighs the completeness.
 */
export function qualityOf(
  hour: Pick<CounterHour, 'energy' | 'completenessPct' | 'hasReading' | 'isSuspect'>,
): {
  quality: CounterQuality
  isLow: boolean
} {
  if (!hour.hasReading || hour.energy === null) return { quality: 'missing', isLow: false }
  const isLow = hour.completenessPct < LOW_BELOW_PCT
  if (hour.isSuspect) return { quality: 'suspect', isLow }
  return { quality: hour.completenessPct >= COMPLETE_FROM_PCT ? 'complete' : 'partial', isLow }
}
