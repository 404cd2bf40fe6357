import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { LOWER_CASE_UUID } from '../../../kernel/uuid.ts'
import { tenantFolder } from '../../../platform/files/data-folder.ts'
import { type PartFile, receivePart } from '../../../platform/files/upload-file.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { FIRMWARE_DISK_FREE_MIN_BYTES } from './limits.ts'

type DataDir = Pick<Config, 'dataDir'>

const folderOf = (config: DataDir): string => tenantFolder(config, 'firmware')

/** The path of the file of a version. */
export const firmwarePath = (config: DataDir, { tenantId, id }: { tenantId: number; id: string }): string =>
  join(folderOf(config), String(tenantId), `${id}.bin`)

/** A received file that belongs to no version yet. */
export interface ReceivedFirmware extends PartFile {
  readonly fileName: string
}

interface IncomingFile {
  readonly name: string
  readonly content: Readable
  readonly signal: AbortSignal
}

/** As receivePart, with the name that the sender provided. */
export async function receiveFile(
  config: DataDir,
  { name, content, signal }: IncomingFile,
): Promise<ReceivedFirmware> {
  const folder = folderOf(config)
  const part = await receivePart({ folder, content, signal, freeMinBytes: FIRMWARE_DISK_FREE_MIN_BYTES })
  return { ...part, fileName: name }
}

/** The SHA-256 of a stored file in hexadecimal; undefined when there is no file. */
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

/** `size` bytes from an offset, fewer at the end of the file; undefined when the file does not exist. */
export async function readChunk(
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

export interface StaleFile {
  readonly path: string
  /** The version that the name of the file refers to; undefined for a partial file. */
  readonly version: { readonly tenantId: number; readonly id: string } | undefined
}

/** Files unchanged since an instant, epoch milliseconds of the machine's clock. */
export async function listStaleFiles(config: DataDir, since: number): Promise<StaleFile[]> {
  const folder = folderOf(config)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const stale: StaleFile[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const age = await stat(path).catch(() => undefined)
    if (!age || age.mtimeMs >= since) continue
    const tenantId = Number(basename(entry.parentPath))
    const id = entry.name.replace(/\.bin$/, '')
    const isFile = entry.name.endsWith('.bin') && Number.isSafeInteger(tenantId) && LOWER_CASE_UUID.test(id)
    if (isFile) stale.push({ path, version: { tenantId, id } })
    else if (entry.name.endsWith('.part')) stale.push({ path, version: undefined })
  }
  return stale
}

export const deleteFile = (path: string): Promise<void> => rm(path, { force: true })
