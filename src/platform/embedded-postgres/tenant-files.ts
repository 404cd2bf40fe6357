import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder, TENANT_FOLDERS } from '../files/data-folder.ts'
import { copyTree, flushTree } from './copy-tree.ts'

const MODES = { folderMode: 0o700, fileMode: 0o600 }
const filesFolder = (backupDir: string) => join(backupDir, 'files')

const isEmpty = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).length === 0

/**
 * Copies the files of tenants into a backup. It is called before and after the copy of the database: a file that is
 * deleted meanwhile is in the first copy, and a file that is added meanwhile in the second one, so every file that the
 * copied rows name is there. Files that no row names may be there too.
 */
export async function copyTenantFiles(dataDir: string, backupDir: string): Promise<void> {
  await makePrivateFolder(filesFolder(backupDir))
  for (const name of TENANT_FOLDERS)
    await copyTree({
      ...MODES,
      from: join(dataDir, name),
      to: join(filesFolder(backupDir), name),
      mayVanish: true,
    })
  await flushTree(filesFolder(backupDir))
}

/** Throws when a folder of tenants has content that a restore would mix with that of the backup. */
export async function requireNoTenantFiles(dataDir: string): Promise<void> {
  for (const name of TENANT_FOLDERS)
    if (!(await isEmpty(join(dataDir, name))))
      throw new Error(
        `There are files in ${join(dataDir, name)}: restore into an empty DATA_DIR, or move them away`,
      )
}

/** Restores the files of tenants. A folder gets its name when it is complete. */
export async function restoreTenantFiles(backupDir: string, dataDir: string): Promise<void> {
  for (const name of TENANT_FOLDERS) {
    const [from, to] = [join(filesFolder(backupDir), name), join(dataDir, name)]
    if (await isEmpty(from)) continue
    const unfinished = `${to}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await copyTree({ ...MODES, from, to: unfinished })
    await flushTree(unfinished)
    await rm(to, { recursive: true, force: true })
    await rename(unfinished, to)
  }
}

export const removeTenantFiles = (backupDir: string): Promise<void> =>
  rm(filesFolder(backupDir), { recursive: true, force: true })
