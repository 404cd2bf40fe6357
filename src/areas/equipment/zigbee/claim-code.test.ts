import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeEnding, generateCode, hashCode, tenantOfCode } from './claim-code.ts'

describe('claim codes', () => {
  it('name their tenant in any spelling', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (tenantId) => {
        const code = generateCode(tenantId)
        expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{1,7}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
        const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
        expect([tenantOfCode(code), tenantOfCode(typed)]).toEqual([tenantId, tenantId])
        expect(hashCode('key', typed)).toEqual(hashCode('key', code))
        expect(code.endsWith(codeEnding(code))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it.each(['7K4M-Q2XD-90TV', '', '7K4M', '0-7K4M-Q2XD-90TV', 'ZZZZZZZ-7K4M-Q2XD-90TV'])(
    'without a tenant, or with an impossible one, name none: "%s"',
    (code) => {
      expect(tenantOfCode(code)).toBeUndefined()
    },
  )
})
