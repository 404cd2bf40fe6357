export { regionRoutes } from './region-routes.ts'
export { create as createRegion } from './region-store.ts'
export { subregionRoutes } from './subregion-routes.ts'
export { create as createSubregion } from './subregion-store.ts'
