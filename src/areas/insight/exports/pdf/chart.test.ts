import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stepOf } from './chart.ts'

it('chart axis has a round step and few steps up to the highest bar', () => {
  expect([0, 1, 4, 7, 40, 1_596, 120_000].map(stepOf)).toEqual([1, 0.5, 1, 2, 10, 500, 50_000])
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (top) => {
      const lines = Math.ceil(top / stepOf(top) - 1e-9)
      expect(lines).toBeGreaterThanOrEqual(1)
      expect(lines).toBeLessThanOrEqual(5)
    }),
  )
})
