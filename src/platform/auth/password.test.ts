import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveKey } from './derive.ts'
import { generatePassword, makePasswords, passwordFault } from './password.ts'

const passwords = makePasswords({ iterations: 10, derive: deriveKey })

describe('password hash', () => {
  it('matches the same password and no other', async () => {
    const encoded = await passwords.hash('ĞüzelŞifre12')
    expect(encoded).toMatch(/^pbkdf2_sha256\$10\$[\w-]{22}\$[A-Za-z0-9+/]{43}=$/)
    expect(await passwords.verify('ĞüzelŞifre12', encoded)).toBe(true)
    expect(await passwords.verify('ĞüzelŞifre13', encoded)).toBe(false)
    expect(await passwords.verify('güzelşifre12', encoded)).toBe(false)
  })

  it('matches a character in composed and decomposed form', async () => {
    const encoded = await passwords.hash('ĞüzelŞifre12'.normalize('NFD'))
    expect(await passwords.verify('ĞüzelŞifre12'.normalize('NFC'), encoded)).toBe(true)
  })

  it('covers all characters: nothing after byte 72 is ignored', async () => {
    const encoded = await passwords.hash(`${'ş'.repeat(126)}a1`)
    expect(await passwords.verify(`${'ş'.repeat(126)}a2`, encoded)).toBe(false)
  })

  it('is salted: two hashes of one password differ', async () => {
    expect(await passwords.hash('same password 1')).not.toBe(await passwords.hash('same password 1'))
  })

  it('matches a hash of another implementation', async () => {
    // Python: hashlib.pbkdf2_hmac('sha256', b'lightbulb 12', b'seasalt', 1000)
    const encoded = 'pbkdf2_sha256$1000$seasalt$ZWMSAbHYVu3sps7BFdKwJeIDf4f2X+I93DW8wTj1P8U='
    expect(await passwords.verify('lightbulb 12', encoded)).toBe(true)
  })

  it('takes the same work for an unknown user, a malformed hash and a wrong password', async () => {
    const derived: number[] = []
    const counted = makePasswords({
      iterations: 77,
      derive: async ({ iterations }) => {
        derived.push(iterations)
        return Buffer.alloc(32)
      },
    })
    const encoded = await counted.hash('a right password 1')
    derived.length = 0
    for (const stored of [undefined, 'no login', '', encoded.replace('sha256', 'md5')])
      expect(await counted.verify('any', stored)).toBe(false)
    expect(derived).toEqual([77, 77, 77, 77])
  })

  it('never matches for an unknown user', async () => {
    const zero = makePasswords({ derive: async () => Buffer.alloc(32) })
    expect(await zero.verify('', undefined)).toBe(false)
  })
})

describe('password policy', () => {
  it('counts code points, 12 to 128', () => {
    expect(passwordFault(`a1${'😀'.repeat(9)}`)).toMatchObject({ code: 'PASSWORD_TOO_SHORT' })
    expect(passwordFault(`a1${'😀'.repeat(10)}`)).toBeUndefined()
    expect(passwordFault(`a1${'ğ'.repeat(126)}`)).toBeUndefined()
    expect(passwordFault(`a1${'ğ'.repeat(127)}`)).toMatchObject({ code: 'PASSWORD_TOO_LONG' })
  })

  it('requires a letter, which may be a Turkish one, and a digit', () => {
    expect(passwordFault('123456789012')).toMatchObject({ code: 'PASSWORD_WITHOUT_LETTER' })
    expect(passwordFault('12345678901ş')).toBeUndefined()
    expect(passwordFault('ığüşöçİĞÜŞÖÇ')).toMatchObject({ code: 'PASSWORD_WITHOUT_DIGIT' })
  })

  it('accepts generated passwords', () => {
    fc.assert(fc.property(fc.constant(null), () => passwordFault(generatePassword()) === undefined))
    expect(generatePassword()).toHaveLength(20)
    expect(generatePassword()).not.toBe(generatePassword())
  })
})
