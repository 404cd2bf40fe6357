import { type Static, Type } from 'typebox'
import { Id, Instant } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'

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
