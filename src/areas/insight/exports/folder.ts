import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makePrivateFolder, PRIVATE_FILE_MODE } from '../../../platform/files/data-folder.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { EXPORT_DISK_CHECK_BYTES, EXPORT_DISK_FREE_MIN_BYTES, EXPORT_FILE_BYTES_MAX } from './limits.ts'
import { EXPORT_FAILURES } from './messages.ts'
import { exportsFolder } from './storage-location.ts'
import { ExportError } from './table.ts'

type DataDir = Pick<Config, 'dataDir'>
interface FileOf {
  readonly tenantId: number
  readonly id: string
  readonly format: string
}

export const pathOf = (config: DataDir, { tenantId, id, format }: FileOf): string =>
  join(exportsFolder(config), String(tenantId), `${id}.${format}`)
/** Every attempt has a file of its own, so that two processes never write one file. */
const partOf = (path: string, attempt: number): string => `${path}.${attempt}.part`

interface WriteOptions {
  readonly attempt: number
  readonly signal: AbortSignal
  /** Called when the content is complete; may abort the signal. */
  readonly beforeRename: () => Promise<void>
}

/** Writes a stream as the file of an export, completely or not at all. Returns its size in bytes. */
export async function writeFile(
  path: string,
  content: Readable,
  { attempt, signal, beforeRename }: WriteOptions,
): Promise<number> {
  const part = partOf(path, attempt)
  await makePrivateFolder(dirname(path))
  await requireFreeDisk(dirname(path))
  let bytes = 0
  let checkedBytes = 0
  const check = async (): Promise<void> => {
    if (bytes > EXPORT_FILE_BYTES_MAX) {
      const max_gib = EXPORT_FILE_BYTES_MAX / 1024 ** 3
      throw new ExportError(EXPORT_FAILURES.EXPORT_FILE_TOO_LARGE({ max_gib }))
    }
    if (bytes - checkedBytes < EXPORT_DISK_CHECK_BYTES) return
    checkedBytes = bytes
    await requireFreeDisk(dirname(path))
  }
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      check().then(() => done(null, chunk), done)
    },
  })
  const file = createWriteStream(part, { mode: PRIVATE_FILE_MODE })
  try {
    await pipeline(content, measure, file, { signal })
    await beforeRename()
    signal.throwIfAborted()
    await rename(part, path)
  } catch (error) {
    // The disk gets the space of a removed file back only when the file is closed.
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()))
    await rm(part, { force: true })
    throw error
  }
  return bytes
}

/** The database is often on the same disk, which an export must not fill. */
async function requireFreeDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < EXPORT_DISK_FREE_MIN_BYTES) throw new ExportError(EXPORT_FAILURES.EXPORT_DISK_FULL())
}

export const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.size

export const deleteFile = (path: string): Promise<void> => rm(path, { force: true })

/** Lists every file of the folder, including incomplete ones. */
export async function listFolder(config: DataDir): Promise<string[]> {
  const folder = exportsFolder(config)
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The possible paths of an export's file, complete or incomplete. */
export const pathsOf = (config: DataDir, file: FileOf & { readonly attempts: number }): string[] => {
  const path = pathOf(config, file)
  return [path, ...Array.from({ length: file.attempts }, (_, index) => partOf(path, index + 1))]
}
