import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Sample } from '../../../platform/ingest.ts'
import { FillMemory, metricsSent, planGap, shareOf } from './gap.ts'
import type { Subscriber } from './subscriber.ts'

const at = (deviceId: string, instant: number): Sample => ({
  deviceId,
  at: instant,
  values: { voltage: instant },
})
const FROM = 1_000

describe('the plan of a gap', () => {
  it('takes the newest share of each device, oldest first, and says where it cut', () => {
    const devices = Array.from({ length: 2_500 }, (_, index) => `${index}`)
    expect(shareOf(devices.length)).toBe(2)
    const stored = [at('0', 1_003), at('0', 1_001), at('0', 1_002), at('1', 1_002), at('1', 1_000)]
    const { samples, cuts } = planGap(stored, { devices, from: FROM, isTooOld: false })
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

  it('says of every device that the gap begins before what is filled', () => {
    const { cuts } = planGap([at('a', 2_000)], { devices: ['a', 'b'], from: FROM, isTooOld: true })
    expect(cuts).toEqual(['a', 'b'].map((id) => ({ device_id: id, from: '1970-01-01T00:00:01.000Z' })))
  })

  it('loses nothing where nothing is to be cut', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(50)), { selector: String }),
        (pairs) => {
          const stored = pairs.map(([id, instant]) => at(id, instant))
          const { samples, cuts } = planGap(stored, { devices: ['a', 'b'], from: 0, isTooOld: false })
          expect(samples).toHaveLength(stored.length)
          expect(cuts).toEqual([])
          expect(samples.map((one) => one.at)).toEqual(stored.map((one) => one.at).toSorted((a, b) => a - b))
        },
      ),
    )
  })
})

it('keeps equal lists of metrics once', () => {
  const sent = metricsSent([at('a', 1), at('a', 2), at('b', 1)])
  expect(sent.get('a')?.get(1)).toBe(sent.get('b')?.get(1))
  expect([...(sent.get('a')?.get(2) ?? [])]).toEqual(['voltage'])
})

describe('what fills have sent', () => {
  const subscriber = () => {
    const state = { isForgotten: false }
    const forgetFilled = () => {
      state.isForgotten = true
    }
    return { state, subscriber: { forgetFilled } as unknown as Subscriber }
  }

  it('is forgotten when its time is over, but not while a later fill of the same socket counts', () => {
    const memory = new FillMemory()
    const one = subscriber()
    memory.add(one.subscriber, 10, 100)
    memory.add(one.subscriber, 10, 200)
    memory.forget(150)
    expect(one.state.isForgotten).toBe(false)
    memory.forget(201)
    expect(one.state.isForgotten).toBe(true)
  })

  it('is forgotten early when there is too much of it', () => {
    const memory = new FillMemory()
    const early = subscriber()
    const late = subscriber()
    memory.add(early.subscriber, 400_000, 100)
    memory.add(late.subscriber, 400_000, 100)
    expect([early.state.isForgotten, late.state.isForgotten]).toEqual([true, false])
  })
})
