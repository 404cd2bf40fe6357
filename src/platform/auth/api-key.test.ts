import { describe, expect, it } from 'vitest'
import {
  hashApiKey,
  isApiKey,
  isWellFormedApiKey,
  makeApiKey,
  tenantOfApiKey,
  withChecksum,
} from './api-key.ts'

describe('API keys', () => {
  it('have a prefix, the short id of the tenant, 256 random bits and a checksum, in word characters', () => {
    const { token, prefix, secretHash } = makeApiKey(47)
    expect(token).toMatch(/^nst_1f_[0-9A-Za-z]{49}$/)
    expect(token.startsWith(prefix)).toBe(true)
    expect(prefix).toHaveLength(15)
    expect(secretHash).toEqual(hashApiKey(token))
    expect(makeApiKey(47).token).not.toBe(token)
  })

  it('are recognized by their prefix, and a mistyped one by its checksum', () => {
    const { token } = makeApiKey(1)
    expect(isApiKey(token)).toBe(true)
    expect(isApiKey('eyJhbGciOiJIUzI1NiJ9.e30.x')).toBe(false)
    expect(isWellFormedApiKey(token)).toBe(true)
    for (const index of [4, 20, 46, 52]) {
      const other = token[index] === 'a' ? 'b' : 'a'
      expect(isWellFormedApiKey(token.slice(0, index) + other + token.slice(index + 1))).toBe(false)
    }
    expect(isWellFormedApiKey(`${token}a`)).toBe(false)
    expect(isWellFormedApiKey('nst_')).toBe(false)
  })

  it('name their tenant, unless they are older', () => {
    expect(tenantOfApiKey(makeApiKey(2 ** 31 - 1).token)).toBe(2 ** 31 - 1)
    const old = withChecksum(`nst_${'a'.repeat(43)}`)
    expect([isWellFormedApiKey(old), tenantOfApiKey(old)]).toEqual([true, undefined])
    const outOfRange = withChecksum(`nst_zzzzzzz_${'a'.repeat(43)}`)
    expect([isWellFormedApiKey(outOfRange), tenantOfApiKey(outOfRange)]).toEqual([true, undefined])
  })
})
