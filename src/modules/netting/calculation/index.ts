export { calculationRoutes } from './routes.ts'
export { calculateRange } from './service.ts'
