import { type FileHandle, open } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type FileMetaData, parquetMetadataAsync, parquetRead } from 'hyparquet'
import { GROUP_BYTES_MAX } from './limits.ts'
import type { ParquetCells } from './write.ts'

export interface ParquetReader {
  readonly columns: readonly string[]
  readonly rows: number
  /** The groups of rows, in their order: the cells of each column by its name. */
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

/** Opens a file that `createParquetFile` wrote. One group of rows is in memory at a time. */
export async function openParquetFile(path: string): Promise<ParquetReader> {
  const file = await open(path, 'r')
  try {
    const source = sourceOf(file, (await file.stat()).size)
    const metadata = withoutConversions(await parquetMetadataAsync(source))
    const columns = metadata.schema.slice(1).map(({ name }) => name)
    return {
      columns,
      rows: Number(metadata.num_rows),
      async *groups() {
        let rowStart = 0
        for (const { num_rows } of metadata.row_groups) {
          const rowEnd = rowStart + Number(num_rows)
          const cells = new Map(columns.map((name) => [name, [] as (string | number | bigint | null)[]]))
          await parquetRead({
            file: source,
            metadata,
            rowStart,
            rowEnd,
            compressors: { GZIP: decompress },
            onChunk: ({ columnName, columnData }) => {
              const column = cells.get(columnName)
              for (const cell of columnData) column?.push(cell ?? null)
            },
          })
          yield cells
          rowStart = rowEnd
        }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
