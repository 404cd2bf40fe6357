export { reactiveRoutes } from './routes.ts'
export { ReactiveRatio } from './schema.ts'
export { meterReading, ratioOf } from './service.ts'
export { findPlace } from './store.ts'
