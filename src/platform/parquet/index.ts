export { openParquetFile } from './read.ts'
export { createParquetFile, type ParquetCells, type ParquetColumn } from './write.ts'
