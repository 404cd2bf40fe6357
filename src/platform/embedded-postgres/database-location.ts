import { createHash } from 'node:crypto'
import { chmod, lstat, realpath, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeDataFolder, PRIVATE_FILE_MODE } from '../files/data-folder.ts'
import { canReach, chooseServerUser, ownerOf, type ServerUser } from './run-as.ts'

/**
 * The parent folder for databases and copies of the server when the service runs as root and the server's
 * user cannot enter the data folder.
 */
export const SHARED_HOME = '/var/lib/netsaat'

/**
 * The folder of one embedded database. `cluster` is PostgreSQL's data directory; the ownership lock, the
 * passwords and the server log are files next to it.
 */
export interface DatabaseLocation {
  readonly base: string
  readonly cluster: string
  readonly user: ServerUser
  /** The folder into which the server's binaries are copied when `user` cannot run them in the package. */
  readonly copyHome: string
  readonly notes: readonly string[]
}

/**
 * Returns `<dataDir>/postgres`, or, as root and when the server's user cannot enter that folder,
 * `<sharedHome>/<hash of the path>`. An existing cluster takes precedence, because a later change of the
 * folder's permissions must never start a second, empty database.
 */
export async function chooseLocation(dataDir: string, sharedHome = SHARED_HOME): Promise<DatabaseLocation> {
  await makeFolder(dataDir)
  const home = await realpath(resolve(dataDir))
  const [near, far] = [join(home, 'postgres'), join(sharedHome, hashOf(home))]
  const nearExists = await exists(join(near, 'cluster'))
  const farExists = !nearExists && process.getuid?.() === 0 && (await exists(join(far, 'cluster')))
  const existing = nearExists ? near : farExists ? far : undefined
  const user = existing ? ownerOf(join(existing, 'cluster')) : chooseServerUser()
  const isClosed = !farExists && !(await openBase(near, user))
  if (isClosed && (nearExists || !user.switched)) throw closed(near, user)
  if (!farExists && !isClosed) return locationAt(near, { user, sharedHome, notes: [] })
  return locationAt(await openShared(far, user, home), { user, sharedHome, notes: [noteOf(far, home, user)] })
}

function locationAt(
  base: string,
  rest: { user: ServerUser; sharedHome: string; notes: string[] },
): DatabaseLocation {
  const { user, sharedHome, notes } = rest
  return { base, cluster: join(base, 'cluster'), user, copyHome: user.switched ? sharedHome : base, notes }
}

const noteOf = (far: string, home: string, user: ServerUser) =>
  `The database lies in ${far}, because ${home} cannot be entered by user id ${user.uid}, which runs PostgreSQL for root`

const hashOf = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16)

const exists = async (path: string) => (await lstat(path).catch(() => undefined)) !== undefined

async function makeFolder(path: string): Promise<void> {
  await makeDataFolder(path).catch((error: Error) => {
    throw new Error(`The data folder cannot be used: ${error.message}`)
  })
}

/** Creates the folder. Returns false, and leaves nothing behind, when the server's user cannot enter it. */
async function openBase(base: string, user: ServerUser): Promise<boolean> {
  const isNew = !(await exists(base))
  await makeFolder(base)
  // The server's user may enter the folder, but can neither list it nor read the passwords.
  if (isNew) await chmod(base, user.switched ? 0o711 : 0o700)
  if (await canReach(user, base)) return true
  if (isNew) await rmdir(base)
  return false
}

async function openShared(far: string, user: ServerUser, home: string): Promise<string> {
  await makeFolder(dirname(far))
  await chmod(dirname(far), 0o755)
  if (!(await openBase(far, user))) throw closed(far, user)
  await writeFile(join(far, 'belongs-to.txt'), `${home}\n`, { mode: PRIVATE_FILE_MODE })
  return realpath(far)
}

function closed(base: string, user: ServerUser): Error {
  return new Error(
    `User id ${user.uid}, which runs PostgreSQL, cannot enter ${base}: ` +
      'open the folders above it (chmod o+x), or set DATABASE_URL',
  )
}
