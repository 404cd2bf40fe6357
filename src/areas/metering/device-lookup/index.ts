export { deviceKeys } from './key-store.ts'
export { placeBesideGateway, placeOfDevice } from './location-store.ts'
