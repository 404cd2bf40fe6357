import { randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseLocation } from './place.ts'
import { run } from './run-as.ts'

/** `superuser`: role postgres, for backups and first set-up only. `netsaat`: the role that serves. */
export interface Passwords {
  readonly superuser: string
  readonly netsaat: string
}

export const passwordsFile = (folder: string) => join(folder, 'passwords.json')

/**
 * The passwords are written before the cluster exists, so a cluster without them cannot come about by a
 * crash.
 */
export async function readOrMakePasswords(location: DatabaseLocation): Promise<Passwords> {
  const text = await readFile(passwordsFile(location.base), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) return JSON.parse(text) as Passwords
  if (await clusterExists(location)) {
    throw new Error(
      `${passwordsFile(location.base)} is missing, so the database next to it cannot be opened: restore a backup`,
    )
  }
  const fresh = () => randomBytes(24).toString('base64url')
  const passwords = { superuser: fresh(), netsaat: fresh() }
  const draft = `${passwordsFile(location.base)}.new`
  await writeFile(draft, JSON.stringify(passwords), { mode: 0o600, flush: true })
  await rename(draft, passwordsFile(location.base))
  return passwords
}

export async function clusterExists(location: DatabaseLocation): Promise<boolean> {
  return (await lstat(location.cluster).catch(() => undefined)) !== undefined
}

/**
 * An empty folder for a cluster in the making, owned by the server's user. It gets its name only when whole.
 */
export async function makeUnfinished(location: DatabaseLocation): Promise<string> {
  const folder = `${location.cluster}.unfinished`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await chmod(folder, 0o700)
  if (location.user.switched) await chown(folder, location.user.uid, location.user.gid)
  return folder
}

/**
 * Creates the cluster. Text sorts and folds by the builtin provider's C.UTF-8: code points for order, Unicode
 * for upper and lower case. It is part of the server, so no update of libc or ICU can silently break an
 * index, and the answer is the same on every system. Turkish order is asked for where it is shown (COLLATE
 * "tr-x-icu").
 */
export async function createCluster(
  location: DatabaseLocation,
  initdb: string,
  sync: boolean,
): Promise<void> {
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

function explain(output: string, location: DatabaseLocation): string {
  const text = `PostgreSQL could not create its data folder in ${location.base}: ${output}`
  if (output.includes('could not look up effective user ID')) {
    return `User id ${location.user.uid} has no line in /etc/passwd, which initdb needs: add one, or set DATABASE_URL`
  }
  // The file is there, its loader is not: a system without glibc, such as Alpine.
  if (output.includes('ENOENT')) return `${text} (the binaries need glibc; set DATABASE_URL)`
  return text
}
