export { connectorKey, findConnectorDevices } from './known-devices-store.ts'
export { deviceOfConnector, recordBoot, recordStatus } from './station-store.ts'
