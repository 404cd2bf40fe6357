export { type MaintenancePeriod, readMaintenance } from './store.ts'
