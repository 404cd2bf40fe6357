export { regionRoutes } from './routes.ts'
