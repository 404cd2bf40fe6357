import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { formatKwh, parseKwh, total } from '../../../src/kernel/decimal.ts'
import type { TestApi } from '../../support/api.ts'
import { type ChargingFixture, openCharging } from '../../support/charging/charging.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { openStation } from '../../support/field/ocpp201.ts'
import { makeFacility, makeMeter, type TestFacility } from '../../support/netting/netting.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const NOW = '2026-11-20T14:30:00Z'
const FROM = '2026-11-20T06:00:00Z'
const TO = '2026-11-20T14:00:00Z'
const at = (clock: string) => `2026-11-20T${clock}:00Z`

/**
 * Four sessions of a meter that restarts at 0; each ends above the one before, so that a 0 between them looks
 * like a false reading. The third is short and begins exactly at an hour.
 */
const SESSIONS = [
  { connectorId: 1, begin: '06:05', end: '06:50', kwh: 6, during: [] },
  { connectorId: 1, begin: '07:20', end: '08:40', kwh: 7, during: [] },
  { connectorId: 1, begin: '09:00', end: '09:04', kwh: 8, during: [] },
  {
    connectorId: 1,
    begin: '10:10',
    end: '11:30',
    kwh: 9.5,
    during: [['10:40', 9] as const, ['11:10', 9.25] as const],
  },
]
type Session = (typeof SESSIONS)[number]

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const get = async (path: string) => (await api.call('GET', path, { token: tenant.viewer.token })).body

/** The devices of connectors of a charger, the first as main consumption and the second as auxiliary. */
async function assign({
  id,
}: Pick<TestCharger, 'id'>): Promise<{ facility: TestFacility; devices: string[] }> {
  const facility = await makeFacility(api.deps, tenant)
  const { rows } = await api.deps.database.pool.query<{ id: string; key: number }>(
    `select d.id, d.key from charger_connector c join device d on d.tenant_id = c.tenant_id and d.id = c.device_id
     where c.tenant_id = $1 and c.charger_id = $2 and c.connector_id > 0 order by c.connector_id`,
    [tenant.id, id],
  )
  for (const [index, { id: deviceId, key: deviceKey }] of rows.entries()) {
    await makeMeter(api.deps, tenant, {
      facilityId: facility.id,
      subregionId: facility.subregionId,
      role: index === 0 ? 'main_consumption' : 'aux_consumption',
      device: { deviceId, deviceKey },
    })
  }
  return { facility, devices: rows.map((row) => row.id) }
}

/** The hourly energy of devices, as `[hour, kWh]`, computed from the samples or from the roll-ups. */
async function hourly(devices: readonly string[]) {
  const lists = await Promise.all(
    devices.map((id) =>
      get(`/api/measurements/devices/${id}/aggregated?interval=hourly&start=${FROM}&end=${TO}`),
    ),
  )
  return lists.flatMap(({ data }) => data)
}
const sumOf = (rows: readonly { total_energy: number | null }[]) =>
  rows.reduce((wh, { total_energy: kwh }) => wh + Math.round((kwh ?? 0) * 1000), 0)

async function rollUp(): Promise<void> {
  await rollUpMarkedDevices(api.deps)
  await rollUpSettledHours(api.deps, api.clock.now())
}

async function buildFacts(facility: TestFacility) {
  const path = `/api/mahsuplasma/facilities/${facility.id}/hourly-energy`
  const built = await api.call('POST', `${path}/rebuild`, {
    token: tenant.admin.token,
    body: { from_hour: FROM, to_hour: TO },
  })
  expect(built.status, built.text).toBe(201)
  return get(`${path}?from=${FROM}&to=${TO}`)
}
const factSum = (facts: readonly { consumption_kwh: string | null }[]) =>
  formatKwh(total(facts.map(({ consumption_kwh: kwh }) => parseKwh(kwh ?? '0'))))
const qualities = (facts: readonly { data_quality: string }[]) => [
  ...new Set(facts.map(({ data_quality }) => data_quality)),
]

const charge = async (setup: ChargingFixture, { connectorId, begin, end, kwh, during }: Session) => {
  const { transactionId } = await setup.start({ connectorId, at: at(begin), meterStart: 0 })
  for (const [clock, value] of during) {
    await setup.meter(at(clock), [{ value: String(value), unit: 'kWh' }], { connectorId, transactionId })
  }
  await setup.stop({ transactionId, at: at(end), meterStop: kwh * 1000 })
}

/** Hourly energy before and after the roll-up, and facts: 30.5 kWh each, of which nothing is in doubt. */
async function expectAll({ id }: Pick<TestCharger, 'id'>): Promise<void> {
  const { facility, devices } = await assign({ id })
  const computed = await hourly(devices)
  expect(sumOf(computed)).toBe(30_500)
  await rollUp()
  const rolled = await hourly(devices)
  expect(rolled).toEqual(computed)
  // Only an hour between two sessions has no reading.
  expect(sumOf(rolled.filter(({ is_estimated }) => is_estimated))).toBe(0)
  const { rows } = await api.deps.database.pool.query(
    `select sum(import_wh)::int as wh, bit_or(suspect_bits) as suspect from measurement_hour h
     join device d on d.tenant_id = h.tenant_id and d.key = h.device_key where d.tenant_id = $1 and d.id = any($2)`,
    [tenant.id, devices],
  )
  expect(rows).toEqual([{ wh: 30_500, suspect: 0 }])
  const facts = await buildFacts(facility)
  expect(factSum(facts)).toBe('30.500')
  expect(qualities(facts)).not.toContain('suspect')
}

describe('a meter that restarts at 0 for every session', () => {
  it('of a 1.6 station: hours and facts sum to the sessions', async () => {
    const setup = await openCharging(api, tenant)
    for (const session of SESSIONS) await charge(setup, session)
    const energies = (await setup.sessions()).map(({ energy_kwh }) => energy_kwh)
    expect(energies).toEqual(['6.000', '7.000', '8.000', '9.500'])
    await expectAll(setup.charger)
    await setup.station.end()
  })

  it('of a 1.6 station with two connectors in turn', async () => {
    const setup = await openCharging(api, tenant)
    for (const [index, session] of SESSIONS.entries()) {
      await charge(setup, { ...session, connectorId: 1 + (index % 2) })
    }
    await expectAll(setup.charger)
    await setup.station.end()
  })

  it('of a 1.6 station that repeats its messages and reports sessions late', async () => {
    const setup = await openCharging(api, tenant)
    const [first, second, third, fourth] = SESSIONS as [Session, Session, Session, Session]
    for (const session of [fourth, first]) await charge(setup, session)
    const { facility, devices } = await assign(setup.charger)
    await rollUp()
    expect(sumOf(await hourly(devices))).toBe(15_500)
    expect(factSum(await buildFacts(facility))).toBe('15.500')
    for (const session of [third, second, third, first]) await charge(setup, session)
    expect(sumOf(await hourly(devices))).toBe(30_500)
    await rollUp()
    expect(sumOf(await hourly(devices))).toBe(30_500)
    const facts = await buildFacts(facility)
    expect(factSum(facts)).toBe('30.500')
    expect(qualities(facts)).not.toContain('suspect')
    await setup.station.end()
  })

  it.each([
    ['with contexts', ['Transaction.Begin', 'Transaction.End']],
    ['without contexts', ['Sample.Periodic', 'Sample.Periodic']],
  ] as const)(
    'of a 2.0.1 station %s: hours and facts sum to the sessions, in any order of events',
    async (_, contexts) => {
      const charger = await createCharger(api, tenant)
      const station = await openStation(api, charger)
      const event = (index: number, seqNo: number, body: object) =>
        station.call('TransactionEvent', {
          seqNo,
          triggerReason: 'MeterValuePeriodic',
          transactionInfo: { transactionId: `T-${index}` },
          evse: { id: 1, connectorId: 1 },
          ...body,
        })
      const register = (clock: string, kwh: number, context: string) => ({
        timestamp: at(clock),
        meterValue: [
          { timestamp: at(clock), sampledValue: [{ value: kwh, context, unitOfMeasure: { unit: 'kWh' } }] },
        ],
      })
      for (const [index, { begin, end, kwh, during }] of SESSIONS.entries()) {
        const events = [
          () => event(index, 0, { eventType: 'Started', ...register(begin, 0, contexts[0]) }),
          ...during.map(
            ([clock, value], nth) =>
              () =>
                event(index, 1 + nth, { eventType: 'Updated', ...register(clock, value, 'Sample.Periodic') }),
          ),
          () => event(index, 1 + during.length, { eventType: 'Ended', ...register(end, kwh, contexts[1]) }),
        ]
        for (const send of index % 2 === 0 ? events : events.reverse()) await send()
        await events[0]?.()
      }
      await expectAll(charger)
      await station.end()
    },
  )

  it('of a session that begins at the instant at which another one ended', async () => {
    const setup = await openCharging(api, tenant)
    await charge(setup, { connectorId: 1, begin: '06:05', end: '07:00', kwh: 6, during: [] })
    await charge(setup, { connectorId: 1, begin: '07:00', end: '08:00', kwh: 8, during: [] })
    const { facility } = await assign(setup.charger)
    const facts = await buildFacts(facility)
    expect(
      facts.map(({ consumption_kwh }: { consumption_kwh: string }) => consumption_kwh).slice(0, 2),
    ).toEqual(['6.000', '8.000'])
    expect(qualities(facts)).not.toContain('suspect')
    await setup.station.end()
  })

  it('marks the hour as suspect if the end of a session was lost', async () => {
    const setup = await openCharging(api, tenant)
    await setup.start({ at: at('06:05'), meterStart: 0 })
    await setup.meter(at('06:30'), [{ value: '5000' }])
    await charge(setup, { connectorId: 1, begin: '07:20', end: '07:50', kwh: 6, during: [] })
    const { facility } = await assign(setup.charger)
    const facts = await buildFacts(facility)
    expect(factSum(facts)).toBe('11.000')
    expect(facts.slice(0, 2).map(({ data_quality }: { data_quality: string }) => data_quality)).toEqual([
      'suspect',
      'suspect',
    ])
    await setup.station.end()
  })
})

it('a register that counts on across sessions is not changed by their positions', async () => {
  const setup = await openCharging(api, tenant)
  const first = await setup.start({ at: at('06:05'), meterStart: 5_000_000 })
  await setup.stop({ transactionId: first.transactionId, at: at('06:50'), meterStop: 5_009_500 })
  const second = await setup.start({ at: at('07:20'), meterStart: 5_009_500 })
  await setup.meter(at('07:30'), [{ value: '0' }])
  await setup.stop({ transactionId: second.transactionId, at: at('07:50'), meterStop: 5_012_000 })
  const { facility } = await assign(setup.charger)
  const facts = await buildFacts(facility)
  expect(factSum(facts)).toBe('12.000')
  expect(facts.slice(0, 2).map(({ data_quality }: { data_quality: string }) => data_quality)).toEqual([
    'partial',
    'suspect',
  ])
  await setup.station.end()
})

it('a false 0 at the beginning of a session makes the hour suspect where the power excludes it', async () => {
  const setup = await openCharging(api, tenant)
  const first = await setup.start({ at: at('06:05'), meterStart: 490_000 })
  await setup.stop({ transactionId: first.transactionId, at: at('06:50'), meterStop: 500_000 })
  const second = await setup.start({ at: at('07:20'), meterStart: 0 })
  await setup.stop({ transactionId: second.transactionId, at: at('07:50'), meterStop: 505_000 })
  const { facility, devices } = await assign(setup.charger)
  await api.deps.database.pool.query('update facility set contracted_power_kw = 22 where id = $1', [
    facility.id,
  ])
  const quality = (rows: readonly { data_quality: string }[]) => rows[1]?.data_quality
  expect(quality(await hourly(devices))).toBe('suspect')
  await rollUp()
  expect(quality(await hourly(devices))).toBe('suspect')
  const facts = await buildFacts(facility)
  expect([facts[1].consumption_kwh, quality(facts)]).toEqual(['505.000', 'suspect'])
  await setup.station.end()
})
