import { clusterExists, readOrMakePasswords } from './cluster.ts'
import { chooseLocation } from './database-location.ts'
import type { Log } from './log.ts'
import { FolderInUse } from './owner-lock.ts'
import { startEmbeddedPostgres } from './postgres.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { connectionUrls } from './roles.ts'

/** A connection string that is valid until `stop` is called. */
export interface Reached {
  readonly url: string
  /** The same of the role that owns the tables. */
  readonly ownerUrl: string
  stop(): Promise<void>
}

/**
 * Connects a command-line command to the database of `dataDir`: to the running server if there is one,
 * otherwise to a server that is started for the command and that `stop` ends. Requires the rights of the
 * service's user.
 */
export async function reachEmbedded({ dataDir, log }: { dataDir: string; log: Log }): Promise<Reached> {
  try {
    return await startEmbeddedPostgres({ dataDir, log })
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const location = await chooseLocation(dataDir)
    const address = await readPostmasterPid(location.cluster)
    if (address?.status !== 'ready' || !(await clusterExists(location)))
      throw new Error(`The database in ${location.base} is starting or stopping: try again`)
    const passwords = await readOrMakePasswords(location)
    return { ...connectionUrls(address, passwords), stop: async () => {} }
  }
}
