export { create as createRegion } from './region-store.ts'
export { create as createSubregion } from './subregion-store.ts'
