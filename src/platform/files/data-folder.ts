import assert from 'node:assert/strict'
import { accessSync, constants } from 'node:fs'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Files with data or secrets: only the user of the service can read them. */
export const PRIVATE_FILE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700
/** As root: the database server runs as another user, which has to enter the folder but cannot list it. */
const ENTERABLE_FOLDER_MODE = 0o711

/** The folders of the data folder that contain files of tenants. */
export const TENANT_FOLDERS = ['exports', 'firmware', 'charger-files', 'outbox'] as const
type TenantFolder = (typeof TENANT_FOLDERS)[number]

/** The setting is never empty: the folders would be those of the working folder, for example of a checkout. */
export function tenantFolder({ dataDir }: { readonly dataDir: string }, name: TenantFolder): string {
  assert(dataDir !== '', 'files of tenants need a data folder')
  return resolve(dataDir, name)
}

/** Creates a folder, with its parents, that only the user of the service can read, whatever the umask is. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolders(path, PRIVATE_FOLDER_MODE)
}

/**
 * Creates a folder with its parents. The recursive mode of `mkdir` is not used, because it does not end in a folder
 * such as /proc, in which no folder can be created (ENOENT for an existing parent).
 */
async function makeFolders(path: string, mode: number): Promise<void> {
  const parent = dirname(path)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || parent === path || (await isFolder(parent))) throw error
    await makeFolders(parent, mode)
    await makeFolders(path, mode)
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Creates the data folder. The mode of an existing one is the choice of the operator. */
export async function makeDataFolder(path: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? ENTERABLE_FOLDER_MODE : PRIVATE_FOLDER_MODE
  await makeFolders(path, mode)
}

/**
 * Closes the folders of tenants to other users, in case an earlier version or a copy left them open. Returns those that
 * belong to another user and stay as they are.
 */
export async function closeTenantFolders(dataDir: string): Promise<string[]> {
  const open: string[] = []
  for (const name of TENANT_FOLDERS) {
    const folder = tenantFolder({ dataDir }, name)
    await chmod(folder, PRIVATE_FOLDER_MODE).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') open.push(folder)
    })
  }
  return open
}

/** A sentence for the operator when the data folder cannot be written, and none when it can or does not exist yet. */
export function dataFolderNotes({ dataDir }: { readonly dataDir: string }): string[] {
  try {
    accessSync(dataDir, constants.W_OK)
    return []
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    return [`DATA_DIR cannot be written (${code}): uploads, exports and mails without SMTP_URL fail`]
  }
}
