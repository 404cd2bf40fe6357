export { subregionRoutes } from './routes.ts'
export { create as createSubregion } from './store.ts'
