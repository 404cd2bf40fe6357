import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideWave, splitIntoWaves } from './wave-decision.ts'

describe('update wave', () => {
  const limits = { successPct: 80, errorPct: 20 }
  it.each([
    [{ notified: 1 }, 'wait'],
    [{ succeeded: 9, downloading: 1 }, 'wait'],
    [{ succeeded: 9, failed: 1 }, 'continue'],
    [{ succeeded: 8, failed: 2 }, 'stop'],
    [{ failed: 1, queued: 9 }, 'wait'],
    [{ failed: 2, queued: 8 }, 'stop'],
    [{ cancelled: 5 }, 'continue'],
    [{ cancelled: 5, succeeded: 1 }, 'continue'],
  ])('%o: %s', (counts, kind) => {
    expect(decideWave(counts, limits).kind).toBe(kind)
  })

  it('stops for too few successes when the errors alone do not stop it', () => {
    expect(decideWave({ succeeded: 1, failed: 1 }, { successPct: 60, errorPct: 100 })).toMatchObject({
      kind: 'stop',
      isError: false,
    })
  })

  it('has its size, and all waves together contain all updates', () => {
    expect(splitIntoWaves(10, [1, 3])).toEqual([1, 3, 6])
    expect(splitIntoWaves(3, [5, 5])).toEqual([3])
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 20 }),
        (total, groups) => {
          const waves = splitIntoWaves(total, groups)
          expect(waves.reduce((sum, size) => sum + size, 0)).toBe(total)
          expect(waves.every((size) => size > 0)).toBe(true)
        },
      ),
    )
  })
})
