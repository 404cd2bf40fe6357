export { deviceRoutes } from './routes.ts'
export { createDevice, mergeMetadata } from './service.ts'
export { deviceTreeRoutes } from './tree/routes.ts'
