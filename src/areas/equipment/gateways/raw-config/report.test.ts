import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffConfigs } from './diff.ts'
import { canonicalJson } from './document.ts'
import { compareWithPushed, parseReport } from './report.ts'

const HASH = 'ab'.repeat(32)
const read = (document: unknown) => parseReport(Buffer.from(JSON.stringify(document)))

describe('report of a gateway', () => {
  it('is parsed in several notations', () => {
    const report = { version: 2, sha256: HASH.toUpperCase(), status: 'OK', reason: 'a\0b' }
    expect(read(report)).toEqual({ version: 2, sha256: HASH, status: 'applied', reason: 'ab' })
    expect(read({ version: 0 })).toEqual({ version: 0, sha256: null, status: 'applied', reason: null })
  })

  it('is rejected with a message when invalid', () => {
    for (const document of [null, [], 7, {}, { version: 1.5 }, { version: -1 }, { version: 2 ** 31 }])
      expect(read(document)).toEqual(expect.any(String))
    expect(read({ version: 1, sha256: 'short' })).toContain('sha256')
    expect(read({ version: 1, status: 'perhaps' })).toContain('status')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const reported = parseReport(bytes)
        expect(typeof reported === 'string' || Number.isInteger(reported.version)).toBe(true)
      }),
    )
  })

  it('is compared with the pushed configuration', () => {
    const synced = { synced_version: 3, synced_sha256: HASH }
    const state = (
      version: number,
      sha256: string | null,
      status: 'applied' | 'pending' | 'rejected' = 'applied',
    ) => compareWithPushed({ version, sha256, status, reason: null }, synced)
    expect([state(3, HASH), state(3, null)]).toEqual(['in_sync', 'in_sync'])
    expect([state(2, HASH), state(3, HASH, 'pending')]).toEqual(['pending', 'pending'])
    expect([state(4, HASH), state(3, 'cd'.repeat(32))]).toEqual(['drift', 'drift'])
    expect(state(3, HASH, 'rejected')).toBe('rejected')
  })
})

describe('pushed document', () => {
  it('has the same bytes for every order of its keys', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text)
        const turned = JSON.parse(text, (_, item: unknown) =>
          typeof item === 'object' && item !== null && !Array.isArray(item)
            ? Object.fromEntries(Object.entries(item).reverse())
            : item,
        )
        expect(canonicalJson(turned)).toBe(canonicalJson(value))
      }),
    )
  })

  it('has no difference from itself, and can be compared with any other document', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (one, other) => {
        expect(diffConfigs(JSON.parse(one), JSON.parse(one))).toEqual([])
        diffConfigs(JSON.parse(one), JSON.parse(other))
      }),
    )
  })
})
