export { regionRoutes } from './routes.ts'
export { create as createRegion } from './store.ts'
