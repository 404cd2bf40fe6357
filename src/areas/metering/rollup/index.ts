export {
  computeHours,
  contains,
  type DirtyHours,
  dirtyRanges,
  findDirtyHours,
  listFalls,
  mergeRanges,
  overlap,
  splitIntoChunks,
  wholeHours,
  widenToNeighbours,
} from './dirty-ranges.ts'
export {
  AVERAGED,
  computeHourRows,
  type HourRow,
  type RawSample,
  readingsOfRegisters,
  round6,
  WeightedMean,
  weightedMean,
} from './hour-rows.ts'
export { bucketCount, bucketEnd, bucketStart, INTERVALS, type Interval, wholeBuckets } from './intervals.ts'
export {
  deleteLateHours,
  listLateDevices,
  readLateHours,
} from './late-hours-store.ts'
export { ROLLUP_SAMPLES_AT_ONCE } from './limits.ts'
export { type NeighbourReadings, neighbourSides, readingOf } from './neighbour-store.ts'
export {
  rollUpDevice,
  rollUpMarkedDevices,
  rollUpSettledHours,
} from './rollup.ts'
export {
  type DeviceRef,
  ENERGY_COLUMNS,
  type RollState,
  registersOf,
  type SampleExtent,
  toIntervalMs,
  toSqlInstant,
} from './store.ts'
