import { describe, expect, it } from 'vitest'
import { makeFairLimit, type SharePath } from './fair-limit.ts'

const GENEROUS_MS = 600_000

/** A limiter whose tasks end when the test ends them; `started` lists them in the order of their start. */
function setUp({ atOnce = 1, waitingMax = 100, waitingPerGroupMax = 100, waitMaxMs = GENEROUS_MS } = {}) {
  const limit = makeFairLimit({
    ...{ atOnce, waitingMax, waitingPerGroupMax, waitMaxMs },
    refuse: () => new Error('refused'),
  })
  const started: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const all: Promise<unknown>[] = []
  const ask = (name: string, share: SharePath) => {
    const work = () => new Promise<void>((resolve) => ends.push(resolve) && started.push(name))
    all.push(limit.run(share, work).catch(() => refused.push(name)))
  }
  const flush = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    ask,
    started,
    refused,
    flush,
    async endAll() {
      for (await flush(); ends.length > 0; await flush()) ends.shift()?.()
      await Promise.all(all)
    },
  }
}

describe('fair limit', () => {
  it('lets the shares of each level take turns, and keeps the order within a share', async () => {
    const { ask, started, endAll } = setUp()
    for (let index = 1; index <= 4; index += 1) ask(`a${index}`, ['users', 'tenant a', 'flood'])
    ask('a colleague', ['users', 'tenant a', 'colleague'])
    ask('b', ['users', 'tenant b', 'someone'])
    ask('station', ['stations', 'address', 'cpid'])
    await endAll()
    expect(started).toEqual(['a1', 'a2', 'station', 'b', 'a colleague', 'a3', 'a4'])
  })

  it('refuses the newest task of the largest party when too many tasks wait', async () => {
    const { ask, started, refused, flush, endAll } = setUp({ waitingMax: 4 })
    for (let index = 1; index <= 5; index += 1) ask(`flood ${index}`, ['users', 'tenant a', 'flood'])
    ask('other tenant', ['users', 'tenant b', 'someone'])
    ask('station', ['stations', 'address', 'cpid'])
    await flush()
    expect(refused).toEqual(['flood 5', 'flood 4'])
    ask('flood 6', ['users', 'tenant a', 'flood'])
    await flush()
    expect(refused).toEqual(['flood 5', 'flood 4', 'flood 6'])
    await endAll()
    expect(started).toEqual(['flood 1', 'flood 2', 'station', 'other tenant', 'flood 3'])
  })

  it('refuses the newest task of the largest member when too many tasks of a group wait', async () => {
    const { ask, refused, endAll } = setUp({ waitingPerGroupMax: 2 })
    for (let index = 1; index <= 4; index += 1) ask(`flood ${index}`, ['users', 'tenant a', 'flood'])
    ask('colleague', ['users', 'tenant a', 'colleague'])
    await endAll()
    expect(refused).toEqual(['flood 4', 'flood 3'])
  })

  it('refuses a task that waits for too long, and runs the tasks behind it', async () => {
    const { ask, started, refused, endAll } = setUp({ waitMaxMs: 300 })
    ask('first', ['users', 'a', 'x'])
    ask('late', ['users', 'a', 'x'])
    await expect.poll(() => refused).toEqual(['late'])
    ask('next', ['users', 'a', 'x'])
    await endAll()
    expect(started).toEqual(['first', 'next'])
  })

  it('runs at most the given number of tasks, and gives a slot back when a task fails', async () => {
    const limit = makeFairLimit({
      ...{ atOnce: 2, waitingMax: 100, waitingPerGroupMax: 100, waitMaxMs: GENEROUS_MS },
      refuse: () => new Error('refused'),
    })
    let running = 0
    let most = 0
    const work = async (index: number) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      if (index % 2 === 0) throw new Error('failed')
      return index
    }
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => limit.run(['a', 'b', String(index % 3)], () => work(index))),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect([most, running]).toEqual([2, 0])
  })
})
