import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterExists, makeUnfinished, passwordsFile, readOrMakePasswords } from './cluster.ts'
import { BACKUP_FORMAT, copyRunningCluster, manifestFile } from './copy-running.ts'
import { copyTree, flushTree } from './copy-tree.ts'
import { chooseLocation, type DatabaseLocation } from './database-location.ts'
import type { Log } from './log.ts'
import { FolderInUse, takeOwnership } from './owner-lock.ts'
import { startEmbeddedPostgres } from './postgres.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { requireNoTenantFiles, restoreTenantFiles } from './tenant-files.ts'

/**
 * Backs up the database and the files of tenants in `dataDir` from any process, running service or not. The
 * service itself calls `EmbeddedPostgres.backup`. Needs the rights of the service's user.
 */
export async function backupEmbedded(options: {
  dataDir: string
  backupDir: string
  log: Log
}): Promise<void> {
  const { dataDir, backupDir, log } = options
  const location = await chooseLocation(dataDir)
  if (!(await clusterExists(location))) throw new Error(`There is no database in ${location.base} to back up`)
  try {
    const embedded = await startEmbeddedPostgres({ dataDir, log })
    await embedded.backup(backupDir).finally(() => embedded.stop())
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const address = await readPostmasterPid(location.cluster)
    if (address?.status !== 'ready')
      throw new Error(`The database in ${location.base} is starting or stopping: try again`)
    const passwords = await readOrMakePasswords(location)
    await copyRunningCluster({ location, passwords, address, dataDir, folder: backupDir })
  }
}

/**
 * Restores a backup into `dataDir`, where the service will find it; the database last, so that an interrupted restore
 * has none. The next start replays the WAL that the backup contains.
 */
export async function restoreEmbedded(options: { backupDir: string; dataDir: string }): Promise<void> {
  const { backupDir, dataDir } = options
  const passwords = await readBackup(backupDir)
  const location = await chooseLocation(dataDir)
  const lock = await takeOwnership(location.base)
  try {
    if (await clusterExists(location)) {
      throw new Error(
        `There is a database in ${location.base} already: restore into an empty DATA_DIR, or move it away`,
      )
    }
    await requireNoTenantFiles(dataDir)
    await restoreTenantFiles(backupDir, dataDir)
    await copyIntoLocation(backupDir, location, passwords)
  } finally {
    await lock.release()
  }
}

async function readBackup(folder: string): Promise<string> {
  const refuse = (why: string) => new Error(`${folder} is not a backup that can be restored: ${why}`)
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => {
    throw refuse('backup.json is missing, so it is another folder or a backup that was broken off')
  })
  const { format } = JSON.parse(text) as { format?: unknown }
  if (format !== BACKUP_FORMAT)
    throw refuse(`its format is ${String(format)}, this version reads ${BACKUP_FORMAT}`)
  return readFile(passwordsFile(folder), 'utf8')
}

/**
 * Renames the cluster to its final name as the last step, so that a start never takes an interrupted
 * restore for a cluster.
 */
async function copyIntoLocation(
  backupDir: string,
  location: DatabaseLocation,
  passwords: string,
): Promise<void> {
  const folder = await makeUnfinished(location)
  try {
    const { uid, gid, switched } = location.user
    await copyTree({
      from: join(backupDir, 'cluster'),
      to: folder,
      folderMode: 0o700,
      fileMode: 0o600,
      ...(switched && { owner: { uid, gid } }),
    })
    await flushTree(folder)
    await writeFile(passwordsFile(location.base), passwords, { mode: 0o600, flush: true })
    await rename(folder, location.cluster)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
