import { type Static, Type } from 'typebox'
import { Id, Instant, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'

export const CERTIFICATE_USES = ['central_system_root', 'manufacturer_root'] as const
export type CertificateUse = (typeof CERTIFICATE_USES)[number]

const CertificatePem = Type.String({ description: 'Certificate as PEM.' })
export const ChargerCertificate = Type.Object(
  {
    id: Id,
    serial: Type.String({ description: 'SHA-256, hexadecimal.' }),
    sha256: Type.String({ description: 'SHA-256 of the certificate (DER), hexadecimal.' }),
    certificate_pem: CertificatePem,
    not_before: Instant,
    not_after: Instant,
    created_at: Instant,
  },
  { title: 'ChargerCertificate' },
)

export const CertificateQuery = Type.Object({ ...PageQuery(['created_at', 'not_after']) })
export type CertificateQuery = Static<typeof CertificateQuery>

const Pem = Type.String({
  maxLength: 5_500,
  pattern: '^\\s*-----BEGIN CERTIFICATE-----',
  description: 'Certificate as PEM.',
})
const Use = {
  ...OneOf(CERTIFICATE_USES),
  description:
    'Use of the certificate: central_system_root validates this service, manufacturer_root validates ' +
    'firmware signatures.',
}
const Hash = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[0-9A-Fa-f]+$', description })

export const InstallCertificateBody = Type.Object(
  { use: Use, certificate_pem: Pem },
  { title: 'InstallChargerCertificate' },
)
export const ListInstalledBody = Type.Object({ use: Use }, { title: 'ListInstalledCertificates' })
/** The fields of a certificate as the response to the listing has them. */
export const DeleteCertificateBody = Type.Object(
  {
    hash_algorithm: { ...OneOf(['SHA256', 'SHA384', 'SHA512']), description: 'Algorithm of the two hashes.' },
    issuer_name_hash: Hash(128, 'Hash of the name of the issuer, hexadecimal.'),
    issuer_key_hash: Hash(128, 'Hash of the public key of the issuer, hexadecimal.'),
    serial: Hash(40, 'Serial number of the certificate, hexadecimal.'),
  },
  { title: 'DeleteInstalledCertificate' },
)

export const AuthorityCertificate = Type.Object(
  {
    certificate_pem: CertificatePem,
    sha256: Type.String({ description: 'SHA-256 of the certificate (DER), hexadecimal.' }),
    not_after: Instant,
  },
  { title: 'AuthorityCertificate' },
)

/** The request of `sign_certificate_answer`. */
export interface SignedCertificate {
  /** PEM, the station's own certificate first. */
  readonly certificate_chain: string
}

export interface InstallCertificate {
  readonly use: CertificateUse
  readonly certificate_pem: string
}
export interface ListCertificates {
  readonly use: CertificateUse
}
/** The request of `delete_certificate`: a certificate as the station listed it. */
export interface DeleteCertificate {
  readonly hash_algorithm: 'SHA256' | 'SHA384' | 'SHA512'
  readonly issuer_name_hash: string
  readonly issuer_key_hash: string
  readonly serial: string
}
