export {
  AUTHORIZATIONS,
  type Authorization,
  type AuthorizationStatus,
  authorize,
} from './authorize.ts'
export { idTagRoutes } from './routes.ts'
