import { type Static, Type } from 'typebox'
import { Id, Instant, OneOf } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { CERTIFICATE_USES } from './request.ts'

export const ChargerCertificate = Type.Object({
  id: Id,
  serial: Type.String({ description: 'Hexadecimal.' }),
  sha256: Type.String({ description: 'Of the certificate (DER), hexadecimal.' }),
  certificate_pem: Type.String(),
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
const Hash = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[0-9A-Fa-f]+$' })

export const InstallCertificateBody = Type.Object({ use: Use, certificate_pem: Pem })
export const ListInstalledBody = Type.Object({ use: Use })
/** As the answer of the listing has it. */
export const DeleteCertificateBody = Type.Object({
  hash_algorithm: OneOf(['SHA256', 'SHA384', 'SHA512']),
  issuer_name_hash: Hash(128),
  issuer_key_hash: Hash(128),
  serial: Hash(40),
})

export const AuthorityCertificate = Type.Object({
  certificate_pem: Type.String(),
  sha256: Type.String({ description: 'Of the certificate (DER), hexadecimal.' }),
  not_after: Instant,
})
