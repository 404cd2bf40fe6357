import { expect, it } from 'vitest'
import { BusyShare } from './busy-share.ts'

it('is the share of the last moments that were busy, whenever it is asked', () => {
  let at = 0
  const share = new BusyShare(() => at)
  expect(share.read()).toBe(0)
  for (; at < 5_000; at += 10) {
    share.turn(true)
    at += 30
    share.read()
    share.turn(false)
  }
  expect(share.read()).toBeCloseTo(0.75, 1)
  share.turn(true)
  at += 5_000
  expect(share.read()).toBeCloseTo(1)
  share.turn(true)
  share.turn(false)
  at += 200
  expect(share.read()).toBeCloseTo(Math.exp(-1))
  at += 5_000
  expect(share.read()).toBeCloseTo(0)
})
