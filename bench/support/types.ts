/** One figure of the table: the measurement, its reference, and the aim. */
export interface Figure {
  readonly name: string
  readonly measured: string
  readonly against: string
  /**
   * measured / against, in the direction in which the aim is stated; undefined for a figure without a ratio.
   */
  readonly ratio: number | undefined
  /** `>= 0.5` or `<= 2`, for the ratio; empty when none is set. */
  readonly aim: string
}

/** Whether a figure reaches its aim; undefined when it has none. */
export function isMet({ ratio, aim }: Figure): boolean | undefined {
  const [, sign, limit] = /^([<>]=) ([\d.]+)$/.exec(aim) ?? []
  if (ratio === undefined || limit === undefined) return undefined
  return sign === '>=' ? ratio >= Number(limit) : ratio <= Number(limit)
}

export interface BenchOptions {
  /** Includes the sizes that take minutes. */
  readonly isLarge: boolean
}

export interface Bench {
  readonly name: string
  run(options: BenchOptions): Promise<readonly Figure[]>
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The milliseconds that a piece of work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
