export { findDeviceKeys, subregionOfDevice, subregionWithJoinedGateway } from './store.ts'
