export { findDeviceKeys } from './key-store.ts'
export {
  subregionOfDevice,
  subregionWithJoinedGateway,
} from './location-store.ts'
