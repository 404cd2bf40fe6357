import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findConnectorDevices } from '../../../src/areas/charging/stations.ts'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { LAST_SEEN_EVERY_MS } from '../../../src/kernel/limits.ts'
import { systemDb } from '../../../src/platform/db/tenant.ts'
import { createPolicy, deviceIncidents, startEvaluation } from '../../support/alarms/alarm-policies.ts'
import type { TestApi } from '../../support/api.ts'
import { type ChargingFixture, openCharging } from '../../support/charging/charging.ts'
import { startOcppApi } from '../../support/field/ocpp.ts'
import { setUpDashboard } from '../../support/insight/widgets.ts'
import { joinLive } from '../../support/metering/live.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOW = '2026-11-20T09:30:00Z'
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const open = () => openCharging(api, tenant)
const get = async (path: string) => (await api.call('GET', path, { token: tenant.viewer.token })).body

/** The stored values of a device, as `[time of day, values]`. */
async function stored(deviceId: string): Promise<[string, Record<string, number>][]> {
  const rows = await get(`/api/measurements/devices/${deviceId}/samples?from=2026-11-20&to=2026-11-21`)
  return rows.map(({ timestamp, values }: { timestamp: string; values: Record<string, number> }) => [
    timestamp.slice(11, 19),
    values,
  ])
}

async function deviceOf({ charger }: ChargingFixture, connectorId: number): Promise<string> {
  const { rows } = await api.deps.database.pool.query<{ device_id: string }>(
    'select device_id from charger_connector where charger_id = $1 and connector_id = $2',
    [charger.id, connectorId],
  )
  return rows[0]?.device_id ?? ''
}

describe('meter values', () => {
  it.each([
    ['the transactionId', (id: number) => ({ transactionId: id })],
    ['no transactionId', () => ({})],
    ['the transactionId 0', () => ({ transactionId: 0 })],
    ['the transactionId -1', () => ({ transactionId: -1 })],
    ['the transactionId of another transaction', () => ({ transactionId: 2_000_000_000 })],
  ])('with %s belong to the session of their connector', async (_, id) => {
    const setup = await open()
    const { transactionId } = await setup.start({ at: '2026-11-20T09:26:00Z', meterStart: 1_000 })
    expect(await setup.meter('2026-11-20T09:28:00Z', [{ value: '2500' }], id(transactionId))).toEqual({})
    const session = await setup.session(transactionId)
    expect(session).toMatchObject({ energy_kwh: '1.500', last_reading_at: '2026-11-20T09:28:00.000Z' })
    const curve = await get(`/api/ocpp/sessions/${session.id}/curve`)
    expect(curve.points.map((point: { energy_kwh: string }) => point.energy_kwh)).toEqual(['0.000', '1.500'])
    await setup.station.end()
  })

  it('without any session belong to the connector, clock-aligned ones included', async () => {
    const setup = await open()
    await setup.meter('2026-11-20T09:15:00Z', [{ value: '1000', context: 'Sample.Clock' }])
    await setup.meter('2026-11-20T09:30:00Z', [{ value: '1000', context: 'Sample.Clock' }], {
      transactionId: -1,
    })
    expect(await stored(setup.charger.device_id)).toEqual([
      ['09:15:00', { import_active_energy: 1 }],
      ['09:30:00', { import_active_energy: 1 }],
    ])
    expect(await setup.sessions()).toEqual([])
    await setup.station.end()
  })

  it('of other connectors and the main meter have their own devices below that of the charger', async () => {
    const setup = await open()
    const { charger, meter } = setup
    for (const connectorId of [0, 1, 2]) {
      await meter('2026-11-20T09:00:00Z', [{ value: String(1_000 * (connectorId + 1)) }], { connectorId })
    }
    const devices = [await deviceOf(setup, 0), charger.device_id, await deviceOf(setup, 2)]
    expect(new Set(devices).size).toBe(3)
    for (const [index, device] of devices.entries()) {
      expect(await stored(device)).toEqual([['09:00:00', { import_active_energy: index + 1 }]])
    }
    for (const device of [devices[0], devices[2]]) {
      expect(await get(`/api/devices/${device}`)).toMatchObject({
        parent_id: charger.device_id,
        device_source: 'ocpp',
        device_role: 'charger',
      })
    }
    await setup.station.end()
  })

  it('of several connectors find their devices by one look-up, except a main meter without its own', async () => {
    const { charger, meter, station } = await open()
    const find = (connectorIds: number[], tenantId = tenant.id) =>
      findConnectorDevices(
        systemDb(api.deps.database.kysely),
        connectorIds.map((connectorId) => ({ tenantId, chargerId: charger.id, connectorId })),
      )
    const status = { connectorId: 0, errorCode: 'NoError', status: 'Available' }
    await station.call('StatusNotification', status)
    await meter('2026-11-20T09:00:00Z', [{ value: '1000' }], { connectorId: 1 })
    const [main, first, second] = [0, 1, 2].map((connectorId) => `${charger.id} ${connectorId}`)
    expect(await find([0, 1, 2])).toEqual(new Map([[first, charger.device_id]]))
    for (const connectorId of [0, 2])
      await meter('2026-11-20T09:00:00Z', [{ value: '1000' }], { connectorId })
    const found = await find([2, 1, 0])
    expect(new Set(found.keys())).toEqual(new Set([main, first, second]))
    expect(new Set(found.values()).size).toBe(3)
    expect(await find([0, 1, 2], (await createTenant(api)).id)).toEqual(new Map())
    await station.end()
  })

  it('at the end of a session are stored, and the finer register takes precedence over meterStop', async () => {
    const setup = await open()
    const { transactionId } = await setup.start({ at: '2026-11-20T09:00:00Z', meterStart: 1_000 })
    const end = '2026-11-20T09:20:00Z'
    await setup.stop({
      transactionId,
      at: end,
      meterStop: 3_000,
      transactionData: [
        { timestamp: '2026-11-20T09:10:00Z', sampledValue: [{ value: '2.0', unit: 'kWh' }] },
        { timestamp: end, sampledValue: [{ value: '3000.4', context: 'Transaction.End' }] },
        { timestamp: end, sampledValue: [{ value: '11', measurand: 'Temperature', unit: 'Celsius' }] },
      ],
    })
    expect(await stored(setup.charger.device_id)).toEqual([
      ['09:00:00', { import_active_energy: 1, session_begin_energy: 1 }],
      ['09:10:00', { import_active_energy: 2 }],
      ['09:20:00', { import_active_energy: 3.0004, temperature: 11, session_end_energy: 3.0004 }],
    ])
    expect((await setup.session(transactionId)).energy_kwh).toBe('2.000')
    await setup.station.end()
  })

  it('that are repeated change nothing', async () => {
    const setup = await open()
    for (const _ of [1, 2, 3]) await setup.meter(NOW, [{ value: '1000' }])
    expect(await stored(setup.charger.device_id)).toHaveLength(1)
    await setup.station.end()
  })

  it('that are unreadable are recorded once per kind, and the readable ones are stored', async () => {
    const setup = await open()
    for (const second of [10, 11]) {
      await setup.meter(`2026-11-20T09:30:${second}Z`, [
        { value: 'n/a', measurand: 'Voltage', unit: 'V' },
        { value: '5', measurand: 'Current.Import', unit: 'A' },
      ])
    }
    expect(await stored(setup.charger.device_id)).toEqual([
      ['09:30:10', { current: 5 }],
      ['09:30:11', { current: 5 }],
    ])
    expect(await setup.events('unreadable_values')).toMatchObject([
      { connector_id: 1, details: { what: 'Voltage V' } },
    ])
    await setup.station.end()
  })

  it('are accepted in the non-standard notations of some stations', async () => {
    const setup = await open()
    const frame = (id: string, payload: object) => JSON.stringify([2, id, 'MeterValues', payload])
    const sampledValue = [{ value: 1500 }, { value: 7.2, measurand: 'Power.Active.Import', unit: 'kW' }]
    const payload = {
      connectorId: '1',
      transactionId: null,
      meterValue: [{ timestamp: '2026-11-20T09:29:00', sampledValue }],
    }
    setup.station.client.sendRaw(frame('sloppy', payload))
    await waitFor(async () => (await stored(setup.charger.device_id)).length > 0)
    expect(await stored(setup.charger.device_id)).toEqual([
      ['09:29:00', { import_active_energy: 1.5, active_power: 7.2 }],
    ])
    await setup.station.end()
  })

  it('of a clock that is ahead or was never set are quarantined with the reason', async () => {
    const setup = await open()
    await setup.meter('2026-11-20T11:30:00Z', [{ value: '1000' }])
    await setup.meter('1970-01-01T00:10:00Z', [{ value: '1000' }])
    const { items } = await get(
      `/api/measurements/set-aside?device_id=${setup.charger.device_id}&sort_by=timestamp&sort_order=asc`,
    )
    expect(items.map(({ reason }: { reason: string }) => reason)).toEqual([
      'epoch_timestamp',
      'future_timestamp',
    ])
    await setup.station.end()
  })
})

describe('a meter value', () => {
  it('reaches samples, roll-ups, alarms, live sockets and widgets', async () => {
    const { subregionId, widget, data } = await setUpDashboard(api, tenant)
    const setup = await openCharging(api, tenant, { subregion_id: subregionId })
    const { device_id: id } = setup.charger
    // An alarm evaluates only what is measured after its creation.
    api.clock.set('2026-11-20T07:59:00Z')
    const policy = await createPolicy(api, tenant, { device_id: id, threshold: 7, clear_threshold: 6 })
    api.clock.set(NOW)
    const evaluation = startEvaluation(api)
    const live = await joinLive(api.url, { token: tenant.viewer.token, devices: [id] })
    const card = await widget('realtime_value', { device_id: id, metric: 'active_power' })
    const power = (watts: number) => ({ value: String(watts), measurand: 'Power.Active.Import', unit: 'W' })

    await setup.meter('2026-11-20T08:00:00Z', [{ value: '1000' }, power(7_400)])
    await setup.meter('2026-11-20T09:00:00Z', [{ value: '8400' }, power(7_400)])
    api.clock.advance(LAST_SEEN_EVERY_MS)
    await setup.meter('2026-11-20T09:29:00Z', [{ value: '11900' }, power(7_400)])

    const values = { import_active_energy: 11.9, active_power: 7.4 }
    expect((await stored(id)).at(-1)).toEqual(['09:29:00', values])
    const liveValue = await live.find(({ timestamp }) => timestamp === '2026-11-20T09:29:00.000Z')
    expect(liveValue).toMatchObject({ type: 'sample', device_id: id, values })
    await evaluation.settle()
    expect(await deviceIncidents(api, tenant, { policy })).toMatchObject([
      { status: 'active', triggered_at: new Date('2026-11-20T08:00:00Z') },
    ])
    expect((await data(card, 'realtime-value')).body).toMatchObject({
      value: 7.4,
      timestamp: '2026-11-20T09:29:00.000Z',
      device_status: 'online',
    })
    const hours = async () =>
      (
        await get(
          `/api/measurements/devices/${id}/aggregated?interval=hourly&start=2026-11-20T08:00:00Z&end=${NOW}`,
        )
      ).data
    const before = await hours()
    expect(before[0]).toMatchObject({
      timestamp: '2026-11-20T08:00:00.000Z',
      total_energy: 7.4,
      power_avg: 7.4,
    })
    await rollUpMarkedDevices(api.deps)
    await rollUpSettledHours(api.deps, api.clock.now())
    const { rows } = await api.deps.database.pool.query(
      `select import_wh::int as wh from measurement_hour h join device d on d.tenant_id = h.tenant_id and d.key = h.device_key
       where d.id = $1 order by hour`,
      [id],
    )
    expect([rows[0], await hours()]).toEqual([{ wh: 7_400 }, before])
    expect((await get(`/api/devices/${id}`)).last_seen).toBe('2026-11-20T09:29:00.000Z')
    await live.end()
    await evaluation.stop()
    await setup.station.end()
  })
})
