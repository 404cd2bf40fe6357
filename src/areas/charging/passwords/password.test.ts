import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveKey } from '../../../platform/auth/derive.ts'
import { makePasswords } from '../../../platform/auth/password.ts'
import { generatePassword, hashChosen, hashGenerated, matchPassword, passwordBytes } from './password.ts'

let derived = 0
const plain = makePasswords({ iterations: 10, derive: deriveKey })
const counting = {
  hash: plain.hash,
  verify: async (password: string, encoded: string | undefined) => {
    derived += 1
    return plain.verify(password, encoded)
  },
}
const matchingPassword = (sent: Buffer | string, current: string | null, next: string | null = null) =>
  matchPassword(counting, Buffer.from(sent), { passwordHash: current, nextPasswordHash: next })

describe('password of a station', () => {
  it('is 20 random bytes, written as 40 hexadecimal digits', () => {
    expect(generatePassword()).toMatch(/^[0-9a-f]{40}$/)
    expect(generatePassword()).not.toBe(generatePassword())
    expect(passwordBytes(generatePassword())).toHaveLength(20)
  })

  it('is verified as its bytes and as its digits, and stored as neither', async () => {
    const password = generatePassword()
    const stored = hashGenerated(password)
    expect(stored).not.toContain(password)
    expect(hashGenerated(password)).not.toBe(stored)
    for (const sent of [password, password.toUpperCase(), Buffer.from(password, 'hex')])
      expect(await matchingPassword(sent, stored)).toBe('current')
    for (const sent of ['', password.slice(1), `${password}0`, randomBytes(20), generatePassword()])
      expect(await matchingPassword(sent, stored)).toBeUndefined()
  })

  it('may be arbitrary bytes, also invalid text and digits that look like encoded digits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 16, maxLength: 20 }), async (bytes) => {
        const digits = Buffer.from(bytes).toString('hex')
        const stored = await hashChosen(plain, digits)
        expect(await matchingPassword(Buffer.from(bytes), stored)).toBe('current')
        expect(await matchingPassword(digits, stored)).toBe('current')
      }),
      { numRuns: 50 },
    )
    const ofDigits = Buffer.from('12345678123456781234').toString('hex')
    const stored = hashGenerated(ofDigits)
    expect(await matchingPassword('12345678123456781234', stored)).toBe('current')
    expect(await matchingPassword(ofDigits, stored)).toBe('current')
  })

  it('chosen by a person is stretched with a KDF and verified as typed and as hexadecimal bytes', async () => {
    const stored = await hashChosen(plain, 'a chosen Passw0rd!')
    expect(stored).toMatch(/^slow\$18\$pbkdf2_sha256\$10\$/)
    expect(await matchingPassword('a chosen Passw0rd!', stored)).toBe('current')
    expect(await matchingPassword(Buffer.from('a chosen Passw0rd!').toString('hex'), stored)).toBe('current')
    expect(await matchingPassword('A chosen Passw0rd!', stored)).toBeUndefined()
  })

  it('matches the old or the new one while a change is pending', async () => {
    const [old, fresh] = [generatePassword(), generatePassword()]
    const stored = [hashGenerated(old), hashGenerated(fresh)] as const
    expect(await matchingPassword(old, ...stored)).toBe('current')
    expect(await matchingPassword(fresh, ...stored)).toBe('next')
    const chosen = await hashChosen(plain, 'a chosen Passw0rd!')
    expect(await matchingPassword('a chosen Passw0rd!', stored[0], chosen)).toBe('next')
  })

  it('costs the same work for every rejection, and none for a correct generated one', async () => {
    const generated = hashGenerated(generatePassword())
    const chosen = await hashChosen(plain, 'a chosen Passw0rd!')
    const workOf = async (ask: () => Promise<unknown>) => {
      derived = 0
      expect(await ask()).toBeUndefined()
      return derived
    }
    const wrong = Buffer.from('wrong password 1')
    expect(await workOf(() => matchPassword(counting, wrong, undefined))).toBe(2)
    expect(await workOf(() => matchingPassword(wrong, null))).toBe(2)
    expect(await workOf(() => matchingPassword(wrong, 'damaged'))).toBe(2)
    expect(await workOf(() => matchingPassword(wrong, generated))).toBe(2)
    expect(await workOf(() => matchingPassword(wrong, chosen, generated))).toBe(2)
    const password = generatePassword()
    derived = 0
    expect(await matchingPassword(password, hashGenerated(password))).toBe('current')
    expect(derived).toBe(0)
  })
})
