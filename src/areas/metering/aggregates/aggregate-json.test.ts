import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HOUR_MS, iso } from '../../../kernel/time.ts'
import { AggregateJson, toRow } from './aggregate-json.ts'
import { type BucketRow, bucketStartMs } from './bucket-row.ts'

const FROM = Date.parse('2026-10-31T21:00:00Z')
const HOURS = 120

const figure = fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { nil: null })
const wattHours = fc.option(fc.integer({ min: -1_000_000, max: 2_000_000_000 }), { nil: null })
/**
 * Energy, whether it was measured, reactive energy, and the averages of voltage, current, power and power
 * factor.
 */
const figures = fc.tuple(wattHours, fc.boolean(), wattHours, figure, figure, figure, figure)
const state = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.boolean())
/** Buckets of hours, ascending; some hours have none. */
const buckets = fc
  .uniqueArray(fc.tuple(fc.nat(HOURS - 1), figures, state), { selector: ([hour]) => hour })
  .map((list) =>
    list
      .sort(([a], [b]) => a - b)
      .map(
        ([hour, row, [complete, isSuspect]]): BucketRow => [
          FROM / 1000 + hour * 3600,
          ...row,
          4,
          complete,
          isSuspect,
        ],
      ),
  )
/** Ranges of hours, ascending and disjoint. */
const ranges = fc
  .uniqueArray(fc.nat(HOURS), { maxLength: 6 })
  .map((ends) => ends.sort((a, b) => a - b).map((hour) => FROM + hour * HOUR_MS))
  .map((ends) =>
    Array.from({ length: Math.floor(ends.length / 2) }, (_, pair) => ({
      from: ends[2 * pair] ?? 0,
      to: ends[2 * pair + 1] ?? 0,
    })),
  )

it('rows that are written as they arrive, with those of some ranges replaced, are the bytes of JSON.stringify', () => {
  fc.assert(
    fc.property(
      fc.record({
        rolled: buckets,
        others: buckets,
        stale: ranges,
        variant: fc.constantFrom('consumption', 'production'),
        isInverter: fc.boolean(),
      }),
      ({ rolled, others, stale, variant, isInverter }) => {
        const isStale = (bucket: BucketRow) =>
          stale.some(({ from, to }) => bucketStartMs(bucket) >= from && bucketStartMs(bucket) < to)
        const computed = others.filter(isStale)
        const range = { from: FROM, to: FROM + HOURS * HOUR_MS }
        const now = FROM + 100 * HOUR_MS
        const input = { deviceId: 'a device', variant, interval: 'hourly', range, isInverter, now } as const
        const response = new AggregateJson(input)
        for (const bucket of rolled) response.add(bucket)
        response.replace(stale, computed)

        const data = [...rolled.filter((bucket) => !isStale(bucket)), ...computed]
          .sort(([a], [b]) => a - b)
          .map((bucket) => ({
            timestamp: iso(bucketStartMs(bucket)),
            ...toRow(bucket, input, computed.includes(bucket)),
          }))
        const [start, end] = [iso(range.from), iso(range.to)]
        expect(response.toBuffer().toString()).toBe(
          JSON.stringify({ device_id: 'a device', interval: 'hourly', start, end, data }),
        )
        expect(JSON.stringify(response)).toBe(response.toBuffer().toString())
      },
    ),
  )
})
