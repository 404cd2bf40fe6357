import { buffer } from 'node:stream/consumers'
import { crc32, createInflateRaw } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import yazl from 'yazl'
import { TABLE_UNPACKED_PIECE_BYTES } from './limits.ts'

/** A ZIP file that is invalid or exceeds the limits. The message is one line, for users. */
export class ZipFault extends Error {
  readonly isTooLarge: boolean
  constructor(message: string, { isTooLarge = false }: { readonly isTooLarge?: boolean } = {}) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

export interface ZipLimits {
  readonly entriesMax: number
  /** Unpacked bytes of all entries that are read. */
  readonly bytesMax: number
}

export interface OpenZip {
  /** The names of its files, in the order of its directory. */
  readonly names: readonly string[]
  /**
   * Unpacks a file in chunks, on demand. The size and the checksum of the directory are compared with the
   * unpacked data, so that a decompression bomb or a false size cannot exceed the limit and damage is
   * detected. Throws ZipFault; for a wrong checksum after the last chunk.
   */
  read(name: string): AsyncGenerator<Buffer>
}

/** Reads the directory at the end of the file, which alone determines the content. Throws ZipFault. */
export async function openZip(bytes: Buffer, { entriesMax, bytesMax }: ZipLimits): Promise<OpenZip> {
  const entries = new Map<string, Entry>()
  const zip = await orFault(async () => {
    const opened = await yauzl.fromBufferPromise(bytes, { strictFileNames: true, autoClose: false })
    if (opened.entryCount > entriesMax) throw tooLarge(`it has more than ${entriesMax} entries`)
    for await (const entry of opened.eachEntry()) {
      const { fileName } = entry
      if (fileName.endsWith('/')) continue
      if (entries.has(fileName)) throw new ZipFault(`${shown(fileName)} is in it twice`)
      entries.set(fileName, entry)
    }
    return opened
  })
  let left = bytesMax
  return {
    names: [...entries.keys()],
    async *read(name) {
      const entry = entries.get(name)
      if (!entry) throw new ZipFault(`it has no ${shown(name)}`)
      if (entry.isEncrypted()) throw new ZipFault(`${shown(name)} is encrypted`)
      left -= entry.uncompressedSize
      if (left < 0) throw tooLarge(`it unpacks to more than ${bytesMax} bytes`)
      const packed = await orFault(() => packedBytes(bytes, zip, entry))
      const pieces = unpack(packed, entry.compressionMethod)
      yield* checked(pieces, entry)
    },
  }
}

async function packedBytes(bytes: Buffer, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  return bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize)
}

const STORED = 0
const DEFLATED = 8

async function* unpack(packed: Buffer, method: number): AsyncGenerator<Buffer> {
  if (method === DEFLATED) {
    const inflate = createInflateRaw({ chunkSize: TABLE_UNPACKED_PIECE_BYTES })
    inflate.end(packed)
    yield* inflate
  } else if (method === STORED) {
    for (let at = 0; at < packed.length; at += TABLE_UNPACKED_PIECE_BYTES)
      yield packed.subarray(at, at + TABLE_UNPACKED_PIECE_BYTES)
  } else throw new ZipFault('it is packed in a way that is not supported')
}

async function* checked(pieces: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  let left = entry.uncompressedSize
  let sum = 0
  try {
    for await (const piece of pieces) {
      left -= piece.length
      if (left < 0) break
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (error) {
    throw faultOf(error)
  }
  if (left !== 0) throw notWhole(`${shown(entry.fileName)} has another size than its directory says`)
  if (sum !== entry.crc32) throw notWhole(`${shown(entry.fileName)} is damaged`)
}

/** Unpacks every file into memory, by name. Throws ZipFault. */
export async function readZip(bytes: Buffer, limits: ZipLimits): Promise<Map<string, Buffer>> {
  const zip = await openZip(bytes, limits)
  const files = new Map<string, Buffer>()
  for (const name of zip.names) files.set(name, await buffer(zip.read(name)))
  return files
}

async function orFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error)
  }
}

function faultOf(error: unknown): ZipFault {
  if (error instanceof ZipFault) return error
  return notWhole(error instanceof Error ? oneLine(error.message) : 'unknown')
}

const notWhole = (reason: string) => new ZipFault(`it is not a whole ZIP: ${reason}`)

const LINE_MAX = 200
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, LINE_MAX)
const shown = (name: string): string => oneLine(JSON.stringify(name))
const tooLarge = (message: string) => new ZipFault(message, { isTooLarge: true })

export interface ZipEntry {
  readonly name: string
  readonly bytes: Buffer
}

/** Returns a stream of a ZIP file of these entries, which compresses on demand. */
export function writeZip(entries: Iterable<ZipEntry>, mtime: Date): NodeJS.ReadableStream {
  const zip = new yazl.ZipFile()
  for (const { name, bytes } of entries) zip.addBuffer(bytes, name, { mtime })
  zip.end()
  return zip.outputStream
}
