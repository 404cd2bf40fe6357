import { isNodeLoss } from '../db/errors.ts'

/**
 * Coalesces concurrent calls: those that arrive while one runs are executed together by the next one. Many
 * small calls thus need one statement, and the connection pool stays available to others. When the shared
 * work fails, all its calls reject; only when a node of a distributed database is lost, each of them is executed by
 * itself, because the tenants of the other calls may be on other nodes.
 */
export function makeCoalescer<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
): (items: readonly Item[]) => Promise<Result> {
  let waiting: { readonly calls: (readonly Item[])[]; readonly ends: Promise<Ends<Result>> } | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  async function execute(calls: readonly (readonly Item[])[]): Promise<Ends<Result>> {
    try {
      const result = await work(calls.flat())
      return () => result
    } catch (error) {
      if (calls.length === 1 || !isNodeLoss(error)) throw error
    }
    const ends: PromiseSettledResult<Result>[] = []
    for (const items of calls) ends.push(...(await Promise.allSettled([work(items)])))
    return (call) => {
      const end = ends[call]
      if (end?.status !== 'fulfilled') throw end?.reason
      return end.value
    }
  }

  function open() {
    const calls: (readonly Item[])[] = []
    const ends = underWay.then(() => {
      waiting = undefined
      return execute(calls)
    })
    underWay = ends.catch(() => {})
    return { calls, ends }
  }

  return (items) => {
    waiting ??= open()
    const call = waiting.calls.push(items) - 1
    return waiting.ends.then((endOf) => endOf(call))
  }
}

/** Returns the result of the call with that position, or throws its error. */
type Ends<Result> = (call: number) => Result
