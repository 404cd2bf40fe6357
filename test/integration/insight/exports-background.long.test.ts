import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepExports } from '../../../src/areas/insight/exports/index.ts'
import { makeExportRunner } from '../../../src/areas/insight/exports/runner.ts'
import { locationOfNew } from '../../../src/areas/insight/exports/storage-location.ts'
import { listWaiting } from '../../../src/areas/insight/exports/store.ts'
import { type JsonColumns, toJson } from '../../../src/platform/db/json-columns.ts'
import { systemDb } from '../../../src/platform/db/tenant.ts'
import {
  EXPORT_RANGE,
  EXPORT_START,
  EXPORT_STEPS,
  type ExportFixture,
  setUpExports,
} from '../../support/insight/exports.ts'
import { insertSamples } from '../../support/metering/many-samples.ts'
import { createDevice } from '../../support/metering/measurements.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let exports: ExportFixture
beforeAll(async () => {
  exports = await setUpExports('exports-background')
})
afterAll(() => exports.close())

describe('background export', () => {
  it('is created, notified, listed, downloaded and deleted', async () => {
    const created = await exports.request({
      async: true,
      interval: 'raw',
      format: 'xlsx',
      file_name: 'Kasım ölçümü',
    })
    expect(created.status).toBe(200)
    expect(created.body).toMatchObject({ file_name: 'Kasım ölçümü.xlsx', rows_done: 0 })
    const done = await exports.until(created.body.export_id, 'completed')
    expect(done).toMatchObject({
      progress_pct: 100,
      rows_done: EXPORT_STEPS,
      rows_total: EXPORT_STEPS,
      error: null,
    })
    expect(done.expires_at).toBe('2026-11-12T09:00:00.000Z')

    const { bytes, headers } = await exports.bytesOf(`/exports/${done.export_id}/download`)
    expect(bytes.length).toBe(done.size_bytes)
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Kas%C4%B1m%20%C3%B6l")
    expect((await readSheet(bytes)) as unknown[][]).toHaveLength(EXPORT_STEPS + 1)
    expect((await exports.get('?status=completed')).body.items).toContainEqual(done)

    for (const path of [`/${done.export_id}`, `/${done.export_id}/download`]) {
      expect((await exports.get(path, exports.otherTenant.viewer.token)).status).toBe(404)
    }
    expect((await exports.remove(done.export_id)).status).toBe(204)
    expect((await exports.get(`/${done.export_id}/download`)).status).toBe(404)
    expect(await readdir(join(exports.dataDir, 'exports', String(exports.tenant.id)))).toEqual([])
  })

  it('is used automatically for a large export', async () => {
    const response = await exports.request({
      start: '2025-11-01',
      device_ids: await manyDevices(),
      metrics: ['voltage'],
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('json')
    const done = await exports.until(response.body.export_id, 'completed')
    expect(done.rows_done).toBeLessThan(500)
    await exports.remove(done.export_id)
  })

  const manyDevices = async () => {
    const rows = await exports.api.deps.database.kysely
      .insertInto('device')
      .values(
        Array.from({ length: 9 }, (_, index) => ({
          tenant_id: exports.tenant.id,
          name: `silent ${index}`,
          device_type: 'meter',
          device_source: 'manual',
        })),
      )
      .returning('id')
      .execute()
    return [exports.meter.id, ...rows.map(({ id }) => id)]
  }

  it('contains every sample once and in order, with any number of batches', async () => {
    const count = 30_001
    const device = await createDevice(exports.api, exports.tenant)
    await insertSamples(
      exports.api,
      { tenant: exports.tenant, device },
      { count, startAt: EXPORT_START - 30 * DAY, stepMs: 60_000 },
    )
    const request = {
      device_ids: [device.id],
      start: '2026-10-01',
      interval: 'raw',
      async: true,
      locale: 'en',
    }
    const exported = async (format: string) => {
      const { body } = await exports.request({ ...request, format })
      expect(await exports.until(body.export_id, 'completed')).toMatchObject({
        rows_done: count,
        rows_total: count,
      })
      const { bytes } = await exports.bytesOf(`/exports/${body.export_id}/download`)
      await exports.remove(body.export_id)
      return bytes
    }
    const lines = (await exported('csv')).toString().trim().split('\r\n').slice(1)
    const expected = Array.from({ length: count }, (_, index) => String(index / 1000))
    expect(lines.map((line) => line.split(',')[3])).toEqual(expected)
    const rows = ((await readSheet(await exported('xlsx'))) as unknown[][]).slice(1)
    expect(rows.map((row) => String(row[3]))).toEqual(expected)
  })

  /** Inserts an export as a process that is gone has left it. */
  const insertExport = (fields: object) =>
    exports.api.deps.database.kysely
      .insertInto('data_export')
      .values({
        tenant_id: exports.tenant.id,
        format: 'csv',
        file_name: 'left.csv',
        location: 'another machine:/data/exports',
        request: toJson({} as JsonColumns['data_export.request']),
        created_at: new Date(exports.api.clock.now()),
        ...fields,
      })
      .returning('id')
      .executeTakeFirstOrThrow()

  // The tokens expire before the days by which the clock is advanced.
  const stored = () => exports.api.deps.database.kysely.selectFrom('data_export').selectAll().execute()

  it('is restarted from the beginning after a stop of the process, twice at most', async () => {
    const created = await exports.request({ async: true })
    await exports.until(created.body.export_id, 'completed')
    const [row] = await stored()
    const asItWas = { location: row?.location ?? '', request: JSON.stringify(row?.request) }
    const silent = {
      ...asItWas,
      status: 'running',
      heartbeat_at: new Date(exports.api.clock.now()),
      rows_done: '7',
    }
    const once = await insertExport({ ...silent, attempts: 1 })
    const twice = await insertExport({
      ...silent,
      attempts: 2,
      created_at: new Date(exports.api.clock.now() - HOUR),
    })
    // With the embedded database, every running export is from a killed process, however recent its
    // heartbeat.
    const runner = makeExportRunner(exports.api.deps)
    runner.wake()
    expect(await exports.until(once.id, 'completed')).toMatchObject({ rows_done: 96, progress_pct: 100 })
    expect((await exports.get(`/${twice.id}`)).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('twice'),
    })
    const headers = { 'accept-language': 'tr' }
    const inTurkish = await exports.api.call('GET', `/api/measurements/exports/${twice.id}`, {
      ...{ token: exports.tenant.viewer.token, headers },
    })
    expect(inTurkish.body.error).toBe('hizmet bu dışa aktarım hazırlanırken iki kez durdu; yeniden isteyin')

    // An orderly stop requeues the running export without counting an attempt.
    const third = await insertExport({ ...asItWas, status: 'queued' })
    runner.wake()
    await runner.stop()
    const left = (await stored()).find(({ id }) => id === third.id)
    expect([left?.status, left?.attempts]).toSatisfy(
      ([status, attempts]) =>
        (status === 'completed' && attempts === 1) || (status === 'queued' && attempts === 0),
    )
    const next = makeExportRunner(exports.api.deps)
    next.wake()
    await exports.until(third.id, 'completed')
    await next.stop()
    for (const { id } of [once, twice, third, { id: created.body.export_id }]) await exports.remove(id)
  })

  it('leaves nothing behind when it is deleted while it runs', async () => {
    const request = {
      device_ids: [exports.meter.id],
      ...EXPORT_RANGE,
      format: 'csv',
      interval: 'raw',
      locale: 'tr',
    }
    const { id } = await insertExport({
      location: await locationOfNew(exports.api.deps.config),
      status: 'queued',
      request: JSON.stringify({ ...request, metrics: null, delimiter: null, file_name: 'a.csv' }),
    })
    const runner = makeExportRunner(exports.api.deps)
    await exports.api.deps.database.kysely.transaction().execute(async (tx) => {
      // A reader of samples waits until the transaction is over.
      await sql`lock table measurement in access exclusive mode`.execute(tx)
      runner.wake()
      await exports.until(id, 'running')
      expect((await exports.remove(id)).status).toBe(204)
      expect((await exports.get(`/${id}`)).status).toBe(404)
    })
    const next = await exports.request({ async: true })
    await exports.until(next.body.export_id, 'completed')
    await runner.stop()
    const folder = join(exports.dataDir, 'exports', String(exports.tenant.id))
    expect(await readdir(folder)).toEqual([`${next.body.export_id}.csv`])
    expect((await stored()).map((row) => row.id)).toEqual([next.body.export_id])
    await exports.remove(next.body.export_id)
  })

  it('is run in order of age, with the tenants in turn', async () => {
    const location = 'a folder of its own'
    const ages = [1, 3, 2].map((hours) => new Date(exports.api.clock.now() - hours * HOUR))
    const [later, first, second] = await Promise.all([
      insertExport({ location, status: 'queued', created_at: ages[0] }),
      insertExport({ location, status: 'queued', created_at: ages[1], tenant_id: exports.otherTenant.id }),
      insertExport({ location, status: 'queued', created_at: ages[2] }),
    ])
    const waiting = (limit: number) =>
      listWaiting(systemDb(exports.api.deps.database.kysely), [location], limit)
    expect((await waiting(1)).map(({ id }) => id)).toEqual([first?.id])
    expect((await waiting(5)).map(({ id }) => id)).toEqual([first?.id, second?.id])
    for (const one of [later, second]) await exports.remove(one?.id ?? '')
    await exports.api.deps.database.kysely
      .deleteFrom('data_export')
      .where('location', '=', location)
      .execute()
  })

  it('reports why it failed', async () => {
    const { id } = await insertExport({
      location: await locationOfNew(exports.api.deps.config),
      status: 'queued',
      request: JSON.stringify({
        device_ids: [exports.meter.id],
        format: 'csv',
        interval: 'daily',
        start: 'never',
      }),
    })
    const runner = makeExportRunner(exports.api.deps)
    runner.wake()
    await expect(exports.until(id, 'completed')).rejects.toThrow('could not be made')
    await runner.stop()
    await exports.remove(id)
  })

  it('has no file until it is completed, nor in a process with another folder', async () => {
    const { id: failed } = await insertExport({ status: 'failed' })
    expect((await exports.get(`/${failed}/download`)).body).toMatchObject({ error_code: 'STATE_CONFLICT' })
    const { id: elsewhere } = await insertExport({ status: 'completed', size_bytes: '5' })
    const response = await exports.get(`/${elsewhere}/download`)
    expect([response.status, response.body.detail]).toEqual([409, expect.stringContaining('another process')])
    for (const id of [failed, elsewhere]) await exports.remove(id)
  })

  it('is rejected when too many are queued, and deletes the oldest finished one for its own place', async () => {
    const waiting = await Promise.all(Array.from({ length: 5 }, () => insertExport({ status: 'queued' })))
    expect((await exports.request({ async: true })).body).toMatchObject({ error_code: 'STATE_CONFLICT' })
    for (const { id } of waiting) await exports.remove(id)
    for (let index = 0; index < 22; index++) {
      await insertExport({
        status: 'failed',
        created_at: new Date(exports.api.clock.now() - (index + 1) * HOUR),
      })
    }
    const created = await exports.request({ async: true })
    await exports.until(created.body.export_id, 'completed')
    expect((await exports.get('')).body.total).toBe(20)
  })

  it('is deleted when it is old, with files without a row', async () => {
    const created = await exports.request({ async: true })
    await exports.until(created.body.export_id, 'completed')
    const folder = join(exports.dataDir, 'exports', String(exports.tenant.id))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'stray.csv'), 'x')
    await writeFile(join(folder, `${crypto.randomUUID()}.csv.part`), 'x')
    await sweepExports(exports.api.deps)
    expect(await readdir(folder)).toContain(`${created.body.export_id}.csv`)
    expect((await readdir(folder)).filter((name) => /stray|part/.test(name))).toEqual([])
    const { id: lost } = await insertExport({
      status: 'running',
      heartbeat_at: new Date(exports.api.clock.now()),
    })
    exports.api.clock.advance(2 * DAY)
    await sweepExports(exports.api.deps)
    expect(await stored()).toContainEqual(
      expect.objectContaining({
        id: lost,
        status: 'failed',
        error: { code: 'EXPORT_PROCESS_GONE', parameters: {} },
      }),
    )
    exports.api.clock.advance(6 * DAY)
    await sweepExports(exports.api.deps)
    expect(await stored()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })
})
