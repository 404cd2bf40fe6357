export { nettingRoutes } from './routes.ts'
