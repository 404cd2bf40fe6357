import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type pg from 'pg'
import { TENANT_FOLDERS, tenantFolder } from '../files/data-folder.ts'
import { type Passwords, passwordsFile } from './cluster.ts'
import { copyOne, copyTree, flushTree } from './copy-tree.ts'
import type { DatabaseLocation } from './database-location.ts'
import type { PostmasterPid } from './postmaster-pid.ts'
import { asSuperuser } from './roles.ts'
import { copyTenantFiles, removeTenantFiles } from './tenant-files.ts'

export interface CopyRunningOptions {
  location: DatabaseLocation
  passwords: Passwords
  address: PostmasterPid
  /** DATA_DIR, with the files of tenants. */
  dataDir: string
  folder: string
}

/** Increased when the layout of a backup folder changes in a way that an older restore would misread. */
export const BACKUP_FORMAT = 2

export const manifestFile = (folder: string) => join(folder, 'backup.json')

/**
 * Folders whose content the server recreates at every start, so that they are copied empty; pg_wal is
 * copied after the rest.
 */
const EMPTIED = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
]
const LEFT_OUT =
  /(^|\/)(postmaster\.(pid|opts)|pgsql_tmp[^/]*|pg_internal\.init[^/]*|\.s\.PGSQL\.[^/]*|backup_label)$/
const CONTROL_FILE = 'global/pg_control'

/**
 * Copies the cluster of a running server, by PostgreSQL's "low-level" base backup, and the files of tenants. The
 * folder receives the data directory as `cluster`, the files as `files`, the passwords of the roles and, last, a
 * manifest; a restore refuses a folder without a manifest as incomplete.
 */
export async function copyRunningCluster({
  location,
  passwords,
  address,
  dataDir,
  folder,
}: CopyRunningOptions): Promise<void> {
  const target = resolve(folder)
  for (const source of [location.base, ...TENANT_FOLDERS.map((name) => tenantFolder({ dataDir }, name))])
    if (`${target}${sep}`.startsWith(`${source}${sep}`))
      throw new Error(`A backup cannot lie inside ${source}`)
  await claimEmptyFolder(target)
  const to = join(target, 'cluster')
  try {
    await copyTenantFiles(dataDir, target)
    const wal = await asSuperuser(address, passwords.superuser, (client) =>
      copyBetweenMarks(client, location.cluster, to),
    )
    await copyTenantFiles(dataDir, target)
    await writeFile(passwordsFile(target), JSON.stringify(passwords), { mode: 0o600, flush: true })
    await flushTree(to)
    const manifest = { format: BACKUP_FORMAT, ...wal }
    await writeFile(manifestFile(target), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    })
  } catch (error) {
    for (const path of [to, passwordsFile(target), manifestFile(target)])
      await rm(path, { recursive: true, force: true })
    await removeTenantFiles(target)
    throw error
  }
}

async function claimEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new Error(`The backup folder ${folder} is not empty`)
  await chmod(folder, 0o700)
}

interface Marks {
  taken_at: string
  server_version: string
  first_wal: string
  last_wal: string
}

async function copyBetweenMarks(client: pg.Client, from: string, to: string): Promise<Marks> {
  const copyOptions = { from, to, folderMode: 0o700, fileMode: 0o600, mayVanish: true }
  // A temporary replication slot keeps the WAL from being recycled for as long as the copy takes, and ends
  // with the connection.
  await client.query(
    "select pg_create_physical_replication_slot('netsaat_backup_' || pg_backend_pid(), true, true)",
  )
  await client.query("select pg_backup_start('netsaat', fast => true)")
  await copyTree({ ...copyOptions, skip: isLeftOut })
  await copyOne(copyOptions, CONTROL_FILE)
  const { rows } = await client.query<{
    labelfile: string
    spcmapfile: string
    last: string
    at: string
    version: string
  }>(
    `select labelfile, spcmapfile, pg_walfile_name(lsn) as last, now()::text as at,
            current_setting('server_version') as version
       from pg_backup_stop(wait_for_archive => false)`,
  )
  const stop = rows[0]
  const first = /\(file ([0-9A-F]{24})\)/.exec(stop?.labelfile ?? '')?.[1]
  if (!stop || !first) throw new Error('PostgreSQL gave no backup label')
  if (stop.spcmapfile !== '') throw new Error('Tablespaces outside the data folder are not backed up')
  await writeFile(join(to, 'backup_label'), stop.labelfile, { mode: 0o600, flush: true })
  await copyWal({ from: join(from, 'pg_wal'), to: join(to, 'pg_wal'), first, last: stop.last })
  return { taken_at: stop.at, server_version: stop.version, first_wal: first, last_wal: stop.last }
}

function isLeftOut(path: string): boolean {
  const [top = '', inner] = path.split('/')
  // The folders inside pg_wal (archive_status, summaries) are recreated by the server when they are missing.
  if (inner !== undefined && EMPTIED.includes(top)) return true
  return path === CONTROL_FILE || LEFT_OUT.test(path)
}

/**
 * Copies every WAL segment between the two marks. A missing segment would make the backup useless without
 * any notice, so it is an error.
 */
async function copyWal({ from, to, first, last }: { from: string; to: string; first: string; last: string }) {
  const wanted = (name: string) =>
    name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
  const names = (await readdir(from)).filter(wanted).sort()
  for (const name of names) await copyOne({ from, to, folderMode: 0o700, fileMode: 0o600 }, name)
  const copied = names.filter((name) => !name.endsWith('.history'))
  if (copied[0] !== first || copied.at(-1) !== last || copied.length !== segmentsBetween(first, last)) {
    throw new Error(`The write-ahead log from ${first} to ${last} is not complete`)
  }
}

/**
 * The number of segments between two names. A name consists of the timeline and the high and low part of
 * the segment number; there are 256 segments of 16 MB per high part.
 */
function segmentsBetween(first: string, last: string): number {
  const numberOf = (name: string) => parseInt(name.slice(8, 16), 16) * 256 + parseInt(name.slice(16), 16)
  return numberOf(last) - numberOf(first) + 1
}
