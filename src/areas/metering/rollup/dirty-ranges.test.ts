import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HOUR_MS } from '../../../kernel/time.ts'
import { splitByCount } from './dirty-ranges.ts'
import { ROLLUP_SAMPLES_AT_ONCE } from './limits.ts'

it('splits a range into adjacent ranges with few samples, or of one hour', () => {
  const hours = fc.array(fc.integer({ min: 0, max: 2 * ROLLUP_SAMPLES_AT_ONCE }), {
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(hours, (samples) => {
      const range = { from: 0, to: samples.length * HOUR_MS }
      const counts = samples.map((count, index) => ({ hour: index * HOUR_MS, samples: count }))
      const pieces = splitByCount(
        range,
        counts.filter((count) => count.samples > 0),
      )
      expect([pieces[0]?.from, pieces.at(-1)?.to]).toEqual([range.from, range.to])
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) expect(piece.from).toBe(pieces[index - 1]?.to)
        const inside = counts.filter(
          ({ hour, samples }) => hour >= piece.from && hour < piece.to && samples > 0,
        )
        const total = inside.reduce((sum, count) => sum + count.samples, 0)
        expect(total <= ROLLUP_SAMPLES_AT_ONCE || inside.length === 1).toBe(true)
      }
    }),
  )
})
