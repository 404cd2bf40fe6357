/** A value that the coming hour may have, with its weight; both are numbers without sign. */
export interface Sample {
  readonly value: number
  readonly weight: number
}

/** The probabilities of a band, in percent. */
export const BAND_PERCENT = [10, 50, 90] as const

/**
 * The smallest sample at which the sum of weights reaches each percentage of their total. Undefined without samples.
 * Weights are whole numbers, so that the order of the samples does not change a sum.
 */
export function weightedQuantiles(samples: Sample[], percents: readonly number[]): number[] | undefined {
  if (samples.length === 0) return undefined
  samples.sort((a, b) => a.value - b.value || a.weight - b.weight)
  const weights = samples.reduce((sum, { weight }) => sum + weight, 0)
  let next = 0
  let sum = 0
  const found: number[] = []
  for (const { value, weight } of samples) {
    sum += weight
    for (
      let percent = percents[next];
      percent !== undefined && sum * 100 >= weights * percent;
      percent = percents[next]
    ) {
      found.push(value)
      next += 1
    }
  }
  return found
}
