import { describe, expect, it } from 'vitest'
import { makeTotpSecret, matchingStep, stepAt, toBase32, totpCode, totpUri } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('one-time passwords', () => {
  // RFC 6238, appendix B: the last six of the eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('are those of RFC 6238 at second %d', (second, code) => {
    expect(totpCode(SECRET, stepAt(second * 1000))).toBe(code)
  })

  it('are accepted in their step and the neighbouring ones only', () => {
    const at = 1_111_111_109_000
    const step = stepAt(at)
    for (const drift of [-1, 0, 1])
      expect(matchingStep(SECRET, totpCode(SECRET, step + drift), at)).toBe(step + drift)
    for (const drift of [-2, 2])
      expect(matchingStep(SECRET, totpCode(SECRET, step + drift), at)).toBeUndefined()
    for (const text of ['', '81804', '0818044', 'ABCDEF'])
      expect(matchingStep(SECRET, text, at)).toBeUndefined()
  })

  it('have secrets in base 32 (RFC 4648) and a URI for authenticator apps', () => {
    expect(
      ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text))),
    ).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
    expect(toBase32(makeTotpSecret())).toMatch(/^[A-Z2-7]{32}$/)
    expect(totpUri(SECRET, { issuer: 'Netsaat', account: 'a b@example.test' })).toBe(
      'otpauth://totp/Netsaat:a%20b%40example.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Netsaat',
    )
  })
})
