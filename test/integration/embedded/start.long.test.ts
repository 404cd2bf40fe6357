import { chmodSync, chownSync, cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findNative } from '../../../src/platform/embedded-postgres/binaries.ts'
import { readPostmasterPid } from '../../../src/platform/embedded-postgres/postmaster-pid.ts'
import { findProcess } from '../../../src/platform/embedded-postgres/process-table.ts'
import { ownerOf } from '../../../src/platform/embedded-postgres/run-as.ts'
import {
  cleanUp,
  isOpenToOthers,
  isRoot,
  preparedFolder,
  query,
  removeTemplate,
  start,
  startService,
  temporaryFolder,
} from './embedded-support.ts'

afterEach(cleanUp)
afterAll(removeTemplate)

describe('embedded PostgreSQL', () => {
  it('starts as this user, serves a role without special rights and keeps its rows over a restart', async () => {
    const dataDir = temporaryFolder()
    const first = await start(dataDir, { settings: {} })
    expect(first.dataFolder).toBe(join(dataDir, 'postgres', 'cluster'))
    const [role] = await query<Record<string, unknown>>(
      first.url,
      `select rolsuper, rolcreatedb, rolcreaterole, current_database() as db, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as sync, current_setting('data_checksums') as sums,
              current_setting('timezone') as tz, current_setting('server_encoding') as encoding,
              current_setting('listen_addresses') as listen, datlocprovider, datlocale
         from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
    expect(role).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      db: 'netsaat',
      fsync: 'on',
      sync: 'on',
      sums: 'on',
      tz: 'UTC',
      encoding: 'UTF8',
      listen: '',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
    })
    await query(first.ownerUrl, 'create extension btree_gist; create schema extra; create table kept (n int)')
    await query(first.ownerUrl, 'insert into kept select generate_series(1, 1000)')
    await query(
      first.ownerUrl,
      'create table ledger (n int); revoke update, delete on ledger from current_user',
    )
    await expect(query(first.ownerUrl, 'delete from ledger')).rejects.toThrow('permission denied')
    await first.stop()
    expect(await readPostmasterPid(first.dataFolder)).toBeUndefined()

    let isReady = false
    const readyAtLaunch: boolean[] = []
    const second = await start(dataDir, { createDb: true, onLaunch: () => readyAtLaunch.push(isReady) })
    isReady = true
    expect(readyAtLaunch).toEqual([false])
    expect(await query(second.ownerUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }])
    await query(second.url, 'create database another')
  })

  it('writes its secrets readable by their owner only, and rejects a wrong password', async () => {
    const dataDir = temporaryFolder()
    const { url, dataFolder } = await start(dataDir)
    expect(statSync(join(dataDir, 'postgres', 'passwords.json')).mode & 0o777).toBe(0o600)
    expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication',
    )
    if (isRoot) expect(ownerOf(dataFolder)).toMatchObject({ switched: true })
  })

  it('runs two instances side by side, and rejects a second one on the same folder from any process', async () => {
    const [one, two] = [await preparedFolder(), await preparedFolder()]
    const [first, second] = await Promise.all([start(one), start(two)])
    expect(await query(first.url, 'select 1 as n')).toEqual(await query(second.url, 'select 1 as n'))
    await expect(start(one)).rejects.toThrow(/Another Netsaat \(process \d+\) uses the database/)
    const { answer: response } = await startService(one)
    expect(response.error).toMatch(
      `Another Netsaat (process ${process.pid}) uses the database in ${one}/postgres`,
    )
    expect(await query(first.url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  it('listens on a loopback port when the path is too long for a socket, and accepts special characters', async () => {
    const long = join(temporaryFolder(), 'x'.repeat(100))
    const odd = join(temporaryFolder(), `a, "b" c'd ığ`)
    // The copied binaries have a plain home here as in production: initdb passes their path to a shell.
    const sharedHome = temporaryFolder()
    const [far, strange] = await Promise.all([start(long), start(odd, { sharedHome })])
    expect(far.url).toMatch(/@127\.0\.0\.1:\d+\/netsaat$/)
    expect(await query(far.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    expect(await query(strange.url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  it('reports in one line why the server does not start, with the end of its log', async () => {
    const dataDir = await preparedFolder()
    const failure = start(dataDir, { settings: { shared_buffers: 'much' } })
    await expect(failure).rejects.toThrow(/PostgreSQL did not start \(exit code 1\).*invalid value/s)
    expect(await query((await start(dataDir)).url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  it('asks for DATABASE_URL on a platform that the package does not support', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch')
    Object.defineProperty(process, 'arch', { ...arch, value: 'mips' })
    try {
      await expect(start(temporaryFolder())).rejects.toThrow(/does not exist for \w+-mips: set DATABASE_URL$/)
    } finally {
      Object.defineProperty(process, 'arch', arch ?? {})
    }
  })
})

/** The platform package as `npm ci --ignore-scripts` leaves it. */
async function packageWithoutLinks(folder: string) {
  const native = await findNative()
  const copy = join(folder, 'native')
  cpSync(native.folder, copy, { recursive: true, verbatimSymlinks: true })
  for (const entry of readdirSync(join(copy, 'lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(join(copy, 'lib', entry.name))
  }
  return { folder: copy, version: native.version }
}

const linksIn = (folder: string) =>
  readdirSync(join(folder, 'lib'), { withFileTypes: true }).filter((entry) => entry.isSymbolicLink()).length

describe('binaries of the embedded PostgreSQL', () => {
  it('get their links when install scripts were skipped', async () => {
    const native = await packageWithoutLinks(temporaryFolder())
    expect(linksIn(native.folder)).toBe(0)
    const { notes, url } = await start(await preparedFolder(), { find: async () => native })
    expect(linksIn(native.folder)).toBe(14)
    expect(notes).toEqual([])
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  it.runIf(isRoot)(
    'and the data move to a separate folder when the project is not readable for others (needs root)',
    async () => {
      const project = temporaryFolder(0o700)
      const sharedHome = join(temporaryFolder(), 'var')
      const native = await packageWithoutLinks(project)
      const dataDir = join(project, 'data')
      const { notes, ownerUrl, dataFolder, stop } = await start(dataDir, {
        find: async () => native,
        sharedHome,
      })
      expect(dataFolder).toMatch(new RegExp(`^${sharedHome}/[0-9a-f]{16}/cluster$`))
      expect(notes).toHaveLength(2)
      expect(notes[0]).toContain(`because ${dataDir} cannot be entered`)
      expect(notes[1]).toContain(`${sharedHome}/server-`)
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
      await query(ownerUrl, 'create table kept (n int)')
      await stop()

      // Opening the project afterwards must not start an empty second database.
      chmodSync(project, 0o755)
      const again = await start(dataDir, { find: async () => native, sharedHome })
      expect(again.dataFolder).toBe(dataFolder)
      expect(await query(again.ownerUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 0 }])
    },
  )

  const needsOpenCheckout = 'needs root to become one, and a checkout that others may enter'
  it.runIf(isRoot && isOpenToOthers)(
    `and the server start for an ordinary user (${needsOpenCheckout})`,
    async () => {
      const dataDir = temporaryFolder()
      chownSync(dataDir, 65534, 65534)
      const { answer: response } = await startService(dataDir, { uid: 65534, gid: 65534 })
      expect(response.error).toBeUndefined()
      expect(statSync(response.dataFolder).uid).toBe(65534)
      expect(await query(response.url, 'select 1 as n')).toEqual([{ n: 1 }])
      const pid = (await readPostmasterPid(response.dataFolder))?.pid ?? 0
      expect(await findProcess(pid)).toMatchObject({ pid })
    },
  )

  it('are copied for an ordinary user who may not complete them in place', async () => {
    const folder = temporaryFolder()
    const native = await packageWithoutLinks(folder)
    const dataDir = await preparedFolder()
    if (isRoot) chownSync(join(native.folder, 'lib'), 1, 1)
    else chmodSync(join(native.folder, 'lib'), 0o555)
    const { notes, url } = await start(dataDir, { find: async () => native })
    // A user without write access there could not remove it at the end either.
    if (!isRoot) chmodSync(join(native.folder, 'lib'), 0o755)
    expect(linksIn(native.folder)).toBe(0)
    expect(notes[0]).toContain('runs from a copy')
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })
})
