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

/** What is known of the energy of a bucket: an hour, a day or a month. */
export interface BucketState {
  /** A reset or a false reading touches the bucket. */
  readonly isSuspect: boolean
  /** A reading in at least one of its hours. */
  readonly hasReading: boolean
  /** The bucket has ended, and each of its hours is complete and measured. */
  readonly isWhole: boolean
}

/**
 * The data_quality of the energy of a bucket. Suspect outweighs missing here, because a reader shows the energy of an
 * hour without a reading as an estimate, and a reset that spans it makes that value doubtful.
 */
export function qualityOfBucket({ isSuspect, hasReading, isWhole }: BucketState): CounterQuality {
  if (isSuspect) return 'suspect'
  if (!hasReading) return 'missing'
  return isWhole ? 'complete' : 'partial'
}

/**
 * The quality of a sum: suspect where one part is, complete or missing where all parts are, otherwise partial. A sum
 * of nothing is missing.
 */
export function qualityOfSum(parts: Iterable<CounterQuality>): CounterQuality {
  const found = new Set(parts)
  if (found.size === 0) return 'missing'
  if (found.has('suspect')) return 'suspect'
  const [first = 'missing'] = found
  return found.size === 1 ? first : 'partial'
}

/** The values that a reader of roll-ups returns. */
export const BUCKET_QUALITIES = ['complete', 'partial', 'missing', 'suspect'] as const
