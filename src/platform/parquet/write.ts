import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type ParquetColumn, TYPES } from './columns.ts'

/** Explicit, because a dictionary of the library takes -0 for 0. A text is repeated, and has a dictionary. */
const ENCODINGS = {
  text: undefined,
  instant: 'DELTA_BINARY_PACKED',
  decimal: 'DELTA_BINARY_PACKED',
  double: 'BYTE_STREAM_SPLIT',
} as const

export type ParquetCells = readonly (string | number | bigint | null)[]

export interface WrittenFile {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

export interface ParquetFile {
  /** Writes a group of rows: the cells of each column. */
  writeGroup(cells: readonly ParquetCells[]): Promise<void>
  /** Ends the file, and gives it its name. */
  finish(): Promise<WrittenFile>
  /** Removes the file. */
  discard(): Promise<void>
}

/** Passes what the library has encoded to the file, a group of rows at a time. */
class FileWriter extends ByteWriter {
  readonly hash = createHash('sha256')
  private readonly file: FileHandle

  constructor(file: FileHandle) {
    super()
    this.file = file
  }

  async flush(): Promise<void> {
    const bytes = this.getBytes()
    this.hash.update(bytes)
    await this.file.writeFile(bytes)
    this.index = 0
  }

  override async finish(): Promise<void> {
    await this.flush()
    await this.file.sync()
  }
}

/** Creates a file under a temporary name beside its own, with one group of rows in memory at a time. */
export async function createParquetFile(
  path: string,
  columns: readonly ParquetColumn[],
  createdBy: string,
): Promise<ParquetFile> {
  const part = `${path}.part`
  const file = await open(part, 'w')
  const out = new FileWriter(file)
  const writer = new ParquetWriter({
    writer: out,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type, isRequired }) => ({
        name,
        ...TYPES[type],
        repetition_type: isRequired ? ('REQUIRED' as const) : ('OPTIONAL' as const),
      })),
    ],
    codec: 'GZIP',
    compressors: { GZIP: (bytes) => gzipSync(bytes) },
    createdBy,
  })
  let rows = 0
  return {
    async writeGroup(cells) {
      const count = cells[0]?.length ?? 0
      if (count === 0) return
      rows += count
      const columnData = columns.map(({ name, type }, index) => ({
        name,
        data: [...(cells[index] ?? [])],
        ...(ENCODINGS[type] && { encoding: ENCODINGS[type] }),
        statistics: type !== 'double',
      }))
      await writer.write({ columnData, rowGroupSize: count })
    },
    async finish() {
      await writer.finish()
      await file.close()
      await rename(part, path)
      return { rows, bytes: out.offset, sha256: out.hash.digest('hex') }
    },
    async discard() {
      await file.close().catch(() => {})
      await rm(part, { force: true })
    },
  }
}
