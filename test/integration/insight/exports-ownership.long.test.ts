import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathOf, storageLocation } from '../../../src/areas/insight/exports/folder.ts'
import { makeExportRunner } from '../../../src/areas/insight/exports/runner.ts'
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

const insertQueued = () =>
  exports.api.deps.database.kysely
    .insertInto('data_export')
    .values({
      tenant_id: exports.tenant.id,
      format: 'csv',
      file_name: 'a.csv',
      location: storageLocation(exports.api.deps.config),
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
