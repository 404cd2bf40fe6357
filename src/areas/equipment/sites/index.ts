export { create as createRegion } from './region-store.ts'
export { regionRoutes, subregionRoutes } from './routes.ts'
export { create as createSubregion } from './subregion-store.ts'
