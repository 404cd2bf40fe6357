export { clearChargerRecords } from './retention-store.ts'
export { chargerRoutes } from './routes.ts'
