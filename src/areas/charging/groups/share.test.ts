import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claim, needOf, shareOut } from './share.ts'

const claim = (key: string, needW = 22_000, maxW = 22_000): Claim => ({ key, minW: 1_400, needW, maxW })
const shares = (limitW: number, ...claims: Claim[]) => Object.fromEntries(shareOut(limitW, claims))

describe('distribution of a limit', () => {
  it('is in equal parts, exact to the watt', () => {
    expect(shares(10_000, claim('a'), claim('b'), claim('c'))).toEqual({ a: 3_334, b: 3_333, c: 3_333 })
  })

  it('skips a charger at its maximum and gives the rest to the others', () => {
    expect(shares(20_000, claim('a', 3_700, 3_700), claim('b'), claim('c'))).toEqual({
      a: 3_700,
      b: 8_150,
      c: 8_150,
    })
  })

  it('serves needs first, and distributes the rest in equal parts', () => {
    expect(shares(20_000, claim('a', 2_000), claim('b'))).toEqual({ a: 2_000, b: 18_000 })
    expect(shares(20_000, claim('a', 2_000), claim('b', 4_000))).toEqual({ a: 9_000, b: 11_000 })
  })

  it('admits by arrival, and pauses claims whose minimum does not fit', () => {
    expect(shares(3_000, claim('a'), claim('b'), claim('c'))).toEqual({ a: 1_500, b: 1_500, c: 0 })
    expect(shares(1_000, claim('a'))).toEqual({ a: 0 })
    expect(shares(-5, claim('a'))).toEqual({ a: 0 })
  })

  it('uses the limit up or fills all admitted claims; a share is at least the minimum, or 0', () => {
    const claims = fc.array(fc.record({ minW: fc.nat(5_000), needW: fc.nat(50_000), maxW: fc.nat(50_000) }), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(fc.nat(400_000), claims, (limitW, drawn) => {
        const all = drawn.map((claim, key) => ({ key: String(key), ...claim }))
        const got = shareOut(limitW, all)
        const sum = [...got.values()].reduce((a, b) => a + b, 0)
        expect(sum).toBeLessThanOrEqual(limitW)
        let letInW = 0
        for (const { key, minW, maxW } of all) {
          const shareW = got.get(key) ?? Number.NaN
          expect(shareW === 0 || shareW >= Math.min(minW, maxW)).toBe(true)
          expect(shareW).toBeLessThanOrEqual(maxW)
          if (shareW > 0) letInW += maxW
        }
        expect(sum === limitW || sum === letInW).toBe(true)
      }),
    )
  })
})

const SINCE = Date.parse('2026-11-20T09:00:00Z')
const need = (drawnW: number | null, afterS: number, shareW = 11_000) =>
  needOf({ drawnW, drawnAt: SINCE + afterS * 1000, shareW, sharedSince: SINCE })
const ALL = Number.MAX_SAFE_INTEGER

describe('power need of a car', () => {
  it('is unknown while it draws nearly its share, while nothing is measured, and at first', () => {
    expect(need(10_000, 120)).toBe(ALL)
    expect(need(null, 120)).toBe(ALL)
    expect(need(2_000, 30)).toBe(ALL)
  })

  it('is the draw plus a margin, in steps', () => {
    expect(need(2_000, 120)).toBe(3_000)
    expect(need(2_100, 120)).toBe(3_000)
    expect(need(0, 120)).toBe(500)
    expect(need(-40, 120)).toBe(500)
  })

  it('does not shrink with its own share: a share computed from it is not nearly used', () => {
    expect(need(2_000, 300, 3_000)).toBe(3_000)
  })
})
