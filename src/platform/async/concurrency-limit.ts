export interface Turns {
  hasRoom(): boolean
  /** Waits for a free place, does the work and hands the place on. Throws at once when there is no room to wait. */
  take<T>(work: () => Promise<T>): Promise<T>
}

export interface TurnsOptions {
  readonly atOnce: number
  readonly waitingMax: number
  /** What the one too many is told. */
  readonly refuse: () => Error
}

/** Bounds work that is dear: so much at once, so much waiting in order of arrival, and no more. */
export function makeTurns({ atOnce, waitingMax, refuse }: TurnsOptions): Turns {
  const waiting: (() => void)[] = []
  let running = 0
  const hasRoom = () => running < atOnce || waiting.length < waitingMax

  async function enter(): Promise<void> {
    if (!hasRoom()) throw refuse()
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The place goes straight to the next in line, so `running` does not change hands. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    hasRoom,
    async take(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
