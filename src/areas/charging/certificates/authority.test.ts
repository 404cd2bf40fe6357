// Must be imported before @peculiar/x509.
import 'reflect-metadata'
import { createPrivateKey, generateKeyPairSync, webcrypto, X509Certificate } from 'node:crypto'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Authority, createAuthority, issueCertificate, readCsr } from './authority.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const RSA = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
})

let authority: Authority
beforeAll(async () => {
  authority = await createAuthority('Netsaat stations', NOW)
})

async function csrOf(name: string, algorithm: typeof EC | ReturnType<typeof RSA> = EC): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const csr = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: algorithm })
  return csr.toString('pem')
}

async function issue(csrPem: string): Promise<X509Certificate> {
  const request = await readCsr(csrPem, ['CP-1'])
  if (typeof request === 'string') throw new Error(request)
  return new X509Certificate((await issueCertificate(authority, { request, cpid: 'CP-1', now: NOW })).pem)
}

describe('certificate authority of stations', () => {
  it('is accepted by OpenSSL as an authority with the matching key', () => {
    const certificate = new X509Certificate(authority.certificatePem)
    expect(certificate.ca).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(createPrivateKey(authority.privateKeyPem))).toBe(true)
  })

  it.each([
    ['P-256', EC],
    ['RSA of 2048 bits', RSA(2048)],
  ])('signs a key of %s for a client and a year', async (_, algorithm) => {
    const certificate = await issue(await csrOf('CN=CP-1, O=Site', algorithm))
    const issuer = new X509Certificate(authority.certificatePem)
    expect(certificate.checkIssued(issuer)).toBe(true)
    expect(certificate.verify(issuer.publicKey)).toBe(true)
    expect(certificate.subject).toBe('CN=CP-1')
    expect(certificate.ca).toBe(false)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(Date.parse(certificate.validTo) - NOW).toBe(365 * 86_400_000)
  })

  it('uses random serial numbers', async () => {
    const csr = await csrOf('CN=CP-1')
    const serials = await Promise.all(Array.from({ length: 5 }, async () => (await issue(csr)).serialNumber))
    expect(new Set(serials).size).toBe(5)
  })
})

describe('certificate signing request', () => {
  it('for another station, or for two at once, is rejected', async () => {
    expect(await readCsr(await csrOf('CN=CP-2'), ['CP-1', 'SN-7'])).toBe('it names another station')
    expect(await readCsr(await csrOf('CN=CP-1, CN=CP-2'), ['CP-1'])).toBe('it names another station')
    expect(await readCsr(await csrOf('O=CP-1'), ['CP-1'])).toBe('it names another station')
  })

  it('may contain the serial number', async () => {
    expect(await readCsr(await csrOf('CN=SN-7'), ['CP-1', 'SN-7'])).not.toBeTypeOf('string')
  })

  it('with a weak key is rejected', async () => {
    expect(await readCsr(await csrOf('CN=CP-1', RSA(1024)), ['CP-1'])).toBe('its key is too weak')
  })

  it('that is not signed with its own key is rejected', async () => {
    const lines = (await csrOf('CN=CP-1')).split('\n')
    const der = Buffer.from(lines.slice(1, -1).join(''), 'base64')
    der[der.length - 3] = (der[der.length - 3] ?? 0) ^ 1
    const altered = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`
    expect(await readCsr(altered, ['CP-1'])).toBe('its signature is wrong')
  })

  it.each(['', 'no PEM', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----'])(
    'that is malformed is rejected: %j',
    async (text) => {
      expect(await readCsr(text, ['CP-1'])).toBe('it cannot be read')
    },
  )

  it('with a key of another kind is rejected', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const der = publicKey.export({ type: 'spki', format: 'der' })
    expect(await readCsr(der.toString('base64'), ['CP-1'])).toBe('it cannot be read')
  })
})
