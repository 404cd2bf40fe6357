export type { ParquetColumn } from './columns.ts'
export { openParquetFile, ParquetFault } from './read.ts'
export { createParquetFile, type ParquetCells } from './write.ts'
