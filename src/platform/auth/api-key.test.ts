import { describe, expect, it } from 'vitest'
import { hashApiKey, isApiKey, isWellFormedApiKey, makeApiKey } from './api-key.ts'

describe('API keys', () => {
  it('have a prefix, 256 random bits and a checksum, in letters and digits', () => {
    const { token, prefix, secretHash } = makeApiKey()
    expect(token).toMatch(/^nst_[0-9A-Za-z]{49}$/)
    expect(token.startsWith(prefix)).toBe(true)
    expect(prefix).toHaveLength(12)
    expect(secretHash).toEqual(hashApiKey(token))
    expect(makeApiKey().token).not.toBe(token)
  })

  it('are recognized by their prefix, and a mistyped one by its checksum', () => {
    const { token } = makeApiKey()
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
})
