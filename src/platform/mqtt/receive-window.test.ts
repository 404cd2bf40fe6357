import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReceiveWindow, WindowPool } from './receive-window.ts'

interface Message {
  readonly bytes: number
  readonly work: Promise<void>
  finish(error?: Error): void
}

function makeMessage(bytes: number): Message {
  let finish: Message['finish'] = () => {}
  const work = new Promise<void>((resolve, reject) => {
    finish = (error) => (error ? reject(error) : resolve())
  })
  return { bytes, work, finish }
}

describe('receive window', () => {
  it('settles in order of arrival, for any order of completion, and counts to zero', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(100), fc.boolean()), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (sizes, messages) => {
          const pool = new WindowPool({ messages, bytes: 200 }, 300)
          let isReading = true
          const window = new ReceiveWindow(pool, {
            pause() {
              isReading = false
            },
            resume() {
              isReading = true
            },
          })
          const settled: number[] = []
          const waiting: Message[] = []
          for (const [index, [bytes, isLate]] of sizes.entries()) {
            const message = makeMessage(bytes)
            window.enter(bytes, message.work, () => settled.push(index))
            if (isLate) waiting.push(message)
            else message.finish()
            await Promise.resolve()
          }
          for (const message of waiting.toReversed()) message.finish()
          await new Promise((resolve) => setImmediate(resolve))
          expect(settled).toEqual(sizes.map((_, index) => index))
          expect([pool.bytes, window.size, isReading, pool.waiting.size]).toEqual([0, 0, true, 0])
        },
      ),
    )
  })

  it('stops reading when it is full, also by other windows, and resumes when there is space', async () => {
    const pool = new WindowPool({ messages: 2, bytes: 1000 }, 100)
    const log: string[] = []
    const reader = (name: string) => ({
      pause: () => log.push(`${name} stops`),
      resume: () => log.push(`${name} goes on`),
    })
    const one = new ReceiveWindow(pool, reader('one'))
    const other = new ReceiveWindow(pool, reader('other'))
    const [first, second, big, late] = [makeMessage(1), makeMessage(1), makeMessage(200), makeMessage(1)]
    one.enter(1, first.work, () => {})
    one.enter(1, second.work, () => {})
    expect(log.splice(0)).toEqual(['one stops'])
    first.finish()
    await new Promise((resolve) => setImmediate(resolve))
    expect(log.splice(0)).toEqual(['one goes on'])
    other.enter(200, big.work, () => {})
    one.enter(1, late.work, () => {})
    expect(log.splice(0)).toEqual(['other stops', 'one stops'])
    big.finish()
    second.finish()
    late.finish()
    await new Promise((resolve) => setImmediate(resolve))
    expect(log.toSorted()).toEqual(['one goes on', 'other goes on'])
  })

  it('stops reading while its sender reads nothing, with any space left', async () => {
    const pool = new WindowPool({ messages: 2, bytes: 1000 }, 100)
    const log: string[] = []
    const reader = { pause: () => log.push('stops'), resume: () => log.push('goes on') }
    const window = new ReceiveWindow(pool, reader)
    const message = makeMessage(1)
    window.setClogged(true)
    window.enter(1, message.work, () => {})
    message.finish()
    await new Promise((resolve) => setImmediate(resolve))
    pool.wake()
    expect(log.splice(0)).toEqual(['stops'])
    window.setClogged(false)
    expect(log).toEqual(['goes on'])
    expect(pool.waiting.size).toBe(0)
  })

  it('passes a failure on', async () => {
    const window = new ReceiveWindow(new WindowPool({ messages: 9, bytes: 9 }, 9), {
      pause() {},
      resume() {},
    })
    const message = makeMessage(1)
    const completed = new Promise((resolve) => window.enter(1, message.work, resolve))
    message.finish(new Error('not stored'))
    expect(await completed).toEqual(new Error('not stored'))
  })
})
