import { afterAll, beforeAll, expect, it } from 'vitest'
import { schedule } from '../../src/jobs/schedule.ts'
import { DAY_MS, HOUR_MS, iso } from '../../src/kernel/time.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { missedSlots, perform, slotsOf } from '../support/jobs/timetable.ts'
import type { TestSample } from '../support/metering/measurements.ts'
import { findFaults, readState } from '../support/netting/corrections.ts'
import { makeGroup, type TestFacility, type TestGroup } from '../support/netting/netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'

const PERIOD = '2026-02-01'
const MONTH = Date.parse('2026-02-01T00:00:00+03:00')
const DAYS = 28
const local = (text: string): number => Date.parse(`2026-${text}:00+03:00`)

/** Prices are approved late: until then the group is blocked. */
const PRICED = local('02-03T11:20')
/** The service is stopped, and gateways keep their samples. */
const DOWN = { from: local('02-06T12:20'), to: local('02-19T05:37') }
const END = local('03-04T03:30')

let api: TestApi
beforeAll(async () => {
  api = await startApi({ now: iso(MONTH) })
})
afterAll(() => api.close())

interface Site {
  readonly tenant: TestTenant
  readonly group: TestGroup
  readonly producer: TestFacility
  readonly consumer: TestFacility
}

async function makeSite(): Promise<Site> {
  const tenant = await createTenant(api)
  const group = await makeGroup(api.deps, tenant, {
    members: [
      { role: 'production', reportingIntervalS: 3600 },
      { role: 'consumption', reportingIntervalS: 3600, limits: { 2026: '2100.000' } },
    ],
  })
  const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
  return { tenant, group, producer, consumer }
}

/** A reading every hour; `arrives` is when the service receives it. */
interface Arriving {
  readonly arrives: number
  readonly sample: TestSample
}

/** The arrival of the reading of an hour: at once, hours later, a day later, after the downtime, or never. */
function arrivalOf(at: number, hour: number): number | undefined {
  if (at >= local('02-20T03:00') && at < local('02-20T10:00')) return undefined
  const late = at + (hour % 31 === 7 ? 5 * HOUR_MS : hour % 97 === 50 ? DAY_MS + 2 * HOUR_MS : 0) + 30_000
  return late >= DOWN.from && late < DOWN.to ? DOWN.to + 2 * 60_000 : late
}

function readingsOf({ producer, consumer }: Site): Arriving[] {
  const arriving: Arriving[] = []
  const registers = { production: 1000, consumption: 50_000 }
  for (let hour = 0; hour <= DAYS * 24 + 48; hour += 1) {
    const at = MONTH + hour * HOUR_MS
    const clock = (hour + 23) % 24
    registers.production += clock > 6 && clock < 19 ? 7 + ((hour * 37) % 11) + 0.125 : 0
    registers.consumption += 3 + ((hour * 53) % 17) / 8
    // The meter is replaced.
    if (hour === 24 * 22 + 9) registers.consumption = 0.5
    const arrives = arrivalOf(at, hour)
    if (arrives === undefined) continue
    const timestamp = iso(at)
    const sampleOf = (id: string | undefined, values: TestSample['values']) => ({
      arrives,
      sample: { device_id: id ?? '', timestamp, values },
    })
    arriving.push(
      sampleOf(producer.meters.main_production?.deviceId, { production_active_energy: registers.production }),
      sampleOf(consumer.meters.main_consumption?.deviceId, { import_active_energy: registers.consumption }),
    )
  }
  return arriving.sort((a, b) => a.arrives - b.arrives)
}

/** Sends the samples that have arrived by an instant and removes them from the list. */
async function deliver({ tenant }: Site, waiting: Arriving[], until: number): Promise<void> {
  const first = waiting.findIndex(({ arrives }) => arrives > until)
  const samples = waiting.splice(0, first < 0 ? waiting.length : first).map(({ sample }) => sample)
  for (let index = 0; index < samples.length; index += 1000) {
    // Not over HTTP, because a token expires within the month.
    const { setAside } = await api.deps.ingest.accept(tenant.id, {
      samples: samples.slice(index, index + 1000),
    })
    expect(setAside).toEqual([])
  }
}

/** A month and three days of the timetable, in the order of the slots, with a downtime in the middle. */
async function runTimetable(site: Site): Promise<void> {
  const waiting = readingsOf(site)
  const slots = [
    ...slotsOf(api, { from: MONTH, to: DOWN.from }).map((due) => ({ ...due, now: due.slot })),
    ...missedSlots(api, DOWN).map((due) => ({ ...due, now: DOWN.to })),
    ...slotsOf(api, { from: DOWN.to, to: END }).map((due) => ({ ...due, now: due.slot })),
  ]
  let isPriced = false
  for (const { job, slot, now } of slots) {
    api.clock.set(now)
    await deliver(site, waiting, now)
    if (!isPriced && now >= PRICED) {
      await makePriceSet(api.deps, PERIOD, INDUSTRIAL_PRICES)
      isPriced = true
    }
    await perform(api, { job, slot })
  }
  expect(waiting).toEqual([])
}

/** The same month in weekly calculations with all data present. */
async function calculateByWeeks(site: Site): Promise<void> {
  const { tenant, group, producer, consumer } = site
  await deliver(site, readingsOf(site), Number.POSITIVE_INFINITY)
  // And the days after it, because they use the limit.
  const weeks = Array.from({ length: 5 }, (_, week) => ({
    from_hour: iso(MONTH + week * 7 * DAY_MS),
    to_hour: iso(Math.min(MONTH + (week + 1) * 7 * DAY_MS, END)),
  }))
  const post = async (path: string, body: object) => {
    const response = await api.call('POST', `/api/mahsuplasma/${path}`, { token: tenant.admin.token, body })
    expect(response.status, response.text).toBe(201)
  }
  for (const body of weeks) {
    for (const { id } of [producer, consumer]) await post(`facilities/${id}/hourly-energy/rebuild`, body)
  }
  for (const body of weeks) await post(`groups/${group.id}/calculate`, body)
}

/**
 * Figures and facts. A fact that was built before its last reading arrived is `corrected`, whatever its
 * values.
 */
async function stateOf({ group, producer, consumer }: Site): Promise<string[]> {
  const names = { [producer.id]: 'producer', [consumer.id]: 'consumer' }
  const state = await readState(api.deps, [group.id], names)
  // The timetable also covers January, which has no facts.
  const since = state.filter((row) => !row.includes('"billing_period":"2026-01-01"') && !isBefore(row))
  const { rows } = await api.deps.database.pool.query(
    `select case facility_id when $1 then 'producer' else 'consumer' end || concat_ws(' ', ' fact', hour, source,
       measurement_role, completeness_pct, production_kwh, consumption_kwh, data_quality in ('missing', 'suspect')) as row
     from hourly_energy where facility_id = any($2) and hour >= $3 order by 1`,
    [producer.id, [producer.id, consumer.id], new Date(MONTH)],
  )
  const texts = since.map((row) =>
    row.replace(/"tenant_id":\d+,|"data_quality":"(complete|partial|corrected)",?/g, ''),
  )
  return [...texts, ...rows.map(({ row }) => row)]
}

const isBefore = (row: string): boolean => Date.parse(/"hour":"([^"]+)"/.exec(row)?.[1] ?? '') < MONTH

it('a month of scheduled jobs gives the figures of the month calculated week by week', async () => {
  const scheduled = await makeSite()
  await runTimetable(scheduled)
  // Repeated work changes nothing.
  const written = await countWritten(scheduled)
  const last = new Map(slotsOf(api, { from: END - DAY_MS, to: END }).map((due) => [due.job.name, due]))
  for (const due of last.values()) await perform(api, due)
  expect(last.size).toBe(schedule(api.deps).length)
  expect(await countWritten(scheduled)).toEqual(written)

  const once = await makeSite()
  await calculateByWeeks(once)

  const state = await stateOf(scheduled)
  expect(state.length).toBeGreaterThan(4 * DAYS * 24)
  const expected = await stateOf(once)
  const without = (some: string[], others: string[]) => some.filter((row) => !new Set(others).has(row))
  expect([without(state, expected).slice(0, 5), without(expected, state).slice(0, 5)]).toEqual([[], []])
  expect(state).toEqual(expected)
  expect(await findFaults(api.deps)).toEqual([])
}, 300_000)

async function countWritten({ tenant }: Site) {
  const { rows } = await api.deps.database.pool.query(
    `select (select count(*) from calculation_run where tenant_id = $1) as runs,
       (select count(*) from eligibility_run where tenant_id = $1) as evaluations,
       (select count(*) from limit_movement where tenant_id = $1) as movements,
       (select count(*) from alarm_event where tenant_id = $1) as events,
       (select max(computed_at) from hourly_energy where tenant_id = $1) as last_fact`,
    [tenant.id],
  )
  return rows
}
