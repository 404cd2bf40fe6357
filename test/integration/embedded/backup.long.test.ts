import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { backupEmbedded, restoreEmbedded } from '../../../src/platform/embedded-postgres/backup.ts'
import {
  cleanUp,
  countRows,
  preparedFolder,
  query,
  RecordingLog,
  removeTemplate,
  start,
  startService,
  temporaryFolder,
} from './embedded-support.ts'

afterEach(cleanUp)
afterAll(removeTemplate)

/** Inserts batches until the caller stops it; resolves with the number of committed rows. */
async function writeUntil(url: string, stopped: { yes: boolean }): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows = 0
  while (!stopped.yes) {
    await client.query("insert into kept select g, repeat('x', 200) from generate_series(1, 100) g")
    rows += 100
  }
  await client.end()
  return rows
}

describe('backup of the embedded database', () => {
  it('contains every row committed before it and is consistent during writes', async () => {
    const dataDir = await preparedFolder()
    const { ownerUrl: url, backup } = await start(dataDir)
    await query(url, 'create table kept (n int, filler text)')
    await query(url, "insert into kept select g, repeat('y', 300) from generate_series(1, 20000) g")
    const stopped = { yes: false }
    const writing = writeUntil(url, stopped)
    await sleep(200)
    const before = await countRows(url)
    const folder = join(temporaryFolder(), 'first')
    await backup(folder)
    stopped.yes = true
    const total = 20_000 + (await writing)
    expect(await countRows(url)).toBe(total)
    expect(statSync(folder).mode & 0o777).toBe(0o700)

    const restoredDir = join(temporaryFolder(), 'data')
    await restoreEmbedded({ backupDir: folder, dataDir: restoredDir })
    const restored = await start(restoredDir)
    const rows = await countRows(restored.ownerUrl)
    expect(rows).toBeGreaterThanOrEqual(before)
    expect(rows).toBeLessThanOrEqual(total)
    expect(rows % 100).toBe(0)
    await query(restored.ownerUrl, "insert into kept values (1, 'the restored one takes writes')")
  })

  it('can be created by another process than the service, and without a service', async () => {
    const dataDir = await preparedFolder()
    const { child, answer: response } = await startService(dataDir)
    await query(response.ownerUrl, 'create table kept as select generate_series(1, 10) as n')
    const target = temporaryFolder()
    const log = new RecordingLog()
    await backupEmbedded({ dataDir, backupDir: join(target, 'running'), log })
    expect(await countRows(response.ownerUrl)).toBe(10)
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    await backupEmbedded({ dataDir, backupDir: join(target, 'stopped'), log })
    for (const name of ['running', 'stopped']) {
      const restored = join(target, `${name}-restored`)
      await restoreEmbedded({ backupDir: join(target, name), dataDir: restored })
      expect(await countRows((await start(restored)).ownerUrl)).toBe(10)
    }
  })

  it('is rejected for a folder with content and for the database folder itself', async () => {
    const dataDir = await preparedFolder()
    const { backup, dataFolder } = await start(dataDir)
    const full = temporaryFolder()
    writeFileSync(join(full, 'letter.txt'), 'keep me')
    await expect(backup(full)).rejects.toThrow(`The backup folder ${full} is not empty`)
    await expect(backup(join(dataFolder, 'inside'))).rejects.toThrow('cannot lie inside')
  })
})

describe('restore of the embedded database', () => {
  it('is rejected onto a database, a running service, and from an incomplete backup', async () => {
    const dataDir = await preparedFolder()
    const running = await start(dataDir)
    const folder = join(temporaryFolder(), 'backup')
    await running.backup(folder)
    await expect(restoreEmbedded({ backupDir: folder, dataDir })).rejects.toThrow('Another Netsaat')
    await running.stop()
    await expect(restoreEmbedded({ backupDir: folder, dataDir })).rejects.toThrow('There is a database in')
    expect(await query((await start(dataDir)).ownerUrl, 'select 1 as n')).toEqual([{ n: 1 }])

    rmSync(join(folder, 'backup.json'))
    const elsewhere = temporaryFolder()
    await expect(restoreEmbedded({ backupDir: folder, dataDir: elsewhere })).rejects.toThrow(
      'backup.json is missing',
    )
    mkdirSync(join(elsewhere, 'other'))
    await expect(
      restoreEmbedded({ backupDir: join(elsewhere, 'other'), dataDir: elsewhere }),
    ).rejects.toThrow('is not a backup')
  })
})
