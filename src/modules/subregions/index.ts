export { subregionRoutes } from './routes.ts'
