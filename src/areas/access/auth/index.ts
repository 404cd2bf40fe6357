export { makeAuthenticate } from './principal.ts'
export { resetPasswordByEmail as resetPasswordOf } from './reset.ts'
export { authRoutes } from './routes.ts'
