import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../kernel/errors.ts'

/** A file that has arrived and is not yet anybody's. */
export interface PartFile {
  readonly part: string
  readonly sizeBytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

interface Arriving {
  /** Where parts lie until they are kept; on the same disk as what they become. */
  readonly folder: string
  readonly content: Readable
  readonly signal: AbortSignal
  /** What the disk must have left before it begins: the database lies there as often as not. */
  readonly freeMinBytes: number
}

const storageFull = () =>
  new AppError(507, 'STORAGE_FULL', 'the disk of the service is nearly full; tell its operator')

/** No space left, no quota, no larger file allowed: sending again fails until the operator makes room. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

async function needingRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw FULL.has((error as NodeJS.ErrnoException).code ?? '') ? storageFull() : error
  }
}

/**
 * Writes a file while it arrives, as a part; it is on the disk when this resolves, and gone when it throws.
 * 507 STORAGE_FULL when there is no room for it, before or on the way.
 */
export const receivePart = (arriving: Arriving): Promise<PartFile> => needingRoom(() => writePart(arriving))

async function writePart({ folder, content, signal, freeMinBytes }: Arriving): Promise<PartFile> {
  const part = join(folder, `${randomUUID()}.part`)
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < freeMinBytes) throw storageFull()
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(part, 'wx')
  try {
    const write = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length
        hash.update(chunk)
        await file.appendFile(chunk)
      }
    }
    await pipeline(content, write, { signal })
    await file.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { part, sizeBytes, sha256: hash.digest('hex') }
}

/**
 * Makes a part the file of that path, at once and for good. 507 STORAGE_FULL when its folder has no room for
 * it.
 */
export const keepPart = ({ part }: Pick<PartFile, 'part'>, path: string): Promise<void> =>
  needingRoom(async () => {
    await mkdir(dirname(path), { recursive: true })
    await rename(part, path)
    await syncFolder(dirname(path))
  })

/** A rename is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } catch (error) {
    // Not every system lets a folder be synced.
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle?.close()
  }
}

export const deletePart = ({ part }: Pick<PartFile, 'part'>): Promise<void> => rm(part, { force: true })
