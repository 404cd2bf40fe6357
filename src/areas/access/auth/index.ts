export { makeAuthenticate } from './principal.ts'
export { resetPasswordByEmail } from './reset.ts'
export { authSettings } from './settings.ts'
