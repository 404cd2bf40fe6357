export { ChunkError } from './bytes.ts'
export { areSameSamples, countSamples, type DecodeOptions, decodeChunk, encodeChunk } from './chunk.ts'
export {
  columnNumber,
  EXTRA_NUMBER,
  isMetric,
  type Metric,
  type MetricColumn,
  type SampleColumns,
} from './columns.ts'
export { CHUNK_SAMPLES_MAX } from './limits.ts'
