export { deviceOfConnector, recordBoot, recordStatus } from './station-store.ts'
