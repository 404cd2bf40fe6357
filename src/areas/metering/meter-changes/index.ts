export {
  listInstallationChanges,
  listMeterChanges,
  type RegisterChanges,
  readMeterChanges,
} from './store.ts'
