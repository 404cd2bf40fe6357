import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makePasswords } from '../../../platform/auth/password.ts'
import { generatePassword, hashChosen, hashGenerated, matchPassword, passwordBytes } from './password.ts'

let derived = 0
const plain = makePasswords({ iterations: 10 })
const counting = {
  hash: plain.hash,
  verify: async (password: string, encoded: string | undefined) => {
    derived += 1
    return plain.verify(password, encoded)
  },
}
const which = (sent: Buffer | string, current: string | null, next: string | null = null) =>
  matchPassword(counting, Buffer.from(sent), { passwordHash: current, nextPasswordHash: next })

describe('password of a station', () => {
  it('is 20 random bytes, written as 40 hexadecimal digits', () => {
    expect(generatePassword()).toMatch(/^[0-9a-f]{40}$/)
    expect(generatePassword()).not.toBe(generatePassword())
    expect(passwordBytes(generatePassword())).toHaveLength(20)
  })

  it('is verified as its bytes and as its digits, and stored as neither', async () => {
    const password = generatePassword()
    const kept = hashGenerated(password)
    expect(kept).not.toContain(password)
    expect(hashGenerated(password)).not.toBe(kept)
    for (const sent of [password, password.toUpperCase(), Buffer.from(password, 'hex')])
      expect(await which(sent, kept)).toBe('current')
    for (const sent of ['', password.slice(1), `${password}0`, randomBytes(20), generatePassword()])
      expect(await which(sent, kept)).toBeUndefined()
  })

  it('may be arbitrary bytes, also invalid text and digits that look like encoded digits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 16, maxLength: 20 }), async (bytes) => {
        const digits = Buffer.from(bytes).toString('hex')
        const kept = await hashChosen(plain, digits)
        expect(await which(Buffer.from(bytes), kept)).toBe('current')
        expect(await which(digits, kept)).toBe('current')
      }),
      { numRuns: 50 },
    )
    const ofDigits = Buffer.from('12345678123456781234').toString('hex')
    const kept = hashGenerated(ofDigits)
    expect(await which('12345678123456781234', kept)).toBe('current')
    expect(await which(ofDigits, kept)).toBe('current')
  })

  it('chosen by a person is stretched with a KDF and verified as typed and as hexadecimal bytes', async () => {
    const kept = await hashChosen(plain, 'a chosen Passw0rd!')
    expect(kept).toMatch(/^slow\$18\$pbkdf2_sha256\$10\$/)
    expect(await which('a chosen Passw0rd!', kept)).toBe('current')
    expect(await which(Buffer.from('a chosen Passw0rd!').toString('hex'), kept)).toBe('current')
    expect(await which('A chosen Passw0rd!', kept)).toBeUndefined()
  })

  it('matches the old or the new one while a change is pending', async () => {
    const [old, fresh] = [generatePassword(), generatePassword()]
    const kept = [hashGenerated(old), hashGenerated(fresh)] as const
    expect(await which(old, ...kept)).toBe('current')
    expect(await which(fresh, ...kept)).toBe('next')
    const chosen = await hashChosen(plain, 'a chosen Passw0rd!')
    expect(await which('a chosen Passw0rd!', kept[0], chosen)).toBe('next')
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
    expect(await workOf(() => which(wrong, null))).toBe(2)
    expect(await workOf(() => which(wrong, 'damaged'))).toBe(2)
    expect(await workOf(() => which(wrong, generated))).toBe(2)
    expect(await workOf(() => which(wrong, chosen, generated))).toBe(2)
    const password = generatePassword()
    derived = 0
    expect(await which(password, hashGenerated(password))).toBe('current')
    expect(derived).toBe(0)
  })
})
