export { readCurve } from './curve-store.ts'
export {
  type NearestReadings,
  type NearestReadingsQuery,
  type RegisterReading,
  readNearestReadings,
} from './nearest-readings-store.ts'
export {
  ANY_METRIC,
  type NewestValue,
  type NewestValueQuery,
  readNewestSamples,
  readNewestValues,
} from './newest-store.ts'
