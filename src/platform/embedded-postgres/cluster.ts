import { randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseLocation } from './database-location.ts'
import { EMBEDDED_DISK_FREE_MIN_BYTES } from './limits.ts'
import { run } from './run-as.ts'

/**
 * `superuser`: the password of the role postgres, for backups and the first set-up only. `netsaat`: that of
 * the service's role. `owner`: that of the role that owns the tables.
 */
export interface Passwords {
  readonly superuser: string
  readonly netsaat: string
  readonly owner: string
}

export const passwordsFile = (folder: string) => join(folder, 'passwords.json')

/**
 * Returns the passwords of the roles. They are written before the cluster is created, so that a crash
 * cannot leave a cluster without them. A file of a version without the owner's role gets its password.
 */
export async function readOrMakePasswords(location: DatabaseLocation): Promise<Passwords> {
  const text = await readFile(passwordsFile(location.base), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const fresh = () => randomBytes(24).toString('base64url')
  if (text !== undefined) {
    const stored = JSON.parse(text) as Omit<Passwords, 'owner'> & Partial<Passwords>
    if (stored.owner !== undefined) return { ...stored, owner: stored.owner }
    return writePasswords(location, { ...stored, owner: fresh() })
  }
  if (await clusterExists(location)) {
    throw new Error(
      `${passwordsFile(location.base)} is missing, so the database next to it cannot be opened: restore a backup`,
    )
  }
  return writePasswords(location, { superuser: fresh(), netsaat: fresh(), owner: fresh() })
}

async function writePasswords(location: DatabaseLocation, passwords: Passwords): Promise<Passwords> {
  const draft = `${passwordsFile(location.base)}.new`
  await writeFile(draft, JSON.stringify(passwords), { mode: 0o600, flush: true })
  await rename(draft, passwordsFile(location.base))
  return passwords
}

export async function clusterExists(location: DatabaseLocation): Promise<boolean> {
  return (await lstat(location.cluster).catch(() => undefined)) !== undefined
}

/**
 * Creates an empty folder, owned by the server's user, in which the cluster is created. It is renamed once
 * it is complete.
 */
export async function makeUnfinished(location: DatabaseLocation): Promise<string> {
  const folder = `${location.cluster}.unfinished`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  await chmod(folder, 0o700)
  if (location.user.switched) await chown(folder, location.user.uid, location.user.gid)
  return folder
}

/**
 * Creates the cluster with the builtin collation provider and C.UTF-8: code points for the order, Unicode
 * rules for upper and lower case. The provider is part of the server, so an update of libc or ICU cannot
 * corrupt an index, and the order is the same on every system. Statements that need the Turkish order use
 * COLLATE "tr-x-icu".
 */
export async function createCluster(
  location: DatabaseLocation,
  initdb: string,
  sync: boolean,
): Promise<void> {
  await requireFreeDisk(location.base)
  const folder = await makeUnfinished(location)
  const passwords = await readOrMakePasswords(location)
  const pwfile = join(location.base, '.initdb-password')
  await rm(pwfile, { force: true })
  await writeFile(pwfile, `${passwords.superuser}\n`, { mode: 0o600, flag: 'wx' })
  if (location.user.switched) await chown(pwfile, location.user.uid, location.user.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${pwfile}`]
  const settings = ['--set=timezone=UTC', '--set=log_timezone=UTC', '--set=lc_messages=C']
  const flags = sync ? [] : ['--no-sync']
  const args = ['-D', folder, ...access, ...locale, '--data-checksums', ...settings, ...flags]
  const result = await run(location.user, initdb, args).finally(() => rm(pwfile, { force: true }))
  if (result.code !== 0) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(explain(result.output, location))
  }
  await rename(folder, location.cluster)
}

const MIB = 1024 * 1024

/** The check is before initdb, because its own report of a full disk names neither a folder nor a size. */
async function requireFreeDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= EMBEDDED_DISK_FREE_MIN_BYTES) return
  const sizes = `needs ${EMBEDDED_DISK_FREE_MIN_BYTES / MIB} MiB, and ${Math.floor(free / MIB)} MiB are free`
  throw new Error(`DATA_DIR: a new database in ${folder} ${sizes}`)
}

function explain(output: string, location: DatabaseLocation): string {
  const text = `PostgreSQL could not create its data folder in ${location.base}: ${causeIn(output)}`
  if (output.includes('could not look up effective user ID')) {
    return `User id ${location.user.uid} has no line in /etc/passwd, which initdb needs: add one, or set DATABASE_URL`
  }
  // The executable exists but its loader does not: a system without glibc, such as Alpine.
  if (output.includes('ENOENT')) return `${text} (the binaries need glibc; set DATABASE_URL)`
  return text
}

/** Returns the errors of initdb without its report of progress. */
function causeIn(output: string): string {
  const errors = output.split('\n').filter((line) => /FATAL|PANIC|error:/.test(line))
  return errors.length > 0 ? errors.join(' ') : output
}
