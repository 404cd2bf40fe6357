import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sample } from '../intake-contract/index.ts'
import { BackfillMemory, planBackfill, samplesPerDevice, sentMetrics } from './backfill.ts'
import type { Subscriber } from './subscriber.ts'

const at = (deviceId: string, instant: number): Sample => ({
  deviceId,
  at: instant,
  values: { voltage: instant },
})
const FROM = 1_000

describe('planBackfill', () => {
  it('selects the newest share of each device, oldest first, and reports the truncation', () => {
    const devices = Array.from({ length: 2_500 }, (_, index) => `${index}`)
    expect(samplesPerDevice(devices.length)).toBe(2)
    const stored = [at('0', 1_003), at('0', 1_001), at('0', 1_002), at('1', 1_002), at('1', 1_000)]
    const { samples, truncated: cuts } = planBackfill(stored, { devices, from: FROM, isTooOld: false })
    expect(samples.map(({ deviceId, at: instant }) => [deviceId, instant])).toEqual([
      ...[
        ['1', 1_000],
        ['0', 1_002],
        ['1', 1_002],
        ['0', 1_003],
      ],
    ])
    expect(cuts).toEqual([{ device_id: '0', from: '1970-01-01T00:00:01.002Z' }])
  })

  it('reports every device as truncated when since is too old', () => {
    const { truncated: cuts } = planBackfill([at('a', 2_000)], {
      devices: ['a', 'b'],
      from: FROM,
      isTooOld: true,
    })
    expect(cuts).toEqual(['a', 'b'].map((id) => ({ device_id: id, from: '1970-01-01T00:00:01.000Z' })))
  })

  it('selects everything within the limits', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(50)), { selector: String }),
        (pairs) => {
          const stored = pairs.map(([id, instant]) => at(id, instant))
          const { samples, truncated: cuts } = planBackfill(stored, {
            devices: ['a', 'b'],
            from: 0,
            isTooOld: false,
          })
          expect(samples).toHaveLength(stored.length)
          expect(cuts).toEqual([])
          expect(samples.map((one) => one.at)).toEqual(stored.map((one) => one.at).toSorted((a, b) => a - b))
        },
      ),
    )
  })
})

it('stores equal lists of metrics once', () => {
  const sent = sentMetrics([at('a', 1), at('a', 2), at('b', 1)])
  expect(sent.get('a')?.get(1)).toBe(sent.get('b')?.get(1))
  expect([...(sent.get('a')?.get(2) ?? [])]).toEqual(['voltage'])
})

describe('BackfillMemory', () => {
  const subscriber = () => {
    const state = { isForgotten: false }
    const forgetBackfilled = () => {
      state.isForgotten = true
    }
    return { state, subscriber: { forgetBackfilled } as unknown as Subscriber }
  }

  it('forgets an entry when it expires, unless a later backfill of the same socket replaced it', () => {
    const memory = new BackfillMemory()
    const one = subscriber()
    memory.add(one.subscriber, 10, 100)
    memory.add(one.subscriber, 10, 200)
    memory.forget(150)
    expect(one.state.isForgotten).toBe(false)
    memory.forget(201)
    expect(one.state.isForgotten).toBe(true)
  })

  it('forgets the oldest entries early when it is full', () => {
    const memory = new BackfillMemory()
    const early = subscriber()
    const late = subscriber()
    memory.add(early.subscriber, 400_000, 100)
    memory.add(late.subscriber, 400_000, 100)
    expect([early.state.isForgotten, late.state.isForgotten]).toEqual([true, false])
  })
})
