/**
 * Coalesces concurrent calls: those that arrive while one runs are executed together by the next one. Many
 * small calls thus need one statement, and the connection pool stays available to others. When the shared
 * work fails, all its calls reject.
 */
export function makeCoalescer<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
): (items: readonly Item[]) => Promise<Result> {
  let waiting: { readonly items: Item[]; readonly answer: Promise<Result> } | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  function open() {
    const items: Item[] = []
    const answer = underWay.then(() => {
      waiting = undefined
      return work(items)
    })
    underWay = answer.catch(() => {})
    return { items, answer }
  }

  return (items) => {
    waiting ??= open()
    for (const item of items) waiting.items.push(item)
    return waiting.answer
  }
}
