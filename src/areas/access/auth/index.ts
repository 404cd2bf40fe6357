export { makeAuthenticate } from './principal.ts'
export { resetPasswordByEmail } from './reset.ts'
export { authRoutes } from './routes.ts'
export { authSettings } from './settings.ts'
