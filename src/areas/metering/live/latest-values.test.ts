import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Sample } from '../intake-contract/index.ts'
import { LatestValues } from './latest-values.ts'

const arbitrarySample: fc.Arbitrary<Sample> = fc.record({
  deviceId: fc.constantFrom('a', 'b', 'c'),
  at: fc.integer({ min: 0, max: 9 }),
  values: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.integer(), { minKeys: 1 }),
})

it('LatestValues keeps the newest value of every device and metric with its instant, and counts the rest', () => {
  fc.assert(
    fc.property(fc.array(arbitrarySample), (samples) => {
      const latest = new LatestValues()
      const newest = new Map<string, { at: number; value: number }>()
      for (const sample of samples) {
        latest.add(sample)
        for (const [metric, value] of Object.entries(sample.values)) {
          const name = `${sample.deviceId} ${metric}`
          if ((newest.get(name)?.at ?? -1) <= sample.at) newest.set(name, { at: sample.at, value })
        }
      }
      let accounted = 0
      let messages = 0
      for (let taken = latest.shift(); taken; taken = latest.shift()) {
        accounted += taken.skipped
        messages += taken.samples.length
        expect(taken.samples.map(({ at }) => at)).toEqual(taken.samples.map(({ at }) => at).toSorted())
        for (const { deviceId, at, values } of taken.samples) {
          for (const [metric, value] of Object.entries(values)) {
            expect(newest.get(`${deviceId} ${metric}`)).toEqual({ at, value })
            newest.delete(`${deviceId} ${metric}`)
          }
        }
      }
      expect(newest.size).toBe(0)
      expect(latest.isEmpty).toBe(true)
      expect(accounted + messages).toBe(samples.length)
    }),
  )
})

it('LatestValues stores a bounded number of metrics of a device that keeps sending new names', () => {
  const latest = new LatestValues()
  for (let at = 0; at < 5_000; at++) latest.add({ deviceId: 'a', at, values: { power: at, [`m${at}`]: at } })
  const taken = latest.shift()
  const names = new Set(taken?.samples.flatMap(({ values }) => Object.keys(values)))
  expect(names.size).toBe(256)
  expect(taken?.samples.at(-1)).toMatchObject({ at: 4_999, values: { power: 4_999 } })
})
