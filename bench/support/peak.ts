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
