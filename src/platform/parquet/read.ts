import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet'
import { messageOf } from '../observability/error-text.ts'
import { faultOfColumn, type ParquetColumn } from './columns.ts'
import { GROUP_BYTES_MAX, READ_ROWS_MAX } from './limits.ts'
import type { ParquetCells } from './write.ts'

/** A file is damaged, or is not what is expected; the message names it. */
export class ParquetFault extends Error {}

export interface ParquetReader {
  readonly rows: number
  /** At most READ_ROWS_MAX rows at a time, in their order: the cells of each expected column by its name. */
  groups(): AsyncGenerator<ReadonlyMap<string, ParquetCells>>
  close(): Promise<void>
}

const sourceOf = (file: FileHandle, byteLength: number) => ({
  byteLength,
  async slice(start: number, end = byteLength): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(end - start)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    if (bytesRead !== bytes.length) throw new Error('the file ends too early')
    return bytes.buffer
  },
})
type Source = ReturnType<typeof sourceOf>

/** The library divides decimals into float64 and makes dates of instants; without their types it returns the BigInt. */
function withoutConversions(metadata: FileMetaData): FileMetaData {
  for (const element of metadata.schema) {
    if (element.type !== 'INT64') continue
    delete element.converted_type
    delete element.logical_type
  }
  return metadata
}

const decompress = (bytes: Uint8Array, length: number): Uint8Array =>
  gunzipSync(bytes, { maxOutputLength: Math.max(1, Math.min(length, GROUP_BYTES_MAX)) })

/** The marks at both ends and the length of the metadata. */
const FILE_BYTES_MIN = 12

/** Snappy is part of the library. */
const CODECS: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY', 'GZIP'])

/** Why the columns of a file cannot be read; undefined when they can. */
function faultOf({ schema, row_groups: groups }: FileMetaData, columns: readonly ParquetColumn[]) {
  for (const column of columns) {
    const fault = faultOfColumn(column, schema.slice(1))
    if (fault !== undefined) return fault
  }
  const names = new Set(columns.map(({ name }) => name))
  for (const { meta_data: chunk } of groups.flatMap((group) => group.columns)) {
    if (!chunk) return 'it is encrypted'
    const [name = ''] = chunk.path_in_schema
    if (!names.has(name)) continue
    if (!CODECS.has(chunk.codec))
      return `the column ${name} is compressed with ${chunk.codec}, and not with GZIP or SNAPPY`
    if (chunk.total_uncompressed_size > GROUP_BYTES_MAX)
      return `a group of rows has ${chunk.total_uncompressed_size} bytes in the column ${name}`
  }
  return undefined
}

interface Rows {
  readonly source: Source
  readonly metadata: FileMetaData
  readonly names: readonly string[]
  readonly rowStart: number
  readonly rowEnd: number
}

async function readRows({ source, metadata, names, rowStart, rowEnd }: Rows) {
  const cells = new Map(names.map((name) => [name, [] as (string | number | bigint | null)[]]))
  await parquetRead({
    file: source,
    metadata,
    columns: [...names],
    rowStart,
    rowEnd,
    compressors: { GZIP: decompress },
    // The pages at the ends may have rows before and after those that are wanted.
    onChunk({ columnName, columnData, rowStart: from }) {
      const column = cells.get(columnName)
      const end = Math.min(columnData.length, rowEnd - from)
      for (let row = Math.max(0, rowStart - from); row < end; row++) column?.push(columnData[row] ?? null)
    },
  })
  for (const [name, { length }] of cells)
    if (length !== rowEnd - rowStart)
      throw new Error(
        `the column ${name} has ${length} of the ${rowEnd - rowStart} rows from row ${rowStart}`,
      )
  return cells
}

/**
 * Opens a file with the columns as `createParquetFile` writes them; other ones are not read. At most READ_ROWS_MAX rows
 * are in memory at a time. Throws a ParquetFault, also while groups are read.
 */
export async function openParquetFile(
  path: string,
  columns: readonly ParquetColumn[],
): Promise<ParquetReader> {
  const names = columns.map(({ name }) => name)
  const refuse = (error: unknown) => new ParquetFault(`${basename(path)} cannot be read: ${messageOf(error)}`)
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size < FILE_BYTES_MIN) throw new Error(`it is too short for a Parquet file: ${size} bytes`)
    const source = sourceOf(file, size)
    const metadata = await parquetMetadataAsync(source, { geoparquet: false })
    const fault = faultOf(metadata, columns)
    if (fault !== undefined) throw new Error(fault)
    withoutConversions(metadata)
    return {
      rows: Number(metadata.num_rows),
      async *groups() {
        let rowStart = 0
        for (const { num_rows } of metadata.row_groups) {
          const groupEnd = rowStart + Number(num_rows)
          while (rowStart < groupEnd) {
            const rowEnd = Math.min(groupEnd, rowStart + READ_ROWS_MAX)
            yield await readRows({ source, metadata, names, rowStart, rowEnd }).catch((error: unknown) => {
              throw refuse(error)
            })
            rowStart = rowEnd
          }
        }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw refuse(error)
  }
}
