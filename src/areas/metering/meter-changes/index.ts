export { affectedHours, markRollups, type ReadingsAround, readAround } from './effect-store.ts'
export { METER_CHANGES_MAX } from './limits.ts'
export {
  listInstallationChanges,
  listMeterChanges,
  type RegisterChanges,
  readMeterChanges,
} from './store.ts'
