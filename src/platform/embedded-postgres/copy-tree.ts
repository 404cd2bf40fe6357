import { constants } from 'node:fs'
import { chmod, chown, copyFile, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface CopyOptions {
  from: string
  to: string
  folderMode: number
  /** The mode of the source when absent. */
  fileMode?: number
  owner?: { uid: number; gid: number }
  /**
   * Returns true for a path, relative to `from` and '/'-separated, that is not copied; a skipped folder is
   * not entered.
   */
  skip?: (path: string) => boolean
  /**
   * True when files may disappear during the copy: a running server deletes files, and replaying its WAL
   * repeats the deletion.
   */
  mayVanish?: boolean
}

/** Copies folders, files and symbolic links; sockets and other special files are left out. */
export async function copyTree(options: CopyOptions, path = ''): Promise<void> {
  const [from, to] = [join(options.from, path), join(options.to, path)]
  await mkdir(to, { recursive: true })
  for (const entry of await readFolder(from, options)) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`
    if (options.skip?.(inner)) continue
    if (entry.isDirectory()) await copyTree(options, inner)
    else if (entry.isSymbolicLink()) await copyLink(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) await copyOne(options, inner)
  }
  // The mode and the owner are set last, because they may remove the right to write into the folder. They are
  // set explicitly, because the umask also affects the mode.
  await settle(to, options.folderMode, options.owner)
}

/** Copies one file by its path relative to both trees. */
export async function copyOne(options: CopyOptions, path: string): Promise<void> {
  const to = join(options.to, path)
  try {
    await copyFile(join(options.from, path), to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (options.mayVanish && (error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await settle(to, options.fileMode, options.owner)
}

const FLUSHES_AT_ONCE = 8

/**
 * Syncs everything under `folder` to disk, so that a file that is written afterwards can confirm that the
 * folder is complete.
 */
export async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const inside = entries.filter((entry) => entry.isFile() || entry.isDirectory())
  const paths = [folder, ...inside.map((entry) => join(entry.parentPath, entry.name))]
  const flushNext = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await flush(path)
  }
  await Promise.all(Array.from({ length: FLUSHES_AT_ONCE }, flushNext))
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

async function copyLink(from: string, to: string): Promise<void> {
  await symlink(await readlink(from), to)
}

async function readFolder(folder: string, options: CopyOptions) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (options.mayVanish && (error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function settle(path: string, mode?: number, owner?: { uid: number; gid: number }): Promise<void> {
  if (mode !== undefined) await chmod(path, mode)
  if (owner) await chown(path, owner.uid, owner.gid)
}
