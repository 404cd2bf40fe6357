export { createDevice, mergeMetadata } from './service.ts'
