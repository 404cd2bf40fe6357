import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompressor } from '../../../src/areas/metering/history/index.ts'
import { DAY_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { compressAll, countStored, settleChunks } from '../../support/metering/history.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/**
 * Late samples of the same days arrive from several senders while the job publishes and clears these days, over real
 * connections. The chunks count as settled at once, so that both of its steps meet the senders. Afterwards every
 * acknowledged value is there once, and nothing else.
 */
const NOW = Date.parse('2026-11-20T09:30:00Z')
const FROM = Date.parse('2026-09-01T00:00:00+03:00')
const DAYS = 4
const SENDERS = 4
/** Runs that each of two compressing processes makes meanwhile. */
const RUNS = 3
const MINUTE_MS = 60_000
const METRICS = ['voltage', 'current', 'frequency', 'thd'] as const
const seed = chooseSeed()

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

async function readDay(device: TestDevice, day: number): Promise<{ timestamp: string; values: object }[]> {
  const query = new URLSearchParams({ from: iso(day), to: iso(day + DAY_MS), limit: '2000' })
  const path = `/api/measurements/devices/${device.id}/samples?${query}`
  const { status, body, text } = await api.call('GET', path, { token: tenant.viewer.token })
  expect(status, text).toBe(200)
  expect(body.length).toBeLessThan(2000)
  return body
}

const readAll = async (device: TestDevice) =>
  (await Promise.all(Array.from({ length: DAYS }, (_, day) => readDay(device, FROM + day * DAY_MS)))).flat()

it(`late samples and the job neither lose nor double a value (seed ${seed})`, { retry: 0 }, async () => {
  const device = await createDevice(api, tenant)
  /** What was acknowledged, by instant. */
  const expected = new Map<string, Record<string, number>>()
  const first = Array.from({ length: DAYS * 96 }, (_, index) => {
    const at = FROM + index * 15 * MINUTE_MS
    expected.set(iso(at), { import_active_energy: index })
    return sample(device, at, { import_active_energy: index })
  })
  expect((await postSamples(api, tenant, first)).status).toBe(201)
  await compressAll(api)

  let sending = SENDERS
  const runs = [0, 0]
  // Each sender adds a metric of its own to stored samples, and new samples between them.
  const send = async (sender: number): Promise<void> => {
    const random = makeRandom(seed + sender)
    while (runs.some((count) => count < RUNS)) {
      const metric = METRICS[sender] ?? ''
      const samples = Array.from({ length: 5 }, () => {
        const at = FROM + random.between(0, DAYS * 96 - 1) * 15 * MINUTE_MS + random.between(0, 2) * MINUTE_MS
        return { at, value: (at / MINUTE_MS) % 400 }
      })
      const list = samples.map(({ at, value }) => sample(device, at, { [metric]: value }))
      const { status, body, text } = await postSamples(api, tenant, list)
      expect(status, text).toBe(201)
      expect(body.set_aside ?? []).toEqual([])
      for (const { at, value } of samples)
        expected.set(iso(at), { ...expected.get(iso(at)), [metric]: value })
      await sleep(random.between(0, 20))
    }
    sending -= 1
  }
  const compress = async (job: number, threadRowsMin: number): Promise<void> => {
    const run = makeCompressor(api.deps, { threadRowsMin })
    while (sending > 0) {
      await settleChunks(api)
      await run(NOW)
      runs[job] = (runs[job] ?? 0) + 1
    }
  }
  const reader = async (): Promise<void> => {
    while (sending > 0) {
      const read = await readAll(device)
      expect(new Set(read.map(({ timestamp }) => timestamp)).size).toBe(read.length)
      expect(read.length).toBeGreaterThanOrEqual(DAYS * 96)
    }
  }
  const jobs = [compress(0, 1_000), compress(1, 1)]
  await Promise.all([...METRICS.map((_, sender) => send(sender)), reader(), ...jobs])

  const check = async () => {
    const read = await readAll(device)
    expect(read.map(({ timestamp }) => iso(Date.parse(timestamp)))).toEqual([...expected.keys()].sort())
    for (const { timestamp, values } of read)
      expect(values, timestamp).toEqual(expected.get(iso(Date.parse(timestamp))))
  }
  await check()
  await compressAll(api)
  await compressAll(api)
  const stored = await countStored(api, tenant.id, device.key)
  expect(stored).toEqual({ rows: 0, chunks: DAYS, samples: expected.size })
  await check()
})
