export { makeAuthenticate } from './principal.ts'
export { authRoutes } from './routes.ts'
