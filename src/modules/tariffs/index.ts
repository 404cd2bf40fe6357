export { tariffRoutes } from './routes.ts'
export type { CreatePrice } from './schema.ts'
export { type Act, addPrices, approveSet, createSet } from './service.ts'
export { approvedPrices } from './store.ts'
