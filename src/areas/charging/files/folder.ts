import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { tenantFolder } from '../../../platform/files/data-folder.ts'
import { type PartFile, receivePart } from '../../../platform/files/upload-file.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { CHARGER_DISK_FREE_MIN_BYTES } from '../limits.ts'

type DataDir = Pick<Config, 'dataDir'>

const folderOf = (config: DataDir): string => tenantFolder(config, 'charger-files')

/** The path of a file that a station uploaded. */
export const pathOf = (config: DataDir, tenantId: number, id: string): string =>
  join(folderOf(config), String(tenantId), `${id}.bin`)

export const receive = (config: DataDir, content: Readable, signal: AbortSignal): Promise<PartFile> =>
  receivePart({ folder: folderOf(config), content, signal, freeMinBytes: CHARGER_DISK_FREE_MIN_BYTES })

export const deleteFile = (config: DataDir, tenantId: number, id: string): Promise<void> =>
  rm(pathOf(config, tenantId, id), { force: true })

/**
 * Deletes the parts of unfinished uploads that were not written to since an instant (epoch milliseconds by
 * the machine's clock).
 */
export async function deleteOldParts(config: DataDir, since: number): Promise<void> {
  const folder = folderOf(config)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const age = name.endsWith('.part') ? await stat(path).catch(() => undefined) : undefined
    if (age && age.mtimeMs < since) await rm(path, { force: true })
  }
}
