export type { NearestSide } from './chunk-store.ts'
export { type Compressor, makeCompressor } from './compress.ts'
export { firstRows } from './compress-store.ts'
export { readDeviceDay } from './device-samples-store.ts'
export { COMPRESSED_AGE_MIN_MS } from './limits.ts'
export { compressionMetrics } from './metrics.ts'
export { readNextSamples } from './next-samples-store.ts'
export { readPage } from './page-store.ts'
export {
  findNearestInstants,
  instantsOf,
  readFirst,
  readNearest,
  readRanges,
  readSummarised,
  type Summary,
  selectFirst,
  selectNearest,
  selectRanges,
} from './read-store.ts'
export { type DeviceDay, readCompressed, reopenDays } from './reopen-store.ts'
export { cellTexts } from './rows.ts'
