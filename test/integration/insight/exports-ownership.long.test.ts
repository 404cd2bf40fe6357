import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOf } from '../../../src/areas/insight/exports/folder.ts'
import { sweepExports } from '../../../src/areas/insight/exports/index.ts'
import { makeExportRunner } from '../../../src/areas/insight/exports/runner.ts'
import { locationOfNew, ownLocations } from '../../../src/areas/insight/exports/storage-location.ts'
import { type JsonColumns, toJson } from '../../../src/platform/db/json-columns.ts'
import { EXPORT_RANGE, type ExportFixture, setUpExports } from '../../support/insight/exports.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOUR = 3_600_000

let exports: ExportFixture
beforeAll(async () => {
  exports = await setUpExports('exports-ownership')
})
afterAll(() => exports.close())

/** Deps of one of several processes, which share a database and a folder. */
const sharedDeps = () => ({
  ...exports.api.deps,
  config: { ...exports.api.deps.config, databaseUrl: 'postgresql://shared' },
})

const insertQueued = async (location?: string) =>
  exports.api.deps.database.kysely
    .insertInto('data_export')
    .values({
      tenant_id: exports.tenant.id,
      format: 'csv',
      file_name: 'a.csv',
      location: location ?? (await locationOfNew(exports.api.deps.config)),
      created_at: new Date(exports.api.clock.now()),
      request: toJson({
        ...{
          device_ids: [exports.meter.id],
          ...EXPORT_RANGE,
          format: 'csv',
          interval: 'raw',
          locale: 'tr',
          headers: 'names',
        },
        ...{ metrics: null, delimiter: null, file_name: 'a.csv' },
      } as JsonColumns['data_export.request']),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

const stored = (id: string) =>
  exports.api.deps.database.kysely
    .selectFrom('data_export')
    .select(['status', 'attempts'])
    .where('tenant_id', '=', exports.tenant.id)
    .where('id', '=', id)
    .executeTakeFirst()

const statusOf = async (id: string): Promise<string | undefined> => (await stored(id))?.status

/** Starts an export in the first process and keeps it waiting for its samples while `during` runs. */
async function whileItRuns(during: (id: string) => Promise<void>, isOver: (id: string) => Promise<boolean>) {
  const { id } = await insertQueued()
  const first = makeExportRunner(sharedDeps())
  try {
    await exports.api.deps.database.kysely.transaction().execute(async (tx) => {
      await sql`lock table measurement in access exclusive mode`.execute(tx)
      first.wake()
      await waitFor(async () => (await statusOf(id)) === 'running')
      await during(id)
    })
    await waitFor(() => isOver(id))
  } finally {
    await first.stop()
  }
  return id
}

describe('export of one of several processes', () => {
  it('that another process has taken over is left to it, with its file', async () => {
    const pathOfExport = (id: string) =>
      pathOf(exports.api.deps.config, { tenantId: exports.tenant.id, id, format: 'csv' })
    const id = await whileItRuns(
      async (running) => {
        await exports.api.deps.database.kysely
          .updateTable('data_export')
          .set({ attempts: 2 })
          .where('tenant_id', '=', exports.tenant.id)
          .where('id', '=', running)
          .execute()
        const path = pathOfExport(running)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, 'of the other process')
      },
      async () => true,
    )
    expect(await stored(id)).toEqual({ status: 'running', attempts: 2 })
    expect(await readFile(pathOfExport(id), 'utf8')).toBe('of the other process')
    await exports.remove(id)
  })

  it('is known by the id of its folder, also to a machine with another name', async () => {
    const { config } = exports.api.deps
    const locations = await Promise.all(Array.from({ length: 8 }, () => locationOfNew(config)))
    expect(new Set(locations).size).toBe(1)
    expect(await ownLocations(config)).toContain(locations[0])
    // The sweep deletes unknown files, and leaves the id.
    await sweepExports(exports.api.deps)
    expect(await locationOfNew(config)).toBe(locations[0])
  })

  it('is left to the processes of its folder by one with the same name and path', async () => {
    const { body: created } = await exports.request({ async: true })
    await exports.until(created.export_id, 'completed')
    const theirs = await locationOfNew(exports.api.deps.config)
    const folder = join(exports.dataDir, 'exports')
    // From here on the service is one of another container, which has an empty volume at the same path.
    await rename(folder, `${folder}.away`)
    expect(await locationOfNew(exports.api.deps.config)).not.toBe(theirs)
    const { id: waiting } = await insertQueued(theirs)
    const runner = makeExportRunner(sharedDeps())
    runner.wake()
    await runner.stop()
    expect(await stored(waiting)).toEqual({ status: 'queued', attempts: 0 })
    const isNoted = async () => JSON.stringify((await exports.api.call('GET', '/readiness')).body.notes)
    expect(await isNoted()).not.toContain('folder of other processes')
    const refused = await exports.get(`/${created.export_id}/download`)
    expect([refused.status, refused.body.message_code]).toEqual([409, 'EXPORT_FILE_ELSEWHERE'])
    expect(await isNoted()).toContain('in a folder of other processes: 1;')

    await rm(folder, { recursive: true })
    await rename(`${folder}.away`, folder)
    expect(await locationOfNew(exports.api.deps.config)).toBe(theirs)
    expect((await exports.bytesOf(`/exports/${created.export_id}/download`)).bytes.length).toBeGreaterThan(0)
    for (const id of [created.export_id, waiting]) await exports.remove(id)
  })

  it('is still found by its host name and path when it was accepted by a version without ids', async () => {
    const { id } = await insertQueued(`${hostname()}:${join(exports.dataDir, 'exports')}`)
    const runner = makeExportRunner(sharedDeps())
    runner.wake()
    await exports.until(id, 'completed')
    await runner.stop()
    await exports.remove(id)
  })

  it('is accepted and fails with its reason when the folder cannot be written to', async () => {
    const folder = join(exports.dataDir, 'exports')
    await rename(folder, `${folder}.away`)
    await writeFile(folder, 'a file instead of a folder')
    const { status, body } = await exports.request({ async: true })
    expect(status).toBe(200)
    await expect(exports.until(body.export_id, 'completed')).rejects.toThrow('could not be made')
    await rm(folder)
    await rename(`${folder}.away`, folder)
    await exports.remove(body.export_id)
  })

  it('is not taken over by another process when the clock jumps forward', async () => {
    const id = await whileItRuns(
      async (running) => {
        exports.api.clock.advance(2 * HOUR)
        const other = makeExportRunner(sharedDeps())
        other.wake()
        await other.stop()
        expect(await stored(running)).toEqual({ status: 'running', attempts: 1 })
      },
      async (running) => (await statusOf(running)) === 'completed',
    )
    expect((await stored(id))?.attempts).toBe(1)
  })
})
