import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HOUR_MS } from '../../../kernel/time.ts'
import { AggregateJson } from './aggregate-json.ts'
import type { BucketRow } from './bucket-row.ts'

const FROM = Date.parse('2026-10-31T21:00:00Z')

const figure = fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { nil: null })
const wattHours = fc.option(fc.integer({ min: -1_000_000, max: 2_000_000_000 }), { nil: null })
/**
 * Energy, whether it was measured, reactive energy, and the averages of voltage, current, power and power
 * factor.
 */
const bucket = fc.tuple(wattHours, fc.boolean(), wattHours, figure, figure, figure, figure)
const state = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.boolean())

it('the fast encoder gives the bytes of JSON.stringify', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(bucket, state), { maxLength: 120 }),
      fc.constantFrom('consumption', 'production'),
      fc.boolean(),
      (rows, variant, isInverter) => {
        const buckets = rows.map(
          ([row, [complete, isSuspect]], hour): BucketRow => [
            FROM / 1000 + hour * 3600,
            ...row,
            4,
            complete,
            isSuspect,
          ],
        )
        const range = { from: FROM, to: FROM + (rows.length + 1) * HOUR_MS }
        // Some of the hours are computed from samples, which omit the individual values of production.
        const raw = [{ from: FROM, to: FROM + 7 * HOUR_MS }]
        const input = {
          deviceId: 'a device',
          variant,
          interval: 'hourly',
          range,
          isInverter,
          raw,
          buckets,
          now: FROM + 100 * HOUR_MS,
        } as const
        const response = new AggregateJson(input)
        expect(response.toBuffer().toString()).toBe(JSON.stringify(response))
      },
    ),
  )
})
