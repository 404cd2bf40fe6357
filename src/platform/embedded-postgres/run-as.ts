import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { EMBEDDED_TOOL_MAX_MS } from './limits.ts'

/**
 * The operating-system user as which the database server runs. `switched` is true when it differs from the
 * user of this process.
 */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
  readonly switched: boolean
}

/** Unprivileged system users, the preferred one first. The service never creates a user. */
const UNPRIVILEGED = ['postgres', '_postgres', 'nobody', 'daemon']

/**
 * Chooses the user of the server. PostgreSQL refuses to run as root, so root runs it as an existing
 * unprivileged user, or as the owner of an existing database. Any other user runs it as itself.
 */
export function chooseServerUser(passwd = readPasswd()): ServerUser {
  const { uid, gid } = ownIds()
  if (uid !== 0) return { uid, gid, switched: false }
  const users = passwd.split('\n').map((line) => line.split(':'))
  for (const name of UNPRIVILEGED) {
    const found = users.find((fields) => fields[0] === name)
    const [foundUid, foundGid] = [Number(found?.[2]), Number(found?.[3])]
    if (foundUid > 0 && foundGid >= 0) return { uid: foundUid, gid: foundGid, switched: true }
  }
  throw new Error(
    'PostgreSQL does not run as root and this system has no user "postgres" or "nobody": ' +
      'start Netsaat as an ordinary user, or set DATABASE_URL',
  )
}

/** Returns the owner of a cluster, as which root runs it. Any other user must be the owner. */
export function ownerOf(cluster: string): ServerUser {
  const { uid, gid } = statSync(cluster)
  const self = ownIds()
  if (uid === self.uid && uid !== 0) return { uid, gid: self.gid, switched: false }
  if (self.uid === 0 && uid !== 0) return { uid, gid, switched: true }
  throw new Error(
    `The database in ${cluster} belongs to user id ${uid}, this process runs as ${self.uid}: ` +
      'start Netsaat as its owner or as root, or use another DATA_DIR',
  )
}

export function ownIds(): { uid: number; gid: number } {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid === undefined || gid === undefined)
    throw new Error('This platform has no user ids: set DATABASE_URL')
  return { uid, gid }
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}

/**
 * The options of every child process. PG* variables of the caller (PGDATA, PGPORT, PGOPTIONS) must not
 * reach the server. A fixed locale makes its messages and the order of its file names the same everywhere.
 */
export function childOptions(user: ServerUser) {
  const PATH = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const env: NodeJS.ProcessEnv = { PATH, LC_ALL: 'C', TZ: 'UTC' }
  // The server's user may lack the right to enter the caller's working directory.
  const common = { cwd: '/', env }
  return user.switched ? { ...common, uid: user.uid, gid: user.gid } : common
}

/**
 * Runs a program to its end as the server's user. Resolves with exit code -1 when the program cannot be
 * started; never rejects.
 */
export function run(
  user: ServerUser,
  file: string,
  args: string[],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      ...childOptions(user),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: EMBEDDED_TOOL_MAX_MS,
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-8000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: -1, output: `${output}${error.message}` }))
    child.once('close', (code) => resolve({ code: code ?? -1, output: output.trim() }))
  })
}

/**
 * Returns whether the user can enter `folder` and read each of `files`. The kernel decides, and not the
 * mode bits, so that access lists, mounts and all parent folders are considered.
 */
export async function canReach(user: ServerUser, folder: string, files: string[] = []): Promise<boolean> {
  const script = 'cd "$1" || exit 1; shift; for f in "$@"; do test -r "$f" || exit 1; done'
  const { code } = await run(user, '/bin/sh', ['-c', script, 'sh', folder, ...files])
  return code === 0
}
