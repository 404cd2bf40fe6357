export { ChunkError } from './bytes.ts'
export { areSameSamples, countSamples, decodeChunk, encodeChunk } from './chunk.ts'
export type { MetricColumn, SampleColumns } from './columns.ts'
