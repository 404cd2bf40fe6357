import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signDownloadToken, verifyDownloadToken } from './link.ts'

const KEY = 'a key of the tests'
const NOW = Date.parse('2026-11-20T09:30:00Z')
const link = { tenantId: 7, updateId: randomUUID(), attempt: 3, expiresAt: NOW + 1 }

describe('download link', () => {
  it('decodes to the link it was made for, until it expires', () => {
    const token = signDownloadToken(link, KEY)
    expect(token).toMatch(/^[A-Za-z0-9_-]{86}$/)
    expect(verifyDownloadToken(token, KEY, NOW)).toEqual(link)
    expect(verifyDownloadToken(token, KEY, NOW + 1)).toBeUndefined()
    expect(verifyDownloadToken(token, `${KEY}!`, NOW)).toBeUndefined()
  })

  it('is invalid with any character changed', () => {
    const token = signDownloadToken(link, KEY)
    fc.assert(
      fc.property(fc.nat(85), fc.constantFrom(...'AZaz09-_'), (index, letter) => {
        const changed = token.slice(0, index) + letter + token.slice(index + 1)
        expect(verifyDownloadToken(changed, KEY, NOW)).toEqual(changed === token ? link : undefined)
      }),
    )
  })

  it('is parsed from arbitrary text without an error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => void expect(verifyDownloadToken(text, KEY, NOW)).toBeUndefined()),
    )
  })
})
