export { readCurve } from './curve-store.ts'
export {
  type Around,
  type AskedInstant,
  type RegisterReading,
  readImportAround,
} from './nearest-readings-store.ts'
export { readNewestSamples } from './newest-samples-store.ts'
export { ANY_METRIC, type AskedValue, type NewestValue, readNewestValues } from './newest-values-store.ts'
export { sampleRoutes } from './routes.ts'
