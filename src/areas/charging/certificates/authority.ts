// tsyringe, which @peculiar/x509 is built on, requires this import before any other.
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import {
  AUTHORITY_VALID_MS,
  CERTIFICATE_BACKDATED_MS,
  CERTIFICATE_VALID_MS,
  RSA_BITS_MIN,
} from '../limits.ts'

/** A certificate authority as text: PEM, the private key as PKCS #8. */
export interface Authority {
  readonly certificatePem: string
  readonly privateKeyPem: string
}

const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const RSA_NAMES: ReadonlySet<string> = new Set(['RSASSA-PKCS1-v1_5', 'RSA-PSS'])

/** A positive serial number of 16 random bytes (RFC 5280, 4.1.2.2). */
function newSerial(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0)
  return bytes.toString('hex')
}

const toPem = (der: ArrayBuffer, label: string): string => PemConverter.encode(der, label)

/** Creates an authority on P-256, which signs certificates of stations but no further authorities. */
export async function createAuthority(name: string, now: number): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(SIGNING, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [name] }],
    notBefore: new Date(now - CERTIFICATE_BACKDATED_MS),
    notAfter: new Date(now + AUTHORITY_VALID_MS),
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { certificatePem: certificate.toString('pem'), privateKeyPem: toPem(key, 'PRIVATE KEY') }
}

/**
 * The reason for which a certificate is refused, for the events of the charger. The station gets no reason.
 */
export type CsrRefusal =
  | 'it cannot be read'
  | 'its signature is wrong'
  | 'its key is too weak'
  | 'it names another station'

/**
 * Reads a station's request (PKCS #10 as PEM). It is granted for an RSA key of at least RSA_BITS_MIN bits or
 * an ECDSA key, with which the request is signed, and for one common name, which is one of the names of the
 * station.
 */
export async function readCsr(
  csrPem: string,
  names: readonly string[],
): Promise<Pkcs10CertificateRequest | CsrRefusal> {
  let request: Pkcs10CertificateRequest
  try {
    request = new Pkcs10CertificateRequest(csrPem)
    if (!isStrong(request.publicKey.algorithm)) return 'its key is too weak'
  } catch {
    return 'it cannot be read'
  }
  const isSigned = await request.verify().catch(() => false)
  if (!isSigned) return 'its signature is wrong'
  const [commonName = '', ...more] = request.subjectName.getField('CN')
  return more.length === 0 && names.includes(commonName) ? request : 'it names another station'
}

function isStrong(algorithm: { readonly name: string }): boolean {
  if (RSA_NAMES.has(algorithm.name)) {
    return 'modulusLength' in algorithm && Number(algorithm.modulusLength) >= RSA_BITS_MIN
  }
  return algorithm.name === 'ECDSA'
}

export interface IssuedCertificate {
  readonly pem: string
  readonly serial: string
  /** The hash of the DER, hexadecimal. */
  readonly sha256: string
  readonly notBefore: Date
  readonly notAfter: Date
}

/**
 * Issues a certificate that a station shows as a TLS client. Its subject is the cpid, whatever else the
 * request names.
 */
export async function issueCertificate(
  { certificatePem, privateKeyPem }: Authority,
  {
    request,
    cpid,
    now,
  }: { readonly request: Pkcs10CertificateRequest; readonly cpid: string; readonly now: number },
): Promise<IssuedCertificate> {
  const issuer = new X509Certificate(certificatePem)
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    PemConverter.decodeFirst(privateKeyPem),
    SIGNING,
    false,
    ['sign'],
  )
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: [{ CN: [cpid] }],
    issuer: issuer.subject,
    notBefore: new Date(now - CERTIFICATE_BACKDATED_MS),
    notAfter: new Date(Math.min(now + CERTIFICATE_VALID_MS, issuer.notAfter.getTime())),
    publicKey: request.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: cpid }]),
      await SubjectKeyIdentifierExtension.create(request.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  const digest = await certificate.getThumbprint('SHA-256')
  return {
    pem: certificate.toString('pem'),
    serial: certificate.serialNumber,
    sha256: Buffer.from(digest).toString('hex'),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
  }
}
