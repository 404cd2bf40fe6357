import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { readPostmasterPid } from '../../../src/platform/embedded-postgres/postmaster-pid.ts'
import { findProcess, serversOf } from '../../../src/platform/embedded-postgres/process-table.ts'
import { chooseServerUser } from '../../../src/platform/embedded-postgres/run-as.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  cleanUp,
  countRows,
  eventually,
  hasEnded,
  hasSetpriv,
  isRoot,
  killHard,
  preparedFolder,
  query,
  RecordingLog,
  removeTemplate,
  start,
  startService,
} from './embedded-support.ts'

const WAIT_MS = 60_000
const servesAgain = (line: string): boolean => line.includes('PostgreSQL is available again')

afterEach(cleanUp)
afterAll(removeTemplate)

/** A service in a separate process, with a hundred committed rows. */
async function serviceWithRows(options: { path?: string } = {}) {
  const dataDir = await preparedFolder()
  const { child, answer: response } = await startService(dataDir, options)
  await query(response.ownerUrl, 'create table kept (n int)')
  await query(response.ownerUrl, 'insert into kept select generate_series(1, 100)')
  const postmaster = (await readPostmasterPid(response.dataFolder))?.pid ?? 0
  return { dataDir, child, postmaster, cluster: response.dataFolder }
}

describe('after kill -9 of the service', () => {
  it.runIf(hasSetpriv)('no server is left running and every row is present (needs setpriv)', async () => {
    const { dataDir, child, postmaster, cluster } = await serviceWithRows()
    await killHard(child)
    expect(await eventually(async () => (await findProcess(postmaster)) === undefined)).toBe(true)
    expect(await serversOf(cluster)).toEqual([])
    expect(await countRows((await start(dataDir)).ownerUrl)).toBe(100)
  })

  it('an orphan server without setpriv is stopped by the next start, and every row is present', async () => {
    const { dataDir, child, postmaster, cluster } = await serviceWithRows({ path: '/nonexistent' })
    await killHard(child)
    expect(await findProcess(postmaster)).toMatchObject({ pid: postmaster })
    const log = new RecordingLog()
    const { ownerUrl: url } = await start(dataDir, { log })
    expect(log.lines[0]).toContain('PostgreSQL server of a service that has ended')
    expect((await readPostmasterPid(cluster))?.pid).not.toBe(postmaster)
    expect(await findProcess(postmaster)).toBeUndefined()
    expect(await countRows(url)).toBe(100)
  })

  it('and of the server, it recovers and every row is present', async () => {
    const { dataDir, child, postmaster } = await serviceWithRows({ path: '/nonexistent' })
    child.kill('SIGKILL')
    process.kill(postmaster, 'SIGKILL')
    await hasEnded(child)
    expect(await countRows((await start(dataDir)).ownerUrl)).toBe(100)
  })
})

describe('stale postmaster.pid', () => {
  it('is removed when its pid belongs to an unrelated process of the same user, which keeps running', async () => {
    const dataDir = await preparedFolder()
    const first = await start(dataDir)
    await query(first.ownerUrl, 'create table kept (n int)')
    await first.stop()
    const { uid, gid } = chooseServerUser()
    const unrelatedProcess = spawn('sleep', ['60'], {
      cwd: '/',
      stdio: 'ignore',
      ...(isRoot && { uid, gid }),
    })
    const lines = `${unrelatedProcess.pid}\n${first.dataFolder}\n1\n5432\n${first.dataFolder}\n\n  1  1\nready   \n`
    writeFileSync(join(first.dataFolder, 'postmaster.pid'), lines, { mode: 0o644 })
    writeFileSync(join(first.dataFolder, '.s.PGSQL.5432.lock'), lines, { mode: 0o644 })
    try {
      const log = new RecordingLog()
      expect(await countRows((await start(dataDir, { log })).ownerUrl)).toBe(0)
      expect(log.lines[0]).toContain('removing the pid file')
      expect(await findProcess(unrelatedProcess.pid ?? 0)).toBeDefined()
    } finally {
      unrelatedProcess.kill('SIGKILL')
    }
  })

  it('that was deleted by hand does not lead to a second server: the first is found and stopped', async () => {
    const { dataDir, postmaster } = await serviceWithRows()
    const base = join(dataDir, 'postgres')
    for (const name of readdirSync(base).filter((n) => n.startsWith('owner.'))) rmSync(join(base, name))
    expect(await countRows((await start(dataDir)).ownerUrl)).toBe(100)
    expect(await findProcess(postmaster)).toBeUndefined()
  })
})

it('of a start that was interrupted during initialization is cleaned up', {
  timeout: 300_000,
}, async () => {
  const dataDir = await preparedFolder()
  const first = await start(dataDir)
  await first.stop()
  const base = join(dataDir, 'postgres')
  renameSync(join(base, 'cluster'), join(base, 'cluster.unfinished'))
  const { ownerUrl: url } = await start(dataDir)
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(readdirSync(base)).not.toContain('cluster.unfinished')
})

it('does not flood the server log', async () => {
  const dataDir = await preparedFolder()
  const { ownerUrl: url } = await start(dataDir)
  await query(url, 'select 1/0').catch(() => undefined)
  const text = readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')
  expect(text).toContain('ready to accept connections')
  expect(text).not.toContain('division')
})

describe('a server that exits while the service runs', { timeout: 2 * WAIT_MS }, () => {
  it('is restarted in the same place each time, and every row is present', async () => {
    const dataDir = await preparedFolder()
    const log = new RecordingLog()
    const embedded = await start(dataDir, { log })
    await query(embedded.ownerUrl, 'create table kept (n int)')
    for (const round of [1, 2, 3]) {
      const before = (await readPostmasterPid(embedded.dataFolder))?.pid ?? 0
      process.kill(before, 'SIGKILL')
      await waitFor(() => log.lines.filter(servesAgain).length === round, WAIT_MS)
      await query(embedded.ownerUrl, `insert into kept values (${round})`)
      expect((await readPostmasterPid(embedded.dataFolder))?.pid).not.toBe(before)
    }
    expect(log.lines.filter((line) => line.includes('PostgreSQL ended by itself'))).toHaveLength(3)
    expect(await countRows(embedded.ownerUrl)).toBe(3)
    expect(embedded.notes).toEqual([])
  })

  it('is retried and reported for as long as it cannot start', async () => {
    const dataDir = await preparedFolder()
    const log = new RecordingLog()
    const embedded = await start(dataDir, { log })
    const control = join(embedded.dataFolder, 'global', 'pg_control')
    renameSync(control, `${control}.away`)
    process.kill((await readPostmasterPid(embedded.dataFolder))?.pid ?? 0, 'SIGKILL')
    const failed = () => log.lines.filter((line) => line.includes('could not be restarted')).length
    await waitFor(() => failed() >= 2, WAIT_MS)
    expect(embedded.notes).toEqual([expect.stringContaining('PostgreSQL ended by itself')])
    renameSync(`${control}.away`, control)
    await waitFor(() => log.lines.some(servesAgain), WAIT_MS)
    expect(await query(embedded.ownerUrl, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(embedded.notes).toEqual([])
  })

  it('is not restarted by a service that stops meanwhile', async () => {
    const dataDir = await preparedFolder()
    const log = new RecordingLog()
    const embedded = await start(dataDir, { log })
    process.kill((await readPostmasterPid(embedded.dataFolder))?.pid ?? 0, 'SIGKILL')
    await embedded.stop()
    // Processes of the killed server end by themselves; those of a restarted one would remain.
    await waitFor(async () => (await serversOf(embedded.dataFolder)).length === 0, WAIT_MS)
    const { ownerUrl: url } = await start(dataDir)
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })
})
