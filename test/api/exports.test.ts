import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeOf } from '../../src/modules/exports/folder.ts'
import { sweepExports } from '../../src/modules/exports/index.ts'
import { makeExportRunner } from '../../src/modules/exports/runner.ts'
import { listWaiting } from '../../src/modules/exports/store.ts'
import { rollDevice } from '../../src/modules/measurements/index.ts'
import { systemDb } from '../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { makeDataFolder } from '../support/folder.ts'
import { insertSamples } from '../support/many-samples.ts'
import { createDevice, readAggregated, type TestDevice } from '../support/measurements.ts'
import { hasProgram } from '../support/programs.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-11-01T00:00:00+03:00')
const NAME = 'Şube ölçümü İğdır ğüşıöç'
/** A quarter of an hour each: four days. */
const STEPS = 4 * 96

let api: TestApi
let ours: TestTenant
let theirs: TestTenant
let dataDir: string
let meter: TestDevice
let plant: TestDevice

beforeAll(async () => {
  dataDir = await makeDataFolder('exports')
  api = await startApi({ now: '2026-11-05T12:00:00+03:00', config: { dataDir } })
  ours = await createTenant(api)
  theirs = await createTenant(api)
  meter = await createDevice(api, ours)
  plant = await createDevice(api, ours, { device_type: 'inverter' })
  await api.deps.database.kysely
    .updateTable('device')
    .set({ name: NAME })
    .where('id', '=', meter.id)
    .execute()
  const samples = Array.from({ length: STEPS + 1 }, (_, step) => START + step * 15 * 60_000).flatMap(
    (at, step) => [
      {
        deviceId: meter.id,
        at,
        values: {
          import_active_energy: 1_000 + step * 0.125,
          active_power: 0.5,
          voltage_l1: 231.5,
          oil_level: step,
        },
      },
      { deviceId: plant.id, at, values: { production_active_energy: 10 + step * 0.25 } },
    ],
  )
  await api.deps.ingest.submit(ours.id, samples)
  await rollDevice(api.deps, { tenantId: ours.id, deviceKey: meter.key })
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true, force: true })
})

const RANGE = { start: '2026-11-01T00:00:00+03:00', end: '2026-11-05T00:00:00+03:00' }
const ask = (body: object, token = ours.operator.token) =>
  api.call('POST', '/api/measurements/export', {
    token,
    body: { device_ids: [meter.id], ...RANGE, format: 'csv', ...body },
  })
const get = (path: string, token = ours.viewer.token) =>
  api.call('GET', `/api/measurements/exports${path}`, { token })
const remove = (id: string) =>
  api.call('DELETE', `/api/measurements/exports/${id}`, { token: ours.operator.token })

async function bytesOf(path: string, body?: object): Promise<{ bytes: Buffer; headers: Headers }> {
  const response = await fetch(`${api.url}/api/measurements${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${ours.operator.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify({ device_ids: [meter.id], ...RANGE, ...body }) }),
  })
  if (response.status !== 200) throw new Error(await response.text())
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

/** Waits until an export has come so far, and answers it. */
async function until(id: string, status: string) {
  for (;;) {
    const { body } = await get(`/${id}`)
    if (body.status === status) return body
    if (body.status === 'failed') throw new Error(body.error)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('a small export', () => {
  it('is a CSV of the samples as they were stored, in Turkish', async () => {
    const { bytes, headers } = await bytesOf('/export', {
      format: 'csv',
      interval: 'raw',
      device_ids: [meter.id, plant.id],
    })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="netsaat-olcumler-2026-11-01_2026-11-04.csv"; ' +
        "filename*=UTF-8''netsaat-%C3%B6l%C3%A7%C3%BCmler-2026-11-01_2026-11-04.csv",
    )
    const lines = bytes.toString().split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFdevice_name;device_id;timestamp;import_active_energy;production_active_energy;voltage_l1;active_power',
    )
    expect(lines[1]).toBe(`${NAME};${meter.id};01.11.2026 00:00;1000;;231,5;0,5`)
    expect(lines[2]).toBe(`${NAME};${meter.id};01.11.2026 00:15;1000,125;;231,5;0,5`)
    expect(lines[STEPS + 1]).toContain(`;${plant.id};01.11.2026 00:00;;10;;`)
    expect(lines).toHaveLength(1 + 2 * STEPS + 1)
  })

  it('has the columns that are asked for, extra values too, and the locale of programs', async () => {
    const { bytes } = await bytesOf('/export', {
      format: 'csv',
      interval: 'raw',
      locale: 'en',
      metrics: ['oil_level', 'import_active_energy', 'nothing "like" this'],
      file_name: '../Gün sonu: rapor?',
    })
    const lines = bytes.toString().split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFdevice_name,device_id,timestamp,oil_level,import_active_energy,"nothing ""like"" this"',
    )
    expect(lines[4]).toBe(`${NAME},${meter.id},2026-11-01T00:45:00+03:00,3,1000.375,`)
  })

  it('has by the hour, day and month the figures of the aggregates', async () => {
    for (const interval of ['hourly', 'daily', 'monthly']) {
      const { bytes } = await bytesOf('/export', { format: 'csv', interval, locale: 'en' })
      const rows = bytes.toString().trim().split('\r\n').slice(1)
      const expected = await readAggregated(
        api,
        ours,
        `/devices/${meter.id}/aggregated?${new URLSearchParams({ ...RANGE, interval })}`,
      )
      expect(expected.length, interval).toBeGreaterThan(0)
      expect(rows.map((row) => row.split(',')[3])).toEqual(
        expected.map(({ total_energy }) => String(total_energy)),
      )
      expect(rows[0]?.split(',').at(-1)).toBe('false')
    }
    const { bytes } = await bytesOf('/export', {
      format: 'csv',
      interval: 'daily',
      device_ids: [plant.id],
      metrics: ['production_active_energy', 'voltage'],
    })
    expect(bytes.toString().split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFdevice_name;device_id;timestamp;production_active_energy;voltage;is_estimated',
      expect.stringMatching(/;01\.11\.2026 00:00;24;;false$/),
    ])
  })

  it('is an XLSX with numbers and times', async () => {
    const { bytes, headers } = await bytesOf('/export', { format: 'xlsx', interval: 'raw' })
    expect(headers.get('content-type')).toContain('spreadsheetml')
    const rows = (await readSheet(bytes)) as unknown[][]
    expect(rows).toHaveLength(1 + STEPS)
    expect(rows[2]).toEqual([NAME, meter.id, new Date('2026-11-01T00:15:00Z'), 1000.125, 231.5, 0.5])
  })

  it('is an XLSX, too, when it is asked for as what people call it', async () => {
    const { bytes, headers } = await bytesOf('/export', { format: 'excel', file_name: 'Kasım' })
    expect(headers.get('content-disposition')).toContain('filename="Kasim.xlsx"')
    expect(await readSheet(bytes)).toHaveLength(1 + 4 * 24)
  })

  it('has its head alone where there is nothing, and the instants where no metric has a column', async () => {
    const empty = { interval: 'raw', start: '2026-10-01', end: '2026-10-02' }
    const head = '\uFEFFdevice_name;device_id;timestamp'
    const { bytes } = await bytesOf('/export', { ...empty, format: 'csv' })
    expect(bytes.toString()).toBe(`${head}\r\n`)
    const sheet = await bytesOf('/export', { ...empty, format: 'xlsx' })
    expect(await readSheet(sheet.bytes)).toEqual([['device_name', 'device_id', 'timestamp']])

    const tank = await createDevice(api, ours)
    const values = { oil_level: 5 }
    await api.deps.ingest.submit(ours.id, [{ deviceId: tank.id, at: START + 7_250, values }])
    const only = await bytesOf('/export', { interval: 'raw', format: 'csv', device_ids: [tank.id] })
    expect(only.bytes.toString()).toMatch(`;${tank.id};01.11.2026 00:00:07,250\r\n`)
    expect(only.bytes.toString()).toMatch(head)
  })

  it('is refused when nothing sensible is asked for', async () => {
    const answers = [
      [await ask({ device_ids: [] }), 'device_ids'],
      [await ask({ end: '2026-10-01' }), 'end'],
      [await ask({ start: '2020-01-01' }), 'start'],
      [await ask({ interval: 'raw', start: '2020-01-01' }), 'start'],
      [await ask({ interval: 'daily', metrics: ['frequency'] }), 'metrics'],
      [await ask({ format: 'docx' }), 'format'],
    ] as const
    for (const [{ status, text }, field] of answers) {
      expect(status).toBe(422)
      expect(text).toContain(`"loc":["body","${field}"`)
    }
    const foreign = await createDevice(api, theirs)
    const [first, second] = [foreign.id, crypto.randomUUID()].map((id) => ask({ device_ids: [meter.id, id] }))
    const texts = [await first, await second].map((answer) => answer?.text.replace(/[0-9a-f-]{36}/, 'id'))
    expect(texts[0]).toContain('INVALID_REFERENCE')
    expect(texts[0]).toBe(texts[1])
    expect((await ask({}, ours.viewer.token)).status).toBe(403)
  })
})

describe('a PDF', () => {
  it('holds its fonts, and is small whatever is asked for', async () => {
    const { bytes, headers } = await bytesOf('/export', { format: 'pdf', interval: 'raw' })
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const text = bytes.toString('latin1')
    expect(text).toMatch(/\/FontFile2/)
    expect(text).toMatch(/\/ToUnicode/)
    expect(text).toMatch(/\/BaseFont \/[A-Z]{6}\+DejaVuSans/)
    expect(bytes.length).toBeLessThan(200_000)
  })

  it.skipIf(!hasProgram('pdftotext'))('says in Turkish what was consumed (needs pdftotext)', async () => {
    for (const [locale, words] of [
      ['tr', ['Enerji raporu', 'Dönem: 01.11.2026 – 04.11.2026', NAME, 'Üretim', '48,000', 'Sayfa 1 /']],
      ['en', ['Energy report', 'Period: 2026-11-01', NAME, 'Production', '48.000', 'Page 1 of']],
    ] as const) {
      const { bytes } = await bytesOf('/export', {
        format: 'pdf',
        locale,
        device_ids: [meter.id, plant.id],
      })
      const file = join(dataDir, 'report.pdf')
      await writeFile(file, bytes)
      const { stdout } = await promisify(execFile)('pdftotext', ['-layout', file, '-'])
      for (const word of words) expect(stdout).toContain(word)
    }
  })

  it('goes by month where there are many days, and says so when there is nothing', async () => {
    const { bytes } = await bytesOf('/export', { format: 'pdf', start: '2025-01-01', end: '2026-01-01' })
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe('an export in the background', () => {
  it('is made, told, listed, downloaded and deleted', async () => {
    const begun = await ask({ async: true, interval: 'raw', format: 'xlsx', file_name: 'Kasım ölçümü' })
    expect(begun.status).toBe(200)
    expect(begun.body).toMatchObject({ file_name: 'Kasım ölçümü.xlsx', rows_done: 0 })
    const done = await until(begun.body.export_id, 'completed')
    expect(done).toMatchObject({ progress_pct: 100, rows_done: STEPS, rows_total: STEPS, error: null })
    expect(done.expires_at).toBe('2026-11-12T09:00:00.000Z')

    const { bytes, headers } = await bytesOf(`/exports/${done.export_id}/download`)
    expect(bytes.length).toBe(done.size_bytes)
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Kas%C4%B1m%20%C3%B6l")
    expect((await readSheet(bytes)) as unknown[][]).toHaveLength(STEPS + 1)
    expect((await get('?status=completed')).body.items).toContainEqual(done)

    for (const path of [`/${done.export_id}`, `/${done.export_id}/download`]) {
      expect((await get(path, theirs.viewer.token)).status).toBe(404)
    }
    expect((await remove(done.export_id)).status).toBe(204)
    expect((await get(`/${done.export_id}/download`)).status).toBe(404)
    expect(await readdir(join(dataDir, 'exports', String(ours.id)))).toEqual([])
  })

  it('is what a large one becomes by itself', async () => {
    const answer = await ask({ start: '2025-11-01', device_ids: await manyDevices(), metrics: ['voltage'] })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('json')
    const done = await until(answer.body.export_id, 'completed')
    expect(done.rows_done).toBeLessThan(500)
    await remove(done.export_id)
  })

  const manyDevices = async () => {
    const rows = await api.deps.database.kysely
      .insertInto('device')
      .values(
        Array.from({ length: 9 }, (_, place) => ({
          tenant_id: ours.id,
          name: `silent ${place}`,
          device_type: 'meter',
          device_source: 'manual',
        })),
      )
      .returning('id')
      .execute()
    return [meter.id, ...rows.map(({ id }) => id)]
  }

  it('holds every sample once and in order, however many portions it is read in', async () => {
    const count = 30_001
    const device = await createDevice(api, ours)
    await insertSamples(api, { tenant: ours, device }, { count, startAt: START - 30 * DAY, stepMs: 60_000 })
    const request = {
      device_ids: [device.id],
      start: '2026-10-01',
      interval: 'raw',
      async: true,
      locale: 'en',
    }
    const exported = async (format: string) => {
      const { body } = await ask({ ...request, format })
      expect(await until(body.export_id, 'completed')).toMatchObject({ rows_done: count, rows_total: count })
      const { bytes } = await bytesOf(`/exports/${body.export_id}/download`)
      await remove(body.export_id)
      return bytes
    }
    const lines = (await exported('csv')).toString().trim().split('\r\n').slice(1)
    const expected = Array.from({ length: count }, (_, place) => String(place / 1000))
    expect(lines.map((line) => line.split(',')[3])).toEqual(expected)
    const rows = ((await readSheet(await exported('xlsx'))) as unknown[][]).slice(1)
    expect(rows.map((row) => String(row[3]))).toEqual(expected)
  })

  /** As a process left it that is gone. */
  const leave = (fields: object) =>
    api.deps.database.kysely
      .insertInto('data_export')
      .values({
        tenant_id: ours.id,
        format: 'csv',
        file_name: 'left.csv',
        place: 'another machine:/data/exports',
        request: '{}',
        created_at: new Date(api.clock.now()),
        ...fields,
      })
      .returning('id')
      .executeTakeFirstOrThrow()

  // The tokens of the tests do not outlive the days that a clock is moved by.
  const kept = () => api.deps.database.kysely.selectFrom('data_export').selectAll().execute()

  it('is made from its beginning by the next start when the process has stopped, twice at most', async () => {
    const begun = await ask({ async: true })
    await until(begun.body.export_id, 'completed')
    const [row] = await kept()
    const asItWas = { place: row?.place ?? '', request: JSON.stringify(row?.request) }
    const silent = { ...asItWas, status: 'running', beat_at: new Date(api.clock.now()), rows_done: '7' }
    const once = await leave({ ...silent, attempts: 1 })
    const twice = await leave({ ...silent, attempts: 2, created_at: new Date(api.clock.now() - HOUR) })
    // Over the embedded database whatever seems to run at the start was killed, however lately it has spoken.
    const runner = makeExportRunner(api.deps)
    runner.wake()
    expect(await until(once.id, 'completed')).toMatchObject({ rows_done: 96, progress_pct: 100 })
    expect((await get(`/${twice.id}`)).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('twice'),
    })

    // A stop in good order gives back what is being made, and that is no attempt.
    const third = await leave({ ...asItWas, status: 'queued' })
    runner.wake()
    await runner.stop()
    const left = (await kept()).find(({ id }) => id === third.id)
    expect([left?.status, left?.attempts]).toSatisfy(
      ([status, attempts]) =>
        (status === 'completed' && attempts === 1) || (status === 'queued' && attempts === 0),
    )
    const next = makeExportRunner(api.deps)
    next.wake()
    await until(third.id, 'completed')
    await next.stop()
    for (const { id } of [once, twice, third, { id: begun.body.export_id }]) await remove(id)
  })

  it('leaves nothing behind when it is deleted while it is made', async () => {
    const request = { device_ids: [meter.id], ...RANGE, format: 'csv', interval: 'raw', locale: 'tr' }
    const { id } = await leave({
      place: placeOf(api.deps.config),
      status: 'queued',
      request: JSON.stringify({ ...request, metrics: null, delimiter: null, file_name: 'a.csv' }),
    })
    const runner = makeExportRunner(api.deps)
    await api.deps.database.kysely.transaction().execute(async (tx) => {
      // Whoever reads samples waits until the transaction is over.
      await sql`lock table measurement in access exclusive mode`.execute(tx)
      runner.wake()
      await until(id, 'running')
      expect((await remove(id)).status).toBe(204)
      expect((await get(`/${id}`)).status).toBe(404)
    })
    const next = await ask({ async: true })
    await until(next.body.export_id, 'completed')
    await runner.stop()
    const folder = join(dataDir, 'exports', String(ours.id))
    expect(await readdir(folder)).toEqual([`${next.body.export_id}.csv`])
    expect((await kept()).map((row) => row.id)).toEqual([next.body.export_id])
    await remove(next.body.export_id)
  })

  it('has its turn by its age, whichever tenant asks for many', async () => {
    const place = 'a folder of its own'
    const ages = [1, 3, 2].map((hours) => new Date(api.clock.now() - hours * HOUR))
    const [later, first, second] = await Promise.all([
      leave({ place, status: 'queued', created_at: ages[0] }),
      leave({ place, status: 'queued', created_at: ages[1], tenant_id: theirs.id }),
      leave({ place, status: 'queued', created_at: ages[2] }),
    ])
    const waiting = (limit: number) => listWaiting(systemDb(api.deps.database.kysely), place, limit)
    expect((await waiting(1)).map(({ id }) => id)).toEqual([first?.id])
    expect((await waiting(5)).map(({ id }) => id)).toEqual([first?.id, second?.id])
    for (const one of [later, second]) await remove(one?.id ?? '')
    await api.deps.database.kysely.deleteFrom('data_export').where('place', '=', place).execute()
  })

  it('says why it failed', async () => {
    const { id } = await leave({
      place: placeOf(api.deps.config),
      status: 'queued',
      request: JSON.stringify({ device_ids: [meter.id], format: 'csv', interval: 'daily', start: 'never' }),
    })
    const runner = makeExportRunner(api.deps)
    runner.wake()
    await expect(until(id, 'completed')).rejects.toThrow('could not be made')
    await runner.stop()
    await remove(id)
  })

  it('has no file until it is completed, nor where another process has it', async () => {
    const { id: failed } = await leave({ status: 'failed', error: 'why' })
    expect((await get(`/${failed}/download`)).body).toMatchObject({ error_code: 'STATE_CONFLICT' })
    const { id: elsewhere } = await leave({ status: 'completed', size_bytes: '5' })
    const answer = await get(`/${elsewhere}/download`)
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('another process')])
    for (const id of [failed, elsewhere]) await remove(id)
  })

  it('waits with few others, and makes room for itself among those that are kept', async () => {
    const waiting = await Promise.all(Array.from({ length: 5 }, () => leave({ status: 'queued' })))
    expect((await ask({ async: true })).body).toMatchObject({ error_code: 'STATE_CONFLICT' })
    for (const { id } of waiting) await remove(id)
    for (let place = 0; place < 22; place++) {
      await leave({ status: 'failed', created_at: new Date(api.clock.now() - (place + 1) * HOUR) })
    }
    const begun = await ask({ async: true })
    await until(begun.body.export_id, 'completed')
    expect((await get('')).body.total).toBe(20)
  })

  it('goes when it is old, with files that nobody speaks for', async () => {
    const begun = await ask({ async: true })
    await until(begun.body.export_id, 'completed')
    const folder = join(dataDir, 'exports', String(ours.id))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'stray.csv'), 'x')
    await writeFile(join(folder, `${crypto.randomUUID()}.csv.part`), 'x')
    await sweepExports(api.deps)
    expect(await readdir(folder)).toContain(`${begun.body.export_id}.csv`)
    expect((await readdir(folder)).filter((name) => /stray|part/.test(name))).toEqual([])
    const { id: lost } = await leave({ status: 'running', beat_at: new Date(api.clock.now()) })
    api.clock.advance(2 * DAY)
    await sweepExports(api.deps)
    expect(await kept()).toContainEqual(
      expect.objectContaining({
        id: lost,
        status: 'failed',
        error: expect.stringContaining('not come back'),
      }),
    )
    api.clock.advance(6 * DAY)
    await sweepExports(api.deps)
    expect(await kept()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })
})
