export { reconcileRoutes } from './routes.ts'
