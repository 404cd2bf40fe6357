/** Rows that are processed before the event loop is yielded to. */
const ROWS_AT_ONCE = 1_000

/** Resolves after the event loop has run other pending work. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Returns a function that runs work strictly one after the other, in the order of the calls. A failed call
 * does not affect the later ones.
 */
export function makeSerializer(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    const settled = () => undefined
    last = mine.then(settled, settled)
    return mine
  }
}

/** Splits items into chunks and yields to the event loop between them. */
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
