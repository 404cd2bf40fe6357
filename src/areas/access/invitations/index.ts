export { acceptanceRoutes, invitationRoutes } from './routes.ts'
