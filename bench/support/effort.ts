/**
 * `--quick` measures the same figures in fewer rounds, and where a figure carries over to other sizes, in smaller ones.
 * It is read from the command line, because sizes are constants of the benchmarks.
 */
const isQuick = process.argv.includes('--quick')

/** A size or a number of rounds: of the whole measurement, and of a quick one. */
export const sized = <T>(whole: T, quick: T): T => (isQuick ? quick : whole)
