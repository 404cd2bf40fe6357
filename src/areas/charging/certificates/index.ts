export { authorityRoutes, chargerCertificateRoutes } from './routes.ts'
export type {
  CertificateUse,
  DeleteCertificate,
  InstallCertificate,
  ListCertificates,
  SignedCertificate,
} from './schema.ts'
export { readAuthorityCertificate, rotateAuthority } from './sealed-authority.ts'
export { grantCertificate, isCertificateOfCharger } from './service.ts'
export { hasValidCertificate } from './store.ts'
