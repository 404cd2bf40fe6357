import { type Static, Type } from 'typebox'
import { Id, Instant, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'

export const CERTIFICATE_USES = ['central_system_root', 'manufacturer_root'] as const
export type CertificateUse = (typeof CERTIFICATE_USES)[number]

const CertificatePem = Type.String({ description: 'As PEM.' })
export const ChargerCertificate = Type.Object({
  id: Id,
  serial: Type.String({ description: 'Hexadecimal.' }),
  sha256: Type.String({ description: 'Of the certificate (DER), hexadecimal.' }),
  certificate_pem: CertificatePem,
  not_before: Instant,
  not_after: Instant,
  created_at: Instant,
})

export const CertificateQuery = Type.Object({ ...PageQuery(['created_at', 'not_after']) })
export type CertificateQuery = Static<typeof CertificateQuery>

const Pem = Type.String({
  maxLength: 5_500,
  pattern: '^\\s*-----BEGIN CERTIFICATE-----',
  description: 'One certificate as PEM.',
})
const Use = {
  ...OneOf(CERTIFICATE_USES),
  description: 'To know us by (central_system_root), or who signs firmware (manufacturer_root).',
}
const Hash = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[0-9A-Fa-f]+$', description })

export const InstallCertificateBody = Type.Object({ use: Use, certificate_pem: Pem })
export const ListInstalledBody = Type.Object({ use: Use })
/** The fields of a certificate as the response to the listing has them. */
export const DeleteCertificateBody = Type.Object({
  hash_algorithm: { ...OneOf(['SHA256', 'SHA384', 'SHA512']), description: 'Of the two hashes.' },
  issuer_name_hash: Hash(128, 'Of the issuer’s name, hexadecimal.'),
  issuer_key_hash: Hash(128, 'Of the issuer’s public key, hexadecimal.'),
  serial: Hash(40, 'Of the certificate, hexadecimal.'),
})

export const AuthorityCertificate = Type.Object({
  certificate_pem: CertificatePem,
  sha256: Type.String({ description: 'Of the certificate (DER), hexadecimal.' }),
  not_after: Instant,
})

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
