export {
  chunksOf,
  computeHours,
  contains,
  dirtyRanges,
  findTouched,
  hoursAround,
  mergeRanges,
  overlap,
  type Touched,
  widen,
} from './dirty-ranges.ts'
export {
  AVERAGED,
  type HourRow,
  type RawSample,
  rollHours,
  round6,
  WeightedMean,
  weightedMean,
} from './hour-rows.ts'
export { bucketEnd, bucketStart, INTERVALS, type Interval, wholeBuckets } from './intervals.ts'
export { forgetLate, listLateDevices, readLate } from './late-hours-store.ts'
export { ROLLUP_SAMPLES_AT_ONCE } from './limits.ts'
export { rollDevice, rollMarked, rollSettledHours } from './rollup.ts'
export {
  type DeviceRef,
  ENERGY_COLUMNS,
  type Extent,
  instant,
  type Neighbours,
  type RollState,
} from './store.ts'
