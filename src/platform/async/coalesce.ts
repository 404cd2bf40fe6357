/**
 * Calls that come while one is under way are answered together by the next: of many small calls at once, one
 * statement runs, and the pool of connections is left to others. A failure is that of all calls that were
 * answered together.
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
