export { readCurve } from './curve-store.ts'
export {
  type NearestReadings,
  type NearestReadingsQuery,
  type RegisterReading,
  readNearestReadings,
} from './nearest-readings-store.ts'
export { readNewestSamples } from './newest-samples-store.ts'
export {
  ANY_METRIC,
  type NewestValue,
  type NewestValueQuery,
  readNewestValues,
} from './newest-values-store.ts'
export { sampleRoutes } from './routes.ts'
