import { expect, it } from 'vitest'
import { makeSerializer, yieldToEventLoop } from './yield.ts'

it('serialized work runs one at a time, in order, and continues after a failure', async () => {
  const inTurn = makeSerializer()
  let running = 0
  const seen: number[] = []
  const work = (index: number) => async () => {
    running += 1
    expect(running).toBe(1)
    await yieldToEventLoop()
    seen.push(index)
    running -= 1
    if (index === 1) throw new Error('broken')
    return index
  }
  const all = await Promise.allSettled([0, 1, 2].map((index) => inTurn(work(index))))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(seen).toEqual([0, 1, 2])
})
