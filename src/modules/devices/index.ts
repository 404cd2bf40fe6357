export { deviceRoutes } from './routes.ts'
export { createDevice } from './service.ts'
