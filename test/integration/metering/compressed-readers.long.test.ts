import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPortions } from '../../../src/areas/insight/exports/raw-portions.ts'
import { countSamples, readRaw } from '../../../src/areas/insight/exports/raw-store.ts'
import {
  readExtentsBulk,
  readNeighboursBulk,
  readSamplesBulk,
} from '../../../src/areas/metering/aggregates/bulk-reads/store.ts'
import { type EnergyRequest, readEnergyBulk } from '../../../src/areas/metering/aggregates/index.ts'
import { reopenDays } from '../../../src/areas/metering/history/index.ts'
import { readAround } from '../../../src/areas/metering/meter-changes/effect-store.ts'
import { listMaxPower, readMaxPower } from '../../../src/areas/metering/power/index.ts'
import { wholeBuckets } from '../../../src/areas/metering/rollup/index.ts'
import { INTERVALS } from '../../../src/areas/metering/rollup/intervals.ts'
import { readNeighbours } from '../../../src/areas/metering/rollup/neighbour-store.ts'
import * as rollup from '../../../src/areas/metering/rollup/store.ts'
import {
  addWatchMarks,
  hasSentMetric,
  readWatchedSamples,
  takeWatchMarks,
} from '../../../src/areas/metering/sample-watch/index.ts'
import {
  ANY_METRIC,
  readCurve,
  readNearestReadings,
  readNewestValues,
} from '../../../src/areas/metering/samples/index.ts'
import * as facts from '../../../src/areas/netting/hourly-energy/store.ts'
import { REGISTERS } from '../../../src/kernel/metrics.ts'
import { DAY_MS, HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { inTenantTx, tenantDb } from '../../../src/platform/db/tenant.ts'
import { floatText, isBlock, rowsOfBlock } from '../../../src/platform/tables/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { compressAll, countStored, publishHistory, settleChunks } from '../../support/metering/history.ts'
import {
  createDevice,
  postSamples,
  sample,
  type TestDevice,
  type TestSample,
} from '../../support/metering/measurements.ts'
import { chooseSeed, makeRandom } from '../../support/seed.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = Date.parse('2026-11-20T09:30:00Z')
/** The samples are 60 to 40 days old, without the last ten hours of a day, and there are three recent ones. */
const START = NOW - 60 * DAY_MS
const END = NOW - 40 * DAY_MS
const seed = chooseSeed()
const random = makeRandom(seed)
let api: TestApi
let tenant: TestTenant
let devices: TestDevice[]

/** Irregular readings with gaps, resets, wrong values, extra values and samples without a register. */
function samplesOf(device: TestDevice): TestSample[] {
  const samples: TestSample[] = []
  let register = random.between(0, 1000)
  for (let at = START; at < END; at += random.between(15, 120) * 60_000) {
    if (random.between(0, 30) === 0) at += random.between(1, 40) * HOUR_MS
    if (at >= END) break
    register += random.between(0, 50) / 10
    if (random.between(0, 80) === 0) register = 0
    const values: Record<string, number> = { active_power: random.between(-500, 2000) / 100, voltage: 230 }
    if (random.between(0, 5) > 0) values['import_active_energy'] = register
    if (device.key % 2 === 0) values['inductive_reactive_energy'] = register / 10
    if (random.between(0, 9) === 0) values['thd'] = random.between(0, 100) / 7
    if (random.between(0, 40) === 0) values['session_begin_energy'] = register
    samples.push(sample(device, at, values))
  }
  for (const back of [3, 2, 1])
    samples.push(sample(device, NOW - back * HOUR_MS, { import_active_energy: register + 100 - back }))
  return samples
}

beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  devices = await Promise.all(Array.from({ length: 2 }, () => createDevice(api, tenant)))
  for (const device of devices) {
    const { status, text } = await postSamples(api, tenant, samplesOf(device))
    expect(status, text).toBe(201)
  }
})
afterAll(() => api.close())

const instants = [
  START - HOUR_MS,
  START + 3 * DAY_MS + 7_000,
  START + 11 * DAY_MS,
  END - 60_000,
  END + DAY_MS,
]
const ranges = [
  { from: START, to: END },
  { from: START + 5 * HOUR_MS, to: START + 3 * DAY_MS + 5 * HOUR_MS },
  { from: START + 8 * DAY_MS, to: START + 8 * DAY_MS + HOUR_MS },
  { from: START - 30 * DAY_MS, to: NOW },
]

async function readMetering(device: TestDevice) {
  const { pool } = api.deps.database
  const ref = { tenantId: tenant.id, deviceKey: device.key }
  const unbounded = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  const falls = instants.map((at) => ({ deviceKey: device.key, at }))
  const powerAt = (await readMaxPower(pool, tenant.id, falls))(device.key)
  return {
    extents: await Promise.all([...ranges, unbounded].map((range) => rollup.readExtent(pool, ref, range))),
    counts: await Promise.all(ranges.map((range) => rollup.readHourCounts(pool, ref, range))),
    samples: await Promise.all(ranges.map((range) => rollup.readSamples(pool, ref, range))),
    neighbours: await Promise.all(
      ranges.map((range) => readNeighbours(pool, ref, { range, registers: 2 ** REGISTERS.length - 1 })),
    ),
    power: instants.map(powerAt),
    listedPower: await listMaxPower(tenantDb(api.deps.database.kysely, tenant.id), device.key, instants),
  }
}

async function readBulk() {
  const { pool } = api.deps.database
  const all = devices.flatMap(({ key }) => ranges.map((range) => ({ deviceKey: key, range })))
  const requests = devices.flatMap(({ id }) =>
    INTERVALS.map(
      (interval): EnergyRequest => ({
        deviceId: id,
        interval,
        range: wholeBuckets(interval, { from: START - DAY_MS, to: NOW }),
      }),
    ),
  )
  return {
    extents: await readExtentsBulk(pool, tenant.id, all),
    neighbours: await readNeighboursBulk(
      pool,
      tenant.id,
      all.map((range, index) => ({ ...range, registers: 1 + (index % 100) })),
    ),
    samples: await readSamplesBulk(pool, tenant.id, all),
    energy: await readEnergyBulk(pool, tenant.id, requests),
  }
}

async function readText(path: string): Promise<string> {
  const { status, text } = await api.call('GET', path, { token: tenant.viewer.token })
  expect(status, text).toBe(200)
  return text
}

async function readSamples(device: TestDevice) {
  const { pool, kysely } = api.deps.database
  const path = `/api/measurements/devices/${device.id}/samples`
  const pages = ranges.flatMap(({ from, to }) =>
    [1, 7, 2_000].map((limit) => ({ from: iso(from), to: iso(to), limit: String(limit) })),
  )
  const queries = [ANY_METRIC, 'voltage', 'import_active_energy', 'thd', 'frequency'].flatMap((metric) =>
    [START, START + 12 * DAY_MS, END - DAY_MS].map((from) => ({ deviceKey: device.key, metric, from })),
  )
  return {
    pages: await Promise.all(pages.map((page) => readText(`${path}?${new URLSearchParams(page)}`))),
    aggregated: await Promise.all(
      INTERVALS.map((interval) => {
        const query = new URLSearchParams({ start: iso(START), end: iso(END), interval })
        return readText(`/api/measurements/devices/${device.id}/aggregated?${query}`)
      }),
    ),
    curves: await Promise.all(
      ranges.map((range) => readCurve(pool, { tenantId: tenant.id, deviceId: device.id, range, points: 50 })),
    ),
    newest: await readNewestValues(pool, tenant.id, queries),
    nearest: await readNearestReadings(
      tenantDb(kysely, tenant.id),
      instants.map((at) => ({ deviceId: device.id, at, from: at - 5 * DAY_MS, to: at + 5 * DAY_MS })),
    ),
    around: await Promise.all(
      instants.map((at) =>
        readAround(tenantDb(kysely, tenant.id), device.key, { register: 'import_active_energy', at }),
      ),
    ),
  }
}

/** With an extra metric the database formats the values, without one the service does. */
const EXPORTED = [
  ['voltage', 'import_active_energy', 'active_power', 'thd'],
  ['voltage', 'import_active_energy', 'active_power', 'inductive_reactive_energy'],
]
const PAGE = 50

/** The rows as the database formats them, page by page. */
async function readTexts(query: Omit<Parameters<typeof readRaw>[1], 'limit'>) {
  const rows: unknown[] = []
  for (let { from, to } = query.range; ; ) {
    const page = await readRaw(api.deps.database.pool, { ...query, range: { from, to }, limit: PAGE })
    rows.push(...page)
    if (page.length < PAGE) return rows
    from = (page.at(-1)?.[0] ?? 0) + 1
  }
}

/** The same rows as an export reads them. */
async function readBlocks({ tenantId, deviceKey, metrics, range }: Parameters<typeof readTexts>[0]) {
  const device = { id: 'id', name: 'name', key: deviceKey }
  const rows: unknown[] = []
  for (let from: number | undefined = range.from; from !== undefined; ) {
    const query = { tenantId, device, metrics, range: { from, to: range.to }, blockRows: PAGE }
    const { portions, next } = await readPortions(api.deps.database, query)
    for (const portion of portions) {
      const cells = isBlock(portion) ? rowsOfBlock(portion) : portion
      rows.push(...cells.map((row) => row.slice(2)))
    }
    from = next
  }
  return rows
}

async function readExports() {
  const { pool } = api.deps.database
  const raw: unknown[] = []
  for (const metrics of EXPORTED)
    for (const { key: deviceKey } of devices)
      for (const range of ranges) {
        const texts = await readTexts({ tenantId: tenant.id, deviceKey, metrics, range })
        expect(await readBlocks({ tenantId: tenant.id, deviceKey, metrics, range })).toEqual(texts)
        raw.push(...texts)
      }
  const deviceKeys = devices.map(({ key }) => key)
  const counted = await Promise.all(
    ranges.map(async (range) => {
      const query = { tenantId: tenant.id, deviceKeys, range, rowsMax: 1_000_000 }
      const counted = await countSamples(pool, query)
      expect((await countSamples(pool, { ...query, isOnlyCount: true })).rows).toBe(counted.rows)
      return counted
    }),
  )
  return { raw, counted }
}

async function readNetting(device: TestDevice) {
  const db = tenantDb(api.deps.database.kysely, tenant.id)
  const registers = ['import_active_energy', 'inductive_reactive_energy'] as const
  return {
    registers: await Promise.all(
      ranges.map((range) =>
        facts.readRegisters(db, device.key, { registers: [...registers] as never, range }),
      ),
    ),
    neighbours: await Promise.all(
      ranges.map((range) => facts.readNeighbours(db, device.key, { register: registers[0], range })),
    ),
  }
}

async function readAlarms() {
  const { kysely } = api.deps.database
  const deviceKeys = devices.map(({ key }) => key)
  const query = { to: () => END + DAY_MS, metrics: ['voltage', 'import_active_energy', 'thd'] }
  const db = tenantDb(kysely, tenant.id)
  const from = START + 2 * DAY_MS
  return {
    watched: await Promise.all(
      [3, 5_000].map((perDevice) =>
        readWatchedSamples(db, { ...query, after: new Map(deviceKeys.map((key) => [key, from])), perDevice }),
      ),
    ),
    sent: await Promise.all(
      ['voltage', 'thd', 'frequency'].map((metric) => hasSentMetric(db, { deviceKeys, metric, samples: 20 })),
    ),
    marks: await inTenantTx(kysely, tenant.id, async (tx) => {
      await addWatchMarks(
        tx,
        deviceKeys.map((deviceKey) => ({ deviceKey, from })),
      )
      return takeWatchMarks(tx, { marks: 1000, marked: 1000, devices: 1000 })
    }),
  }
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part))

/** What every reader returns, as text: one line for each list of reads. */
async function readAll(): Promise<string[]> {
  const lines: string[] = []
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value) || typeof value === 'string') lines.push(`${name}: ${textOf(value)}`)
    else
      for (const [key, part] of Object.entries(value as object)) lines.push(`${name} ${key}: ${textOf(part)}`)
  }
  for (const [name, part] of Object.entries(await readEverything())) {
    if (Array.isArray(part)) for (const [index, one] of part.entries()) add(`${name} of device ${index}`, one)
    else add(name, part)
  }
  return lines
}

async function expectSame(expected: readonly string[], state: string): Promise<void> {
  for (const [index, line] of (await readAll()).entries())
    if (line !== expected[index]) expect(`${state}: ${line}`).toBe(`${state}: ${expected[index]}`)
}

const readEverything = async () => ({
  metering: await Promise.all(devices.map(readMetering)),
  bulk: await readBulk(),
  samples: await Promise.all(devices.map(readSamples)),
  exports: await readExports(),
  netting: await Promise.all(devices.map(readNetting)),
  alarms: await readAlarms(),
})

it(`every reader returns the same from rows, from chunks, and from both (seed ${seed})`, async () => {
  const { pool } = api.deps.database
  const fromRows = await readAll()
  expect((await readExports()).counted[0]?.rows).toBeGreaterThan(200)

  await publishHistory(api)
  await expectSame(fromRows, 'while the rows are still there')

  await settleChunks(api)
  await publishHistory(api)
  for (const { key } of devices) {
    const stored = await countStored(api, tenant.id, key)
    expect(stored).toMatchObject({ rows: 3 })
    expect(stored?.chunks).toBeGreaterThan(10)
  }
  await expectSame(fromRows, 'from chunks alone')

  // Some samples of a day return as rows, as after a late sample.
  for (const { key } of devices) {
    const { rows } = await pool.query<{ at: string }>(
      `select day::text as at from measurement_chunk where tenant_id = $1 and device_key = $2
        order by day offset 4 limit 3`,
      [tenant.id, key],
    )
    await reopenDays(
      pool,
      rows.map(({ at }) => ({ tenantId: tenant.id, deviceKey: key, day: at })),
    )
  }
  await pool.query(
    `delete from measurement where tenant_id = $1 and ts < $2
      and floor(date_part('epoch', ts - timestamptz 'epoch') / 60)::int % 2 = 0`,
    [tenant.id, iso(NOW - 30 * DAY_MS)],
  )
  await expectSame(fromRows, 'from rows and chunks')

  await compressAll(api)
  for (const { key } of devices) expect(await countStored(api, tenant.id, key)).toMatchObject({ rows: 3 })
  await expectSame(fromRows, 'compressed again')
})

it('the service writes numbers of exports as the database does', async () => {
  const edges = [0, -0, 1e-4, 9.99e-5, 1e-5, 999999999999999.9, 1e14, 5e-324, 0.1 + 0.2, 1 / 3]
  const values = [
    ...fc.sample(fc.double({ min: -1e15, max: 1e15, minExcluded: true, maxExcluded: true }), {
      numRuns: 2_000,
      seed,
    }),
    ...edges,
  ]
  const { rows } = await api.deps.database.pool.query<{ text: string }>(
    'select value::text as text from unnest($1::float8[]) with ordinality as v (value, ordinal) order by ordinal',
    [values.map((value) => (Object.is(value, -0) ? '-0' : String(value)))],
  )
  expect(values.map(floatText)).toEqual(rows.map(({ text }) => text))
})
