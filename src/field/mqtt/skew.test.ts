import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CLOCK_SKEW_MESSAGES } from './limits.ts'
import { ClockSkew } from './skew.ts'

it('clock skew is the median of the last messages, robust against network delays', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: CLOCK_SKEW_MESSAGES / 2 - 1 }),
      (skewMs, delays) => {
        const clock = new ClockSkew()
        for (let index = 0; index < CLOCK_SKEW_MESSAGES; index++) {
          const sentAt = index * 1000 + skewMs
          clock.note(index * 1000 + (delays[index] ?? 0), sentAt, undefined)
        }
        expect(clock.median()).toBe(skewMs)
      },
    ),
  )
})

it('clock skew uses the newest readings when messages have no send time, and ignores backfill', () => {
  const clock = new ClockSkew()
  expect(clock.median()).toBeNull()
  clock.note(10_000, undefined, 12_000)
  for (let index = 0; index < 100; index++) clock.note(11_000 + index, undefined, index)
  expect(clock.median()).toBe(2000)
})
