import type { Figure } from './types.ts'

const EVERY_MS = 10

/** Watches the resident memory of this process; `stop` returns the peak in bytes. */
export function watchMemory(): { stop(): number } {
  let peak = process.memoryUsage.rss()
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return Math.max(peak, process.memoryUsage.rss())
    },
  }
}

/** Megabytes that a process may use while it imports a file (issue 17, E). */
const IMPORT_LIMIT_MB = 400

/** The peak memory of the built program during an import. */
export function importMemoryFigure(name: string, peakBytes: number): Figure {
  const megabytes = Math.round(peakBytes / 1e6)
  return {
    name: `${name}: peak memory of the process (limit)`,
    measured: `${megabytes} MB`,
    against: `limit ${IMPORT_LIMIT_MB} MB`,
    ratio: megabytes / IMPORT_LIMIT_MB,
    aim: '<= 1',
  }
}
