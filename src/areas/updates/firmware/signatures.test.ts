import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkSignature, requireSignature } from './signatures.ts'

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const spki = ({ publicKey }: { publicKey: KeyObject }): string =>
  publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const raw = (keys: { publicKey: KeyObject }): string =>
  Buffer.from(spki(keys), 'base64').subarray(-32).toString('base64')

const hash = createHash('sha256').update('a firmware').digest()
const sha256 = hash.toString('hex')
const signature = sign(null, hash, pair.privateKey).toString('base64')

describe('signature of a firmware version', () => {
  it('is verified with each key, raw or SPKI', () => {
    expect(() => checkSignature({ sha256, signature }, [raw(other), raw(pair)])).not.toThrow()
    expect(() => checkSignature({ sha256, signature }, [spki(pair)])).not.toThrow()
  })

  it.each([
    ['with another key', { sha256, signature }, [raw(other)]],
    [
      'for another file',
      { sha256: sha256.replace(/^./, (c) => (c === '0' ? '1' : '0')), signature },
      [raw(pair)],
    ],
    ['that is no base64', { sha256, signature: `${signature.slice(0, -1)}!` }, [raw(pair)]],
    ['that is too short', { sha256, signature: 'AAAA' }, [raw(pair)]],
    ['without a key to verify it', { sha256, signature }, []],
  ])('%s is rejected', (_name, signed, keys) => {
    expect(() => checkSignature(signed, keys)).toThrow(
      expect.objectContaining({ status: 422, code: 'FIRMWARE_SIGNATURE_INVALID' }),
    )
  })

  it('is required for a release exactly when keys are configured', () => {
    const unsigned = { sha256, signature: null }
    expect(() => checkSignature(unsigned, [raw(pair)])).not.toThrow()
    expect(() => requireSignature(unsigned, [])).not.toThrow()
    expect(() => requireSignature(unsigned, [raw(pair)])).toThrow(
      expect.objectContaining({ code: 'FIRMWARE_SIGNATURE_INVALID' }),
    )
  })
})
