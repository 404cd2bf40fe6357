import { expect, it } from 'vitest'
import { makeMessageRate } from './message-rate.ts'

it('lets a burst through, and then the configured number of messages per second', () => {
  const rate = makeMessageRate({ perSecond: 50, burst: 100 })
  let now = 1_000
  const handled: number[] = []
  // 200 messages per second for 60 s, as far as the delays permit.
  while (now < 61_000) {
    now += rate.take(now)
    handled.push(now)
    now += 5
  }
  expect(handled.filter((at) => at < 61_000).length).toBeGreaterThanOrEqual(100 + 59 * 50)
  expect(handled.length).toBeLessThanOrEqual(100 + 60 * 50 + 1)
})

it('never delays a station that stays below the rate, and allows a full burst after a pause', () => {
  const rate = makeMessageRate({ perSecond: 50, burst: 100 })
  let now = 0
  for (let index = 0; index < 1_000; index += 1, now += 20) expect(rate.take(now)).toBe(0)
  now += 60_000
  for (let index = 0; index < 100; index += 1) expect(rate.take(now)).toBe(0)
  expect(rate.take(now)).toBeGreaterThan(0)
})
