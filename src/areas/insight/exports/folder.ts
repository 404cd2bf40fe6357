import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makePrivateFolder, PRIVATE_FILE_MODE, tenantFolder } from '../../../platform/files/data-folder.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { EXPORT_DISK_FREE_MIN_BYTES, EXPORT_FILE_BYTES_MAX } from './limits.ts'
import { ExportError } from './table.ts'

type DataDir = Pick<Config, 'dataDir'>
interface FileOf {
  readonly tenantId: number
  readonly id: string
  readonly format: string
}

/**
 * Identifies the folder of export files: the host name and the path. Two machines with the same name and path
 * would be mistaken for one.
 */
export const storageLocation = (config: DataDir): string => `${hostname()}:${folderOf(config)}`
const folderOf = (config: DataDir): string => tenantFolder(config, 'exports')

export const pathOf = (config: DataDir, { tenantId, id, format }: FileOf): string =>
  join(folderOf(config), String(tenantId), `${id}.${format}`)
const partOf = (path: string): string => `${path}.part`

/** Writes a stream as the file of an export, completely or not at all. Returns its size in bytes. */
export async function writeFile(path: string, content: Readable, signal: AbortSignal): Promise<number> {
  const part = partOf(path)
  await makePrivateFolder(dirname(path))
  await requireFreeDisk(dirname(path))
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes <= EXPORT_FILE_BYTES_MAX) return done(null, chunk)
      const gigabytes = EXPORT_FILE_BYTES_MAX / 1024 ** 3
      done(
        new ExportError(`the file is larger than ${gigabytes} GiB; ask for fewer devices or a shorter range`),
      )
    },
  })
  try {
    await pipeline(content, measure, createWriteStream(part, { mode: PRIVATE_FILE_MODE }), { signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return bytes
}

/** The database is often on the same disk, which an export must not fill. */
async function requireFreeDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < EXPORT_DISK_FREE_MIN_BYTES) {
    throw new ExportError('the disk of the service is nearly full; delete exports, or tell its operator')
  }
}

export const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.size

export const deleteFile = (path: string): Promise<void> => rm(path, { force: true })

/** Lists every file of the folder, including incomplete ones. */
export async function listFolder(config: DataDir): Promise<string[]> {
  const folder = folderOf(config)
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The possible paths of an export's file, complete or incomplete. */
export const pathsOf = (config: DataDir, file: FileOf): string[] => {
  const path = pathOf(config, file)
  return [path, partOf(path)]
}
