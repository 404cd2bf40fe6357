export { maintenanceRoutes } from './routes.ts'
export { type MaintenancePeriod, readMaintenance } from './store.ts'
