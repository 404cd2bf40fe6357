import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'
import yazl from 'yazl'

/** A ZIP that cannot be read, or is larger than what it is read for. The message is one line, for people. */
export class ZipFault extends Error {
  readonly isTooLarge: boolean
  constructor(message: string, { isTooLarge = false }: { readonly isTooLarge?: boolean } = {}) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

export interface ZipLimits {
  readonly entriesMax: number
  /** Of all entries that are wanted together, unpacked. */
  readonly bytesMax: number
}

const isWhatever = (): boolean => true

/**
 * Unpacks the wanted entries into memory, by name. What an entry says about its size is held against what it gives, so
 * that neither a bomb nor a lie takes more than the limit. Throws ZipFault.
 */
export async function readZip(
  bytes: Buffer,
  { entriesMax, bytesMax }: ZipLimits,
  isWanted: (name: string) => boolean = isWhatever,
): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  try {
    const zip = await yauzl.fromBufferPromise(bytes, { strictFileNames: true })
    if (zip.entryCount > entriesMax) throw tooLarge(`it has more than ${entriesMax} entries`)
    let left = bytesMax
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry
      if (fileName.endsWith('/') || !isWanted(fileName)) continue
      if (entry.isEncrypted()) throw new ZipFault(`${shown(fileName)} is encrypted`)
      if (files.has(fileName)) throw new ZipFault(`${shown(fileName)} is in it twice`)
      left -= uncompressedSize
      if (left < 0) throw tooLarge(`it unpacks to more than ${bytesMax} bytes`)
      // The reader breaks off as soon as an entry gives more than it said.
      files.set(fileName, await buffer(await zip.openReadStreamPromise(entry)))
    }
  } catch (error) {
    if (error instanceof ZipFault) throw error
    throw new ZipFault(
      `it is not a whole ZIP: ${error instanceof Error ? oneLine(error.message) : 'unknown'}`,
    )
  }
  return files
}

const LINE_MAX = 200
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, LINE_MAX)
const shown = (name: string): string => oneLine(JSON.stringify(name))
const tooLarge = (message: string) => new ZipFault(message, { isTooLarge: true })

export interface ZipEntry {
  readonly name: string
  readonly bytes: Buffer
}

/** A ZIP of what is given, as a stream that packs while it is read. */
export function writeZip(entries: Iterable<ZipEntry>, mtime: Date): NodeJS.ReadableStream {
  const zip = new yazl.ZipFile()
  for (const { name, bytes } of entries) zip.addBuffer(bytes, name, { mtime })
  zip.end()
  return zip.outputStream
}
