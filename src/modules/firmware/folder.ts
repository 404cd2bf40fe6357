import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../kernel/errors.ts'
import { FIRMWARE_DISK_FREE_MIN_BYTES } from '../../kernel/firmware-limits.ts'
import type { Config } from '../../platform/config.ts'

type DataDir = Pick<Config, 'dataDir'>

const folderOf = ({ dataDir }: DataDir): string => resolve(dataDir, 'firmware')

/** Where the file of a version lies. */
export const pathOf = (config: DataDir, { tenantId, id }: { tenantId: number; id: string }): string =>
  join(folderOf(config), String(tenantId), `${id}.bin`)

/** A file that has arrived and is not yet anybody's. */
export interface Arrived {
  readonly part: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly sha256: string
}

interface Arriving {
  readonly name: string
  readonly content: Readable
  readonly signal: AbortSignal
}

const storageFull = () =>
  new AppError(507, 'STORAGE_FULL', 'the disk of the service is nearly full; tell its operator')

/** No room left, no quota, no larger file allowed: whoever sends it again needs the operator first. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

async function needingRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw FULL.has((error as NodeJS.ErrnoException).code ?? '') ? storageFull() : error
  }
}

/**
 * Writes a file while it arrives, as a part; it is on the disk when this resolves, and gone when it throws. 507 STORAGE_FULL when
 * there is no room for it, before or on the way.
 */
export const receivePart = (config: DataDir, arriving: Arriving): Promise<Arrived> =>
  needingRoom(() => writePart(config, arriving))

async function writePart(config: DataDir, { name, content, signal }: Arriving): Promise<Arrived> {
  const part = join(folderOf(config), `${randomUUID()}.part`)
  await mkdir(dirname(part), { recursive: true })
  await leaveRoom(dirname(part))
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
  return { part, fileName: name, sizeBytes, sha256: hash.digest('hex') }
}

async function leaveRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < FIRMWARE_DISK_FREE_MIN_BYTES) throw storageFull()
}

/** Makes a part the file of a version, at once and for good. 507 STORAGE_FULL when its folder has no room for it. */
export const keepPart = ({ part }: Arrived, path: string): Promise<void> =>
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

export const deletePart = ({ part }: Arrived): Promise<void> => rm(part, { force: true })

/** The hash of a file as it lies there now; undefined when there is none. */
export async function hashOfFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}

/** So many bytes from there, fewer at the end of the file; undefined when the file is not there. */
export async function readPiece(
  path: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<Buffer | undefined> {
  const file: FileHandle | undefined = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export interface OldFile {
  readonly path: string
  /** Of the version that it should be of; undefined for a part. */
  readonly version: { readonly tenantId: number; readonly id: string } | undefined
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Files that nobody has written to since then, epoch milliseconds by the machine's clock. */
export async function listOld(config: DataDir, since: number): Promise<OldFile[]> {
  const folder = folderOf(config)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const old: OldFile[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const age = await stat(path).catch(() => undefined)
    if (!age || age.mtimeMs >= since) continue
    const tenantId = Number(basename(entry.parentPath))
    const id = entry.name.replace(/\.bin$/, '')
    const isFile = entry.name.endsWith('.bin') && Number.isSafeInteger(tenantId) && UUID.test(id)
    if (isFile) old.push({ path, version: { tenantId, id } })
    else if (entry.name.endsWith('.part')) old.push({ path, version: undefined })
  }
  return old
}

export const deleteFile = (path: string): Promise<void> => rm(path, { force: true })
