/**
 * Concurrency limiter with a bounded FIFO queue, for work that is expensive in CPU, memory or connections.
 *
 * At most `atOnce` tasks run, at most `waitingMax` wait in order of arrival, and any further task is refused
 * at once with the error of `refuse`. Refusing early is the back-pressure: a queue without a bound would only
 * turn overload into timeouts.
 *
 * Modes: free (a task starts immediately) → saturated (tasks wait) → full (tasks are refused).
 *
 * Trade-offs:
 * - A slot is handed directly from a finished task to the first waiting one, so a newcomer can never overtake
 *   the queue.
 * - A waiting task cannot be cancelled and has no deadline of its own; `atOnce` and `waitingMax` bound the
 *   wait.
 * - The limit holds for one process. A limit across processes needs the database or Redis
 *   (http/rate-store.ts).
 */
export interface ConcurrencyLimit {
  hasRoom(): boolean
  /** Waits for a free slot and runs the work. Throws at once when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface ConcurrencyLimitOptions {
  readonly atOnce: number
  readonly waitingMax: number
  /** The error of a task that is refused. */
  readonly refuse: () => Error
}

export function makeConcurrencyLimit({
  atOnce,
  waitingMax,
  refuse,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  const hasRoom = () => running < atOnce || waiting.length < waitingMax

  async function enter(): Promise<void> {
    if (!hasRoom()) throw refuse()
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The slot goes directly to the next waiting task, so `running` stays the same. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    hasRoom,
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
