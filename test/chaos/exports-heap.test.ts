import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import {
  EXPORT_DISK_CHECK_BYTES,
  EXPORT_DISK_FREE_MIN_BYTES,
} from '../../src/areas/insight/exports/limits.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { freeBytes, mountDisk, unmount } from '../support/disk.ts'
import { makeDataFolder } from '../support/folder.ts'
import { insertSamples } from '../support/metering/many-samples.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, logIn } from '../support/process/killed-service.ts'
import { type RunningService, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** The performance page gives the figures of EXPORT_ROWS=10000000, which takes five minutes. */
const ROWS = Number(process.env['EXPORT_ROWS'] ?? 1_500_000)
const PART = 500_000
const STEP_MS = 1_000
const START = Date.parse('2026-05-01T00:00:00Z')
const SHEET_ROWS = 1_048_576
/** Sample n counts n Wh. */
const SUM_WH = (ROWS * (ROWS - 1)) / 2
/** A service at rest holds about 60 MB; the rows as objects would be hundreds of megabytes. */
const HEAP_MB = 128
/** Memory outside of the heap is limited by this: the file would be more than a hundred megabytes. */
const RESIDENT_GROWTH_MAX = 120 * 1024 * 1024
const WAIT_MS = 3_600_000

let folder: string
let database: TestDatabase
let service: RunningService
let token: string
let exported: string
let present: string

beforeAll(async () => {
  folder = await makeDataFolder('exports-heap')
  database = await createDatabase()
  service = await startService({
    env: {
      ...ADMIN,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
      PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'warn',
    },
  })
  token = await logIn(service.url)
  const [one, other] = await Promise.all([createDevice('exported'), createDevice('present')])
  exported = one
  present = other
  await insertRows()
}, WAIT_MS)
afterAll(async () => {
  await service?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

const call = (method: string, path: string, body?: object) =>
  callService(method, `${service.url}/api${path}`, token, body)
const createDevice = async (name: string): Promise<string> =>
  (await call('POST', '/devices', { name, device_type: 'energy_analyzer' })).id

async function insertRows(): Promise<void> {
  const opened = connect({ url: database.url, maxConnections: 1 })
  try {
    const device = await opened.kysely
      .selectFrom('device')
      .select(['tenant_id', 'key'])
      .where('id', '=', exported)
      .executeTakeFirstOrThrow()
    for (let from = 0; from < ROWS; from += PART) {
      await insertSamples(
        { deps: { database: opened } },
        { tenant: { id: device.tenant_id }, device: { key: device.key } },
        { count: Math.min(PART, ROWS - from), first: from, startAt: START, stepMs: STEP_MS },
      )
    }
    await opened.pool.query('analyze measurement')
  } finally {
    await opened.close()
  }
}

/** The memory of the service that is resident, bytes (Linux). */
async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

const exportFolder = async (): Promise<string[]> => {
  const files = await readdir(join(folder, 'exports'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return files.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const request = (format: string) =>
  call('POST', '/measurements/export', {
    device_ids: [exported],
    start: new Date(START).toISOString(),
    end: new Date(START + ROWS * STEP_MS).toISOString(),
    interval: 'raw',
    format,
    locale: 'en',
  })

/** Sends samples and calls /health until the work has ended; returns the slowest response. */
async function useMeanwhile(work: Promise<unknown>): Promise<{ slowestMs: number; sent: number }> {
  let isOver = false
  let slowestMs = 0
  let sent = 0
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const at = performance.now()
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    const timestamp = new Date(START + sent * STEP_MS).toISOString()
    await call('POST', '/measurements', {
      samples: [{ device_id: present, timestamp, values: { active_power: sent } }],
    })
    sent += 1
    slowestMs = Math.max(slowestMs, performance.now() - at)
    await sleep(250)
  }
  await over
  return { slowestMs, sent }
}

interface Made {
  readonly id: string
  readonly growth: number
}

/** Waits for an export and observes its progress and the memory of the service. */
async function made(format: string): Promise<Made> {
  const before = await residentBytes()
  const { export_id: id } = await request(format)
  let peak = before
  let seen = 0
  let steps = 0
  for (;;) {
    const state = await call('GET', `/measurements/exports/${id}`)
    peak = Math.max(peak, await residentBytes())
    expect(state.progress_pct).toBeGreaterThanOrEqual(seen)
    if (state.progress_pct > seen) steps += 1
    seen = state.progress_pct
    if (state.status === 'failed') throw new Error(state.error)
    if (state.status === 'completed') {
      expect(state.rows_done).toBe(ROWS)
      expect(steps).toBeGreaterThan(1)
      return { id, growth: peak - before }
    }
    await sleep(250)
  }
}

async function download(id: string): Promise<Readable> {
  const response = await fetch(`${service.url}/api/measurements/exports/${id}/download`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  return Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
}

async function makeAndReport(format: string): Promise<string> {
  const startedAt = performance.now()
  const making = made(format)
  const { slowestMs, sent } = await useMeanwhile(making)
  const { id, growth } = await making
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(
    `${format}: ${ROWS} rows in ${seconds.toFixed(0)} s, ${(ROWS / seconds).toFixed(0)} rows/s; memory grew by ` +
      `${(growth / 1024 ** 2).toFixed(0)} MiB; ${sent} samples sent meanwhile, slowest ${slowestMs.toFixed(0)} ms\n`,
  )
  expect(growth).toBeLessThan(RESIDENT_GROWTH_MAX)
  return id
}

describe(`export of ${ROWS} rows by a service with a heap of ${HEAP_MB} MB`, () => {
  it(
    'as CSV is complete, and samples and /health are answered meanwhile',
    async () => {
      const id = await makeAndReport('csv')
      let rows = 0
      let sumWh = 0
      const ends: string[] = []
      for await (const row of (await download(id)).pipe(parse({ columns: true, bom: true }))) {
        sumWh += Math.round(Number(row.import_active_energy) * 1000)
        if (rows === 0 || rows === ROWS - 1) ends.push(`${row.timestamp} ${row.import_active_energy}`)
        rows += 1
      }
      expect(rows).toBe(ROWS)
      expect(sumWh).toBe(SUM_WH)
      expect(ends[0]).toMatch(/^2026-05-01.03:00:00\S* 0$/)
      expect(ends[1]?.endsWith(` ${(ROWS - 1) / 1000}`), ends[1]).toBe(true)
    },
    WAIT_MS,
  )

  it(
    'as a workbook is divided into sheets, which together are complete',
    async () => {
      const id = await makeAndReport('xlsx')
      const name = (await exportFolder()).find((each) => each.startsWith(id)) ?? ''
      const folderOf = (await readdir(join(folder, 'exports')))[0] ?? ''
      const path = join(folder, 'exports', folderOf, name)
      expect((await stat(path)).size).toBeGreaterThan(0)
      const rows: number[] = []
      let sumWh = 0
      const zip = await yauzl.openPromise(path)
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.startsWith('xl/worksheets/')) continue
        const sheet = await readSheet(await zip.openReadStreamPromise(entry))
        rows.push(sheet.rows)
        sumWh += sheet.sumWh
      }
      const sheets = Math.ceil(ROWS / (SHEET_ROWS - 1))
      expect(rows).toHaveLength(sheets)
      expect(Math.max(...rows)).toBeLessThanOrEqual(SHEET_ROWS)
      // Each sheet has a header.
      expect(rows.reduce((sum, count) => sum + count, 0)).toBe(ROWS + sheets)
      expect(sumWh).toBe(SUM_WH)
    },
    WAIT_MS,
  )

  it(
    'that is deleted while it runs stops and leaves no file',
    async () => {
      const { export_id: id } = await request('csv')
      const state = () => call('GET', `/measurements/exports/${id}`)
      await waitFor(async () => (await state()).status === 'running', 60_000)
      const deleted = await fetch(`${service.url}/api/measurements/exports/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(deleted.status).toBe(204)
      await waitFor(async () => !(await exportFolder()).some((name) => name.startsWith(id)), 120_000)
      const { items } = await call('GET', '/measurements/exports')
      expect(items.map(({ export_id }: { export_id: string }) => export_id)).not.toContain(id)
    },
    WAIT_MS,
  )

  it(
    'that would fill the disk fails with that reason, leaves no file, and a later one is completed',
    async ({ skip }) => {
      const parent = join(folder, 'exports')
      const disk = mountDisk(EXPORT_DISK_FREE_MIN_BYTES + 2 * EXPORT_DISK_CHECK_BYTES, parent)
      if (!disk) return skip('needs the right to mount a file system')
      try {
        const before = await freeBytes(disk)
        await expect(made('csv')).rejects.toThrow('the disk of the service is nearly full')
        expect(await exportFolder()).toEqual([])
        expect(before - (await freeBytes(disk))).toBeLessThan(1024 * 1024)
      } finally {
        unmount(parent)
      }
      await made('csv')
    },
    WAIT_MS,
  )
})

/** Counts the rows of a sheet and sums the register, which is in column D, without the header. */
async function readSheet(stream: NodeJS.ReadableStream): Promise<{ rows: number; sumWh: number }> {
  let rest = ''
  let rows = 0
  let sumWh = 0
  for await (const chunk of stream) {
    const parts = (rest + chunk.toString('latin1')).split('</row>')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      rows += 1
      const cells = part.match(/<v>[^<]*<\/v>/g) ?? []
      const isHeader = part.includes('inlineStr') && cells.length === 0
      if (!isHeader) sumWh += Math.round(Number((cells[1] ?? '').replace(/<\/?v>/g, '')) * 1000)
    }
  }
  return { rows, sumWh }
}
