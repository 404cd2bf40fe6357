import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { EMBEDDED_TOOL_MAX_MS } from './limits.ts'

/** The operating-system user the database server runs as. `switched`: not the one this process runs as. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
  readonly switched: boolean
}

/** Users that exist for work without rights, best first. Netsaat never creates one. */
const UNPRIVILEGED = ['postgres', '_postgres', 'nobody', 'daemon']

/**
 * PostgreSQL refuses to run as root. Root therefore hands the server to an unprivileged user that exists
 * already (or to the owner of a database that exists already); anybody else runs it themselves.
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

/** A cluster belongs to the user who created it: root runs it as that user, anybody else must be that user. */
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
 * What every child process gets. PG* variables of the caller (PGDATA, PGPORT, PGOPTIONS) must not reach the
 * server, and a fixed locale keeps its messages and its folders' order the same everywhere.
 */
export function childOptions(user: ServerUser) {
  const PATH = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const env: NodeJS.ProcessEnv = { PATH, LC_ALL: 'C', TZ: 'UTC' }
  // The caller's working directory may be one that the server's user cannot enter.
  const common = { cwd: '/', env }
  return user.switched ? { ...common, uid: user.uid, gid: user.gid } : common
}

/**
 * Runs a program to its end as the server's user. A program that cannot be started gives code -1, never a
 * throw.
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
 * Asks the kernel instead of reading mode bits, so that access lists, mounts and every folder above are
 * counted. `folder` must be enterable; each of `files` must be readable.
 */
export async function canReach(user: ServerUser, folder: string, files: string[] = []): Promise<boolean> {
  const script = 'cd "$1" || exit 1; shift; for f in "$@"; do test -r "$f" || exit 1; done'
  const { code } = await run(user, '/bin/sh', ['-c', script, 'sh', folder, ...files])
  return code === 0
}
