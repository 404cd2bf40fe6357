import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { startApi, type TestApi } from '../support/api.ts'
import { makeDataFolder } from '../support/folder.ts'
import { insertSamples } from '../support/metering/many-samples.ts'
import { createDevice, type TestDevice } from '../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

/** More than one sheet holds. */
const COUNT = 1_100_000
const SHEET_ROWS = 1_048_576
/**
 * The allowed growth of the process: the file in memory would be 60 MB of CSV, and the rows as objects a
 * gigabyte.
 */
const GROWTH_MAX = 50 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** The memory in use. Garbage that is not collected yet says nothing about constant memory. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

let api: TestApi
let tenant: TestTenant
let device: TestDevice
let dataDir: string

beforeAll(async () => {
  dataDir = await makeDataFolder('exports')
  api = await startApi({ now: '2026-11-05T12:00:00Z', config: { dataDir } })
  tenant = await createTenant(api)
  device = await createDevice(api, tenant)
  const startAt = Date.parse('2026-01-01T00:00:00Z')
  await insertSamples(api, { tenant, device }, { count: COUNT, startAt, stepMs: 15_000 })
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
})

/** Creates an export; returns its path and the peak growth of the memory of the process. */
async function exported(format: string) {
  const token = tenant.operator.token
  const before = held()
  let peak = before
  const created = await api.call('POST', '/api/measurements/export', {
    token,
    body: { device_ids: [device.id], start: '2026-01-01', interval: 'raw', format, locale: 'en' },
  })
  expect(created.status).toBe(200)
  let seen = 0
  for (;;) {
    const { body } = await api.call('GET', `/api/measurements/exports/${created.body.export_id}`, { token })
    peak = Math.max(peak, held())
    expect(body.progress_pct).toBeGreaterThanOrEqual(seen)
    seen = body.progress_pct
    if (body.status === 'failed') throw new Error(body.error)
    if (body.status === 'completed') {
      expect(body.rows_done).toBe(COUNT)
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const folder = join(dataDir, 'exports', String(tenant.id))
  const name = (await readdir(folder)).find((each) => each.endsWith(`.${format}`)) ?? ''
  return { path: join(folder, name), growth: peak - before }
}

async function count(stream: NodeJS.ReadableStream, word: string): Promise<{ count: number; tail: string }> {
  let found = 0
  let rest = ''
  let tail = ''
  for await (const chunk of stream) {
    const text = rest + chunk.toString('latin1')
    found += text.split(word).length - 1
    rest = text.slice(-(word.length - 1))
    if (text.length > 200) tail = text.slice(-200)
  }
  return { count: found, tail }
}

describe('export of more than a million rows', () => {
  it('as CSV uses constant memory', async () => {
    const { path, growth } = await exported('csv')
    const lines = await count(createReadStream(path), '\r\n')
    expect(lines.count).toBe(COUNT + 1)
    expect(lines.tail).toContain(`,${(COUNT - 1) / 1000},`)
    expect(growth).toBeLessThan(GROWTH_MAX)
  })

  it('as a workbook of two sheets uses constant memory', async () => {
    const { path, growth } = await exported('xlsx')
    const zip = await yauzl.openPromise(path)
    const rows = new Map<string, number>()
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith('xl/worksheets/')) continue
      rows.set(entry.fileName, (await count(await zip.openReadStreamPromise(entry), '<row ')).count)
    }
    expect([...rows]).toEqual([
      ['xl/worksheets/sheet1.xml', SHEET_ROWS],
      ['xl/worksheets/sheet2.xml', COUNT + 2 - SHEET_ROWS],
    ])
    expect(growth).toBeLessThan(GROWTH_MAX)
  })
})
