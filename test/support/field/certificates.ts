// @peculiar/x509 requires this import before it.
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  type GeneralNameType,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const KEYS = {
  ECDSA: EC,
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
} as const
type KeyKind = keyof typeof KEYS
const DAY_MS = 86_400_000

export interface TestCertificate {
  /** In PEM. */
  readonly cert: string
  readonly key: string
}
export interface TestAuthority extends TestCertificate {
  issue(
    commonName: string,
    names?: readonly { type: GeneralNameType; value: string }[],
    kind?: KeyKind,
    days?: number,
  ): Promise<TestCertificate>
}

const pemKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

const validity = (days = 1) => ({
  serialNumber: `40${randomBytes(8).toString('hex')}`,
  notBefore: new Date(Date.now() - DAY_MS),
  notAfter: new Date(Date.now() + days * DAY_MS),
  signingAlgorithm: EC,
})

/** An authority of the test, valid today. */
export async function createTestAuthority(name: string): Promise<TestAuthority> {
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const root: X509Certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: [{ CN: [name] }],
    keys,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  })
  return {
    cert: root.toString('pem'),
    key: await pemKey(keys.privateKey),
    async issue(commonName, names = [], kind = 'ECDSA', days = 1) {
      const own = await webcrypto.subtle.generateKey(KEYS[kind], true, ['sign', 'verify'])
      const issued = await X509CertificateGenerator.create({
        ...validity(days),
        subject: [{ CN: [commonName] }],
        issuer: root.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: names.length > 0 ? [new SubjectAlternativeNameExtension([...names])] : [],
      })
      return { cert: issued.toString('pem'), key: await pemKey(own.privateKey) }
    },
  }
}

/** A certificate request of a station: PEM, signed with a new key of this kind. */
export async function createSigningRequest(name: string, kind: KeyKind = 'ECDSA'): Promise<string> {
  const signingAlgorithm = KEYS[kind]
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: `CN=${name}`,
    keys,
    signingAlgorithm,
  })
  return request.toString('pem')
}
