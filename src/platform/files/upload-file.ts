import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ERROR_TEXTS } from '../../kernel/error-texts.ts'
import { AppError } from '../../kernel/errors.ts'
import { makePrivateFolder, PRIVATE_FILE_MODE } from './data-folder.ts'
import { STORAGE_LOCKED_RETRY_AFTER_S } from './limits.ts'

/** A complete uploaded file that is not yet at its final path. */
export interface PartFile {
  readonly part: string
  readonly sizeBytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

interface Arriving {
  /** The folder of partial files; on the same disk as their final paths. */
  readonly folder: string
  readonly content: Readable
  readonly signal: AbortSignal
  /**
   * Bytes that must be free on the disk before the upload begins, because the database is often on the same
   * disk.
   */
  readonly freeMinBytes: number
}

const storageFull = () => new AppError(507, 'STORAGE_FULL', ERROR_TEXTS.STORAGE_FULL())

/**
 * No space left, quota exceeded, file too large: repeating the upload fails until the operator frees space.
 */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The folder is read-only, or belongs to another user: the operator has to make it writable. */
const LOCKED: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM'])

const storageLocked = () =>
  new AppError(503, 'SERVICE_UNAVAILABLE', ERROR_TEXTS.STORAGE_LOCKED(), {
    retryAfterS: STORAGE_LOCKED_RETRY_AFTER_S,
  })

async function mapStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (FULL.has(code)) throw storageFull()
    throw LOCKED.has(code) ? storageLocked() : error
  }
}

/**
 * Writes a file as it arrives. It is synced to disk when this resolves, and deleted when it rejects. Throws
 * 507 STORAGE_FULL when the disk has no room for it, before or during the upload, and 503 SERVICE_UNAVAILABLE when the
 * folder is read-only.
 */
export const receivePart = (arriving: Arriving): Promise<PartFile> =>
  mapStorageErrors(() => writePart(arriving))

async function writePart({ folder, content, signal, freeMinBytes }: Arriving): Promise<PartFile> {
  const part = join(folder, `${randomUUID()}.part`)
  await makePrivateFolder(folder)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < freeMinBytes) throw storageFull()
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(part, 'wx', PRIVATE_FILE_MODE)
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
 * Moves a part to its final path, atomically and durably. Throws 507 STORAGE_FULL when the folder has no
 * room for it, and 503 SERVICE_UNAVAILABLE when it is read-only.
 */
export const keepPart = ({ part }: Pick<PartFile, 'part'>, path: string): Promise<void> =>
  mapStorageErrors(async () => {
    await makePrivateFolder(dirname(path))
    await rename(part, path)
    await syncFolder(dirname(path))
  })

/** Syncs the folder, which makes a rename durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } catch (error) {
    // Not every system supports syncing a folder.
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle?.close()
  }
}

export const deletePart = ({ part }: Pick<PartFile, 'part'>): Promise<void> => rm(part, { force: true })
