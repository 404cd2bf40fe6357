import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, realpath, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { canReach, chooseServerUser, ownerOf, type ServerUser } from './run-as.ts'

/**
 * Where root's databases and copies of the server go when the project folder is closed to the server's user.
 */
export const SHARED_HOME = '/var/lib/netsaat'

/**
 * The folder of one embedded database: `cluster` is PostgreSQL's own, beside it lie lock, passwords and log.
 */
export interface DatabaseLocation {
  readonly base: string
  readonly cluster: string
  readonly user: ServerUser
  /** Where a copy of the server may be put so that `user` can run it. */
  readonly copyHome: string
  readonly notes: readonly string[]
}

/**
 * Normally `<dataDir>/postgres`. As root, when the server's user cannot enter that, `<sharedHome>/<hash of
 * the path>`. A database that exists decides: opening or closing the folder later must never start an empty
 * second one.
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
  return locationAt(await openFar(far, user, home), { user, sharedHome, notes: [noteOf(far, home, user)] })
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
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new Error(`The data folder cannot be used: ${error.message}`)
  })
}

/** Creates the folder; false (and nothing left behind) when the server's user cannot get into it. */
async function openBase(base: string, user: ServerUser): Promise<boolean> {
  const isNew = !(await exists(base))
  await makeFolder(base)
  // The server's user passes through, but sees neither the list nor the passwords.
  if (isNew) await chmod(base, user.switched ? 0o711 : 0o700)
  if (await canReach(user, base)) return true
  if (isNew) await rmdir(base)
  return false
}

async function openFar(far: string, user: ServerUser, home: string): Promise<string> {
  await makeFolder(dirname(far))
  await chmod(dirname(far), 0o755)
  if (!(await openBase(far, user))) throw closed(far, user)
  await writeFile(join(far, 'belongs-to.txt'), `${home}\n`)
  return realpath(far)
}

function closed(base: string, user: ServerUser): Error {
  return new Error(
    `User id ${user.uid}, which runs PostgreSQL, cannot enter ${base}: ` +
      'open the folders above it (chmod o+x), or set DATABASE_URL',
  )
}
