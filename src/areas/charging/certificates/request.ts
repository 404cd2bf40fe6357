/** What `sign_certificate_answer` is asked to do. */
export interface SignedCertificate {
  /** PEM, the station's own first. */
  readonly certificate_chain: string
}

export const CERTIFICATE_USES = ['central_system_root', 'manufacturer_root'] as const
export type CertificateUse = (typeof CERTIFICATE_USES)[number]

export interface InstallCertificate {
  readonly use: CertificateUse
  readonly certificate_pem: string
}
export interface ListCertificates {
  readonly use: CertificateUse
}
/** As the station listed it. */
export interface DeleteCertificate {
  readonly hash_algorithm: 'SHA256' | 'SHA384' | 'SHA512'
  readonly issuer_name_hash: string
  readonly issuer_key_hash: string
  readonly serial: string
}
