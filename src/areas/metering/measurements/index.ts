export { type DeviceHead, readHead } from './aggregate-store.ts'
export { type ConsumptionTotals, readConsumption } from './consumption.ts'
export { readCurve } from './curve-store.ts'
export { deviceKeys } from './device-store.ts'
export { readEnergy } from './energy.ts'
export { figuresOf, inKilo } from './energy-figures.ts'
export type { EnergyBucket } from './energy-store.ts'
export { AVERAGED } from './hours.ts'
export { bucketEnd, INTERVALS, type Interval, wholeBuckets } from './intervals.ts'
export { forgetLate, listLateDevices, readLate } from './late-store.ts'
export {
  type Around,
  type AskedInstant,
  type RegisterReading,
  readImportAround,
} from './many/around-store.ts'
export { type EnergyWish, type KnownEnergy, readEnergyOfMany } from './many/energy.ts'
export { ANY_METRIC, type AskedValue, type NewestValue, readNewestValues } from './many/store.ts'
export { placeBesideGateway, placeOfDevice } from './place-store.ts'
export { ReactiveRatio } from './reactive/schema.ts'
export { meterReading, ratioOf } from './reactive/service.ts'
export { findPlace } from './reactive/store.ts'
export { readNewestSamples } from './recent-store.ts'
export { rollDevice, rollMarked, rollSettledHours } from './rollup.ts'
export type { DeviceRef } from './rollup-store.ts'
export { measurementRoutes } from './routes.ts'
export { AggregateQuery } from './schema.ts'
export { rangeOf } from './service.ts'
export { mergeRanges } from './touched.ts'
export {
  type Marked,
  markDevices,
  readWatchedSamples,
  takeWatchMarks,
  watchDevices,
} from './watch-store.ts'
