export { makeAuthenticate } from './principal.ts'
export { resetPasswordOf } from './reset.ts'
export { authRoutes } from './routes.ts'
