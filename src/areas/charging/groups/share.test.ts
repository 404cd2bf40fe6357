import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Claim, shareOut } from './share.ts'

const claim = (key: string, needW = 22_000, maxW = 22_000): Claim => ({ key, minW: 1_400, needW, maxW })
const shares = (limitW: number, ...claims: Claim[]) => Object.fromEntries(shareOut(limitW, claims))

describe('a limit', () => {
  it('is shared in equal parts, to the watt', () => {
    expect(shares(10_000, claim('a'), claim('b'), claim('c'))).toEqual({ a: 3_334, b: 3_333, c: 3_333 })
  })

  it('passes a charger that is full and goes to the others', () => {
    expect(shares(20_000, claim('a', 3_700, 3_700), claim('b'), claim('c'))).toEqual({
      a: 3_700,
      b: 8_150,
      c: 8_150,
    })
  })

  it('goes by need first, and what nobody needs in equal parts on top', () => {
    expect(shares(20_000, claim('a', 2_000), claim('b'))).toEqual({ a: 2_000, b: 18_000 })
    expect(shares(20_000, claim('a', 2_000), claim('b', 4_000))).toEqual({ a: 9_000, b: 11_000 })
  })

  it('admits by arrival, and pauses claims whose minimum does not fit', () => {
    expect(shares(3_000, claim('a'), claim('b'), claim('c'))).toEqual({ a: 1_500, b: 1_500, c: 0 })
    expect(shares(1_000, claim('a'))).toEqual({ a: 0 })
    expect(shares(-5, claim('a'))).toEqual({ a: 0 })
  })

  it('is used up or all admitted claims are full; a share is the minimum at least, or 0', () => {
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
