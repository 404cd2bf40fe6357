import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeLinkToken, makeTenantToken, tenantOfToken } from './link-token.ts'
import { SHORT_ID, shortIdOf, tenantOfShortId } from './short-id.ts'

const tenantId = fc.oneof(
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  fc.constantFrom(1, 31, 32, 1023, 1024, 2 ** 31 - 1),
)
const text = fc.oneof(
  fc.string({ maxLength: 9 }),
  fc.stringMatching(/^[0-9a-zA-Z]{1,8}$/),
  fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{7}$/),
)

describe('the short id of a tenant', () => {
  it('is read back, and is of the form that tokens expect', () => {
    fc.assert(
      fc.property(tenantId, (id) => {
        expect(tenantOfShortId(shortIdOf(id))).toBe(id)
        expect(shortIdOf(id)).toMatch(new RegExp(`^${SHORT_ID}$`))
      }),
    )
    expect([1, 31, 32, 1000, 2 ** 31 - 1].map(shortIdOf)).toEqual(['1', 'z', '10', 'z8', '1zzzzzz'])
  })

  it('is the only text of its tenant, and every other text names none', () => {
    fc.assert(
      fc.property(text, (candidate) => {
        const id = tenantOfShortId(candidate)
        if (id === undefined) return
        expect(id).toBeLessThan(2 ** 31)
        expect(shortIdOf(id)).toBe(candidate)
      }),
    )
    for (const other of ['', '0', '01', '1F', 'i', '2000000', 'zzzzzzz', '1\n'])
      expect(tenantOfShortId(other)).toBeUndefined()
  })
})

describe('a token with the short id of its tenant', () => {
  it('names its tenant, and one without it none', () => {
    fc.assert(
      fc.property(tenantId, (id) => {
        expect(tenantOfToken(makeTenantToken(id).token)).toBe(id)
      }),
    )
    expect(tenantOfToken(makeLinkToken().token)).toBeUndefined()
  })

  it('is not recognized in other texts', () => {
    const { token } = makeTenantToken(47)
    for (const other of [
      token.slice(1),
      `x${token}`,
      `${token}A`,
      token.slice(0, -1),
      token.toUpperCase(),
      ` ${token}`,
    ])
      expect([other, tenantOfToken(other)]).not.toEqual([other, 47])
  })
})
