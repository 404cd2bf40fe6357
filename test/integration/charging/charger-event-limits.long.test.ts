import { afterAll, beforeAll, expect, it } from 'vitest'
import { clearChargerRecords } from '../../../src/areas/charging/index.ts'
import { CHARGER_EVENT_BYTES_A_DAY, CHARGER_EVENTS_A_DAY } from '../../../src/areas/charging/limits.ts'
import { DAY_MS } from '../../../src/kernel/time.ts'
import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
/** Created while the tokens are valid: the tests advance to the next day and the next year. */
let chargers: TestCharger[]
beforeAll(async () => {
  api = await startOcppApi()
  tenant = await createTenant(api)
  chargers = await Promise.all(Array.from({ length: 5 }, () => createCharger(api, tenant)))
})
afterAll(() => api.close())

const charger = (index: number): TestCharger => {
  const one = chargers[index]
  if (!one) throw new Error(`there is no charger ${index}`)
  return one
}

async function get(path: string) {
  const tokens = makeTokens({ secretKey: api.deps.config.secretKey, clock: api.clock })
  const token = tokens.issue('access', { id: tenant.viewer.id, tenantUid: tenant.uid })
  const { status, text, body } = await api.call('GET', path, { token })
  if (status !== 200) throw new Error(text)
  return body
}
const detail = ({ id }: TestCharger) => get(`/api/ocpp/chargers/${id}`)
const events = ({ id }: TestCharger, type: string) =>
  get(`/api/ocpp/chargers/${id}/events?event_type=${type}`)

const MESSAGE = 'x'.repeat(200 * 1024)
const transfer = (station: BareStation, id: string, data = MESSAGE) =>
  station.call('DataTransfer', { vendorId: 'V', messageId: id, data })

it('events of one type are limited in bytes per day, and the station still gets its responses', async () => {
  const own = charger(0)
  const station = await openStation(api, own, '1.6')
  const room = Math.ceil(CHARGER_EVENT_BYTES_A_DAY / MESSAGE.length)
  for (let at = 0; at < room + 5; at += 1)
    expect(await transfer(station, `${at}`)).toEqual({ status: 'UnknownVendorId' })
  // A stored event that is sent again does not count again.
  await transfer(station, '0')
  const stored = (await events(own, 'data_transfer')).total
  expect(stored).toBeLessThanOrEqual(room)
  const day = new Date(api.clock.now()).toISOString().slice(0, 10)
  const notes = await events(own, 'events_left_out')
  expect(notes.items.map((event: { details: object }) => event.details)).toEqual([
    { event_type: 'data_transfer', day },
  ])
  expect((await detail(own)).events_left_out).toBe(room + 5 - stored)

  // Other types have a limit of their own.
  await station.call('SecurityEventNotification', {
    type: 'SettingSystemTime',
    timestamp: `${day}T00:00:00Z`,
  })
  expect((await events(own, 'security')).total).toBe(1)

  api.clock.advance(DAY_MS)
  expect((await detail(own)).events_left_out).toBe(0)
  await transfer(station, 'of the next day')
  expect((await events(own, 'data_transfer')).total).toBe(stored + 1)
  await station.end()
})

it('a connector with rapidly changing status keeps the newest one and a bounded number of events', async () => {
  const own = charger(1)
  const station = await openStation(api, own, '1.6')
  const from = api.clock.now()
  const toggleStatus = (at: number) =>
    station.call('StatusNotification', {
      connectorId: 1,
      errorCode: 'NoError',
      status: at % 2 === 0 ? 'Available' : 'Preparing',
      timestamp: new Date(from - DAY_MS + at * 1_000).toISOString(),
    })
  const count = CHARGER_EVENTS_A_DAY + 20
  for (let done = 0; done < count; done += 20) {
    const batch = Array.from({ length: Math.min(20, count - done) }, (_, at) => toggleStatus(done + at))
    expect(await Promise.all(batch)).toEqual(batch.map(() => ({})))
  }
  await toggleStatus(count + 1)
  expect((await events(own, 'status')).total).toBe(CHARGER_EVENTS_A_DAY)
  expect((await events(own, 'events_left_out')).total).toBe(1)
  expect(await detail(own)).toMatchObject({ status: 'Preparing', events_left_out: 21 })
  await station.end()
})

it('the nightly job keeps the newest events of a charger, whatever timestamps its station sends', async () => {
  const [flooded, heavy, modest] = [charger(2), charger(3), charger(4)]
  const add = ({ id }: TestCharger, count: number, bytes: number) =>
    api.deps.database.pool.query(
      `insert into charger_event (tenant_id, charger_id, event_type, occurred_at, received_at, size_bytes, digest)
       select $1, $2, 'test ' || n, '2999-01-01', $5, $4, sha256(('event ' || n)::bytea) from generate_series(1, $3) n`,
      [tenant.id, id, count, bytes, new Date(api.clock.now())],
    )
  await add(flooded, 20_003, 10)
  await add(heavy, 70, 1024 * 1024)
  await add(modest, 70, 10)
  const { total: eventsLeft } = await get(`/api/ocpp/chargers/${modest.id}/events`)
  expect(eventsLeft).toBe(70)
  await clearChargerRecords(api.deps)
  const all = async ({ id }: TestCharger) => (await get(`/api/ocpp/chargers/${id}/events?limit=1`)).total
  expect(await all(flooded)).toBe(20_000)
  expect(await all(heavy)).toBe(64)
  expect(await all(modest)).toBe(70)
  for (const [one, oldest] of [
    [flooded, 3],
    [heavy, 6],
  ] as const) {
    expect((await events(one, `test%20${oldest}`)).total).toBe(0)
    expect((await events(one, `test%20${oldest + 1}`)).total).toBe(1)
  }
  // An event with a future timestamp is deleted when it is old by the service's clock.
  api.clock.advance(401 * DAY_MS)
  await clearChargerRecords(api.deps)
  expect(await all(modest)).toBe(0)
})
