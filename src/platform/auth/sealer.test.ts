import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { keyIdOf, makeSealer } from './sealer.ts'

const newKey = () => randomBytes(32).toString('base64')
const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error)
  }
  return 'nothing was thrown'
}

describe('sealed text', () => {
  it('is opened unchanged, and its encryption is never the same twice', () => {
    const sealer = makeSealer(newKey())
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const sealed = sealer.seal(text, 'account 1')
        expect(sealer.open(sealed, 'account 1')).toBe(text)
        expect(sealer.seal(text, 'account 1')).not.toBe(sealed)
        expect(keyIdOf(sealed)).toBe(sealer.keyId)
      }),
      { numRuns: 50 },
    )
  })

  it('cannot be opened in another record, with another key, or with any byte altered', () => {
    const sealer = makeSealer(newKey())
    const sealed = sealer.seal('a secret', 'account 1')
    expect(codeOf(() => sealer.open(sealed, 'account 2'))).toBe('503 encryption_misconfigured')
    expect(codeOf(() => makeSealer(newKey()).open(sealed, 'account 1'))).toBe('503 encryption_misconfigured')
    const [version, keyId, data = ''] = sealed.split('.')
    const bytes = Buffer.from(data, 'base64url')
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes)
      altered[index] = (altered[index] ?? 0) ^ 1
      const text = `${version}.${keyId}.${altered.toString('base64url')}`
      expect(codeOf(() => sealer.open(text, 'account 1'))).toBe('503 encryption_misconfigured')
    }
    for (const text of ['', 'v1', `v1.${keyId}.`, `v1.${keyId}.AAAA`, `v2.${keyId}.${data}`])
      expect(codeOf(() => sealer.open(text, 'account 1'))).toBe('503 encryption_misconfigured')
  })

  it('requires a key of 32 bytes, in either base64 variant', () => {
    const bytes = Buffer.alloc(32, 0xfb)
    const keys = [bytes.toString('base64'), bytes.toString('base64url'), `${bytes.toString('base64url')}=`]
    expect(new Set(keys.map((key) => makeSealer(key).keyId)).size).toBe(1)
    expect(codeOf(() => makeSealer(undefined))).toBe('503 encryption_not_configured')
    for (const key of ['', 'short', `${keys[0]}=`, randomBytes(31).toString('base64'), 'x'.repeat(64)])
      expect(codeOf(() => makeSealer(key))).toBe('503 encryption_misconfigured')
  })

  it('is not exposed in an error, and neither is the key', () => {
    const key = newKey()
    const sealed = makeSealer(newKey()).seal('a secret', 'x')
    try {
      makeSealer(key).open(sealed, 'x')
      expect.unreachable()
    } catch (error) {
      const { message } = error as Error
      for (const secret of [key, 'a secret', sealed]) expect(message).not.toContain(secret)
    }
  })
})
