export { rotateOidcSecrets } from './secrets.ts'
