/** Rows of work that are done between two turns of everybody else. */
const ROWS_AT_ONCE = 1_000

/** Lets everybody else on this thread have a turn. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs what it is given one after the other, in the order of the calls; one that fails holds up nobody. */
export function makeSerializer(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    const over = () => undefined
    last = mine.then(over, over)
    return mine
  }
}

/** The same items in portions; before each but the first everybody else on this thread has a turn. */
export async function* inChunks<T>(items: Iterable<T>): AsyncGenerator<readonly T[]> {
  let portion: T[] = []
  for (const item of items) {
    portion.push(item)
    if (portion.length < ROWS_AT_ONCE) continue
    yield portion
    portion = []
    await yieldToEventLoop()
  }
  if (portion.length > 0) yield portion
}
