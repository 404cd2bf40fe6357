import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveKey } from '../../../platform/auth/derive.ts'
import { shareOfStation } from '../../../platform/auth/hash-shares.ts'
import { makePasswords } from '../../../platform/auth/password.ts'
import {
  generatePassword,
  hashChosen,
  hashGenerated,
  matchPassword,
  passwordBytes,
  type StationPasswordDeps,
} from './password.ts'

let derived = 0
const plain = makePasswords({ iterations: 10, derive: deriveKey })
const config = { secretKey: 'a secret of the tests, long enough to be one' }
const counting = {
  config,
  passwords: {
    hash: plain.hash,
    verify: async (...input: Parameters<typeof plain.verify>) => {
      derived += 1
      return plain.verify(...input)
    },
  },
}
const share = shareOfStation('192.0.2.1')
const match = (
  sent: Buffer | string,
  current: string | null,
  next: string | null = null,
  deps: StationPasswordDeps = counting,
) =>
  matchPassword(deps, {
    ...{ sent: Buffer.from(sent), share },
    charger: { passwordHash: current, nextPasswordHash: next },
  })
const matchingPassword = async (...input: Parameters<typeof match>) => (await match(...input))?.which

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
        const stored = await hashChosen(counting, digits)
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
    const stored = await hashChosen(counting, 'a chosen Passw0rd!')
    expect(stored).toMatch(/^slow\$18\$[A-Za-z0-9+/]{43}=\$pbkdf2_sha256\$10\$/)
    expect(await matchingPassword('a chosen Passw0rd!', stored)).toBe('current')
    expect(await matchingPassword(Buffer.from('a chosen Passw0rd!').toString('hex'), stored)).toBe('current')
    expect(await matchingPassword('A chosen Passw0rd!', stored)).toBeUndefined()
  })

  it('matches the old or the new one while a change is pending', async () => {
    const [old, fresh] = [generatePassword(), generatePassword()]
    const stored = [hashGenerated(old), hashGenerated(fresh)] as const
    expect(await matchingPassword(old, ...stored)).toBe('current')
    expect(await matchingPassword(fresh, ...stored)).toBe('next')
    const chosen = await hashChosen(counting, 'a chosen Passw0rd!')
    expect(await matchingPassword('a chosen Passw0rd!', stored[0], chosen)).toBe('next')
  })

  it('chosen by a person is recognized by its check without stretching', async () => {
    const [old, chosen] = [
      hashGenerated(generatePassword()),
      await hashChosen(counting, 'a chosen Passw0rd!'),
    ]
    derived = 0
    expect(await match('a chosen Passw0rd!', chosen)).toEqual({ which: 'current' })
    expect(await match('a chosen Passw0rd!', old, chosen)).toEqual({ which: 'next' })
    expect(derived).toBe(0)
  })

  it('chosen by a person is stretched and its check renewed after a change of SECRET_KEY', async () => {
    const chosen = await hashChosen(counting, 'a chosen Passw0rd!')
    const changed = { ...counting, config: { secretKey: 'another secret, which is long enough as well' } }
    const matched = await match('a chosen Passw0rd!', chosen, null, changed)
    expect(matched).toEqual({ which: 'current', renewed: expect.stringMatching(/^slow\$18\$/) })
    const renewed = matched?.renewed ?? null
    expect(renewed).not.toBe(chosen)
    derived = 0
    expect(await match('a chosen Passw0rd!', renewed, null, changed)).toEqual({ which: 'current' })
    expect(derived).toBe(0)
    expect(await match('A chosen Passw0rd!', renewed, null, changed)).toBeUndefined()
  })

  it('costs the same work for every rejection, and none for a correct generated one', async () => {
    const generated = hashGenerated(generatePassword())
    const chosen = await hashChosen(counting, 'a chosen Passw0rd!')
    const workOf = async (ask: () => Promise<unknown>) => {
      derived = 0
      expect(await ask()).toBeUndefined()
      return derived
    }
    const wrong = Buffer.from('wrong password 1')
    expect(await workOf(() => matchPassword(counting, { sent: wrong, charger: undefined, share }))).toBe(2)
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
