import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { makeTag, openCharging } from '../../support/charging/charging.ts'
import { startOcppApi } from '../../support/field/ocpp.ts'
import { setUpDashboard } from '../../support/insight/widgets.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Friday, 21:30 in Turkey. */
const NOW = '2026-11-20T18:30:00Z'
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startOcppApi({ now: NOW })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2026-11-01', [
    { purpose: 'customer_bill_active_energy', segment: 'gunduz', price: '3.000000' },
    { purpose: 'customer_bill_active_energy', segment: 'puant', price: '5.000000' },
    { purpose: 'customer_bill_active_energy', price: '2.985253' },
    { purpose: 'customer_bill_active_energy', aboneGrubu: 'ticarethane', stepNo: 1, price: '2.000000' },
    { purpose: 'customer_bill_active_energy', aboneGrubu: 'ticarethane', stepNo: 2, price: '3.000000' },
  ])
})
afterAll(() => api.close())

const get = (path: string) => api.call('GET', path, { token: tenant.viewer.token })
const kwh = (value: string) => ({ value, unit: 'kWh' })

/** A charger whose subregion has a facility. */
async function openAt(facility: object) {
  const { subregionId } = await setUpDashboard(api, tenant)
  await api.deps.database.kysely
    .insertInto('facility')
    .values({
      tenant_id: tenant.id,
      subregion_id: subregionId,
      name: `works ${randomUUID()}`,
      valid_from: '2026-01-01',
      ...facility,
    })
    .execute()
  return openCharging(api, tenant, { subregion_id: subregionId })
}

/** From 16:00 to 18:00: 10 kWh until 17:00, when the peak begins, and 2 after it. */
async function chargeAcrossThePeak(
  setup: Awaited<ReturnType<typeof openAt>>,
  from = 1_000_000,
): Promise<number> {
  const { transactionId } = await setup.start({ at: '2026-11-20T13:00:00Z', meterStart: from })
  await setup.meter('2026-11-20T13:59:00Z', [{ value: String(from + 9_900) }])
  await setup.meter('2026-11-20T14:01:00Z', [{ value: String(from + 10_100) }])
  await setup.stop({ transactionId, at: '2026-11-20T15:00:00Z', meterStop: from + 12_000 })
  return transactionId
}

describe('cost of a session', () => {
  it('uses the approved tariff of the facility at the times of the consumption', async () => {
    const setup = await openAt({ abone_grubu: 'sanayi', is_multi_time: true })
    const id = await chargeAcrossThePeak(setup)
    const session = await setup.session(id)
    expect(session).toMatchObject({
      energy_kwh: '12.000',
      // 10 x 3 + 2 x 5
      cost_try: '40.000000',
      cost_reason: null,
      tariff: { facility_id: expect.any(String), abone_grubu: 'sanayi', is_multi_time: true },
      cost_parts: [
        { timestamp: '2026-11-20T13:00:00.000Z', energy_kwh: '10.000', cost_try: '30.000000' },
        { timestamp: '2026-11-20T14:00:00.000Z', energy_kwh: '2.000', cost_try: '10.000000' },
      ],
    })
    const [listed] = await setup.sessions()
    expect(session).toMatchObject(listed)
    // With another tariff it would be 12 x 2.985253.
    const single = await setup.session(id, '?is_multi_time=false')
    expect(single).toMatchObject({ cost_try: '35.823036', tariff: { is_multi_time: false } })
    expect((await setup.sessions('&is_multi_time=false'))[0].cost_try).toBe('35.823036')
    await setup.station.end()
  })

  it('names the hours without a reading, and the parts that they make an estimate', async () => {
    const setup = await openAt({ abone_grubu: 'sanayi', is_multi_time: true })
    const { transactionId } = await setup.start({ at: '2026-11-20T09:30:00Z', meterStart: 0 })
    await setup.meter('2026-11-20T10:00:00Z', [{ value: '1000' }])
    await setup.meter('2026-11-20T12:59:59Z', [{ value: '4000' }])
    await setup.stop({ transactionId, at: '2026-11-20T15:10:00Z', meterStop: 9_000 })
    const session = await setup.session(transactionId)
    // 10:00 has a reading on its edge; 12:00 has one; nothing was reported from 13:00 on, until the end.
    expect(session.hours_without_reading).toEqual([
      '2026-11-20T11:00:00.000Z',
      '2026-11-20T13:00:00.000Z',
      '2026-11-20T14:00:00.000Z',
    ])
    // The peak begins at 14:00, in the middle of the two hours without a reading.
    expect(session.cost_parts).toMatchObject([{ is_estimated: true }, { is_estimated: true }])
    await setup.station.end()

    const whole = await openAt({ abone_grubu: 'sanayi', is_multi_time: true })
    const read = await whole.session(await chargeAcrossThePeak(whole))
    expect(read).toMatchObject({
      hours_without_reading: [],
      cost_parts: [{ is_estimated: false }, { is_estimated: false }],
    })
    await whole.station.end()
  })

  it('equals the cost widget of the charger', async () => {
    const setup = await openAt({ abone_grubu: 'sanayi', is_multi_time: true })
    await chargeAcrossThePeak(setup)
    const { subregionId, widget, data } = await setUpDashboard(api, tenant)
    const config = {
      device_id: setup.charger.device_id,
      abone_grubu: 'sanayi',
      is_multi_time: true,
      period: 'today',
    }
    const { body } = await data(await widget('cost_numeric', config), 'cost-numeric')
    expect([subregionId.length, body.value_try, body.energy_kwh]).toEqual([36, '40.000000', 12])
    await setup.station.end()
  })

  it('uses the price step reached by the connector in the month', async () => {
    const setup = await openAt({ abone_grubu: 'ticarethane' })
    // 895 kWh since 1 November; the threshold is 30 days of 30 kWh.
    await setup.meter('2026-10-31T20:50:00Z', [kwh('105')])
    await setup.meter('2026-10-31T21:10:00Z', [kwh('105')])
    const id = await chargeAcrossThePeak(setup)
    // 5 x 2 + 7 x 3
    expect((await setup.session(id)).cost_try).toBe('31.000000')
    await setup.station.end()
  })

  it('prefers the facility assigned to the connector over that of the subregion', async () => {
    const setup = await openAt({ abone_grubu: 'sanayi', is_multi_time: true })
    const { database } = api.deps
    const { id: facility_id, subregion_id } = await database.kysely
      .insertInto('facility')
      .values({
        tenant_id: tenant.id,
        subregion_id: (await setUpDashboard(api, tenant)).subregionId,
        name: `shop ${randomUUID()}`,
        valid_from: '2026-01-01',
        abone_grubu: 'ticarethane',
      })
      .returning(['id', 'subregion_id'])
      .executeTakeFirstOrThrow()
    await database.kysely
      .insertInto('meter_assignment')
      .values({
        tenant_id: tenant.id,
        subregion_id,
        facility_id,
        device_id: setup.charger.device_id,
        measurement_role: 'aux_consumption',
        valid_from: '2026-01-01T00:00:00+03:00',
      })
      .execute()
    const session = await setup.session(await chargeAcrossThePeak(setup))
    expect(session).toMatchObject({
      cost_try: '24.000000',
      tariff: { facility_id, abone_grubu: 'ticarethane', is_multi_time: false },
    })
    await setup.station.end()
  })

  it('is null with its reason without an approved tariff or without a subscriber group', async () => {
    const nowhere = await openCharging(api, tenant)
    const id = await chargeAcrossThePeak(nowhere)
    expect(await nowhere.session(id)).toMatchObject({
      energy_kwh: '12.000',
      cost_try: null,
      cost_reason: 'abone_grubu_unknown',
      tariff: { facility_id: null, abone_grubu: null, is_multi_time: false },
    })
    expect(await nowhere.session(id, '?abone_grubu=aydinlatma')).toMatchObject({
      cost_try: null,
      cost_reason: 'price_missing',
    })
    expect((await nowhere.session(id, '?abone_grubu=sanayi')).cost_try).toBe('35.823036')
    await nowhere.station.end()
  })

  it('and energy of an active session cover its readings so far', async () => {
    const setup = await openAt({ abone_grubu: 'sanayi', is_multi_time: true })
    const { transactionId } = await setup.start({ at: '2026-11-20T18:20:00Z', meterStart: 1_000 })
    await setup.meter('2026-11-20T18:25:00Z', [{ value: '3500' }], { transactionId })
    expect(await setup.session(transactionId)).toMatchObject({
      state: 'active',
      energy_kwh: '2.500',
      cost_try: '12.500000',
      last_reading_at: '2026-11-20T18:25:00.000Z',
    })
    await setup.station.end()
  })
})

describe('list of sessions', () => {
  it('is filtered by charger, connector, tag, state and time, and paged', async () => {
    const setup = await openCharging(api, tenant)
    const { tag } = await makeTag(api, tenant, { allows_concurrent: true })
    const times = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', '2026-11-20T12:00:00Z']
    const ids: number[] = []
    for (const [index, at] of times.entries()) {
      const { transactionId } = await setup.start({ at, connectorId: index + 1, ...(index > 0 && { tag }) })
      ids.push(transactionId)
    }
    const [first = 0, second = 0, third = 0] = ids
    await setup.stop({ transactionId: second, at: '2026-11-20T11:30:00Z', meterStop: 5 })
    const numbers = async (query: string) =>
      (await setup.sessions(query)).map(({ transaction_number }) => transaction_number)
    expect(await numbers('')).toEqual([first, second, third])
    expect(await numbers('&connector_id=2')).toEqual([second])
    expect(await numbers(`&id_tag=${tag.toUpperCase()}`)).toEqual([second, third])
    expect(await numbers('&state=active')).toEqual([first, third])
    expect(await numbers('&state=ended')).toEqual([second])
    expect(await numbers('&from=2026-11-20T11:00:00Z&to=2026-11-20T12:00:00Z')).toEqual([second])
    expect(await numbers('&limit=1&skip=1')).toEqual([second])
    const { body } = await get(`/api/ocpp/sessions?charger_id=${setup.charger.id}&limit=2`)
    expect(body).toMatchObject({ total: 3, skip: 0, limit: 2 })
    expect((await get(`/api/ocpp/sessions?charger_id=${randomUUID()}`)).body.total).toBe(0)
    expect((await get('/api/ocpp/sessions?sort_by=energy_kwh')).status).toBe(422)
    expect((await get(`/api/ocpp/sessions/${randomUUID()}`)).status).toBe(404)
    expect((await api.call('GET', '/api/ocpp/sessions')).status).toBe(401)
    await setup.station.end()
  })
})

describe('curve of a session', () => {
  it('contains the samples of its connector in its time, thinned evenly to the limit', async () => {
    const setup = await openCharging(api, tenant)
    const { transactionId } = await setup.start({ at: '2026-11-20T18:00:00Z', meterStart: 1_000 })
    await setup.meter('2026-11-20T17:59:00Z', [{ value: '1000' }])
    for (let minute = 1; minute <= 10; minute++) {
      const at = `2026-11-20T18:${String(minute).padStart(2, '0')}:00Z`
      await setup.meter(at, [
        { value: String(1_000 + minute * 100) },
        { value: '6000', measurand: 'Power.Active.Import', unit: 'W' },
        { value: '26.1', measurand: 'Current.Import', unit: 'A' },
        { value: '230.5', measurand: 'Voltage', unit: 'V' },
        { value: String(40 + minute), measurand: 'SoC', unit: 'Percent', location: 'EV' },
      ])
    }
    await setup.stop({ transactionId, at: '2026-11-20T18:10:00Z', meterStop: 2_000 })
    await setup.meter('2026-11-20T18:11:00Z', [{ value: '2000' }])
    const { id } = await setup.session(transactionId)
    const { body } = await get(`/api/ocpp/sessions/${id}/curve`)
    expect(body).toMatchObject({
      session_id: id,
      device_id: setup.charger.device_id,
      start: '2026-11-20T18:00:00.000Z',
      end: '2026-11-20T18:10:00.000Z',
      samples: 11,
    })
    expect(body.points).toHaveLength(11)
    expect(body.points[0]).toEqual({
      timestamp: '2026-11-20T18:00:00.000Z',
      energy_kwh: '0.000',
      power_kw: null,
      current_a: null,
      voltage_v: null,
      state_of_charge: null,
    })
    expect(body.points[10]).toEqual({
      timestamp: '2026-11-20T18:10:00.000Z',
      energy_kwh: '1.000',
      power_kw: 6,
      current_a: 26.1,
      voltage_v: 230.5,
      state_of_charge: 50,
    })
    const thin = (await get(`/api/ocpp/sessions/${id}/curve?limit=5`)).body
    expect([thin.samples, thin.points.length, thin.points.at(-1).energy_kwh]).toEqual([11, 5, '1.000'])
    expect((await get(`/api/ocpp/sessions/${id}/curve?limit=2001`)).status).toBe(422)
    expect((await get(`/api/ocpp/sessions/${randomUUID()}/curve`)).status).toBe(404)
    await setup.station.end()
  })
})

describe('commands and sessions', () => {
  it('reference each other: the remote start that created a session, the remote stop that ended it', async () => {
    const setup = await openCharging(api, tenant)
    const { charger, station, tag } = setup
    const command = async (body: object) => {
      const path = `/api/ocpp/chargers/${charger.id}/commands?wait=20`
      const response = await api.call('POST', path, { token: tenant.operator.token, body })
      expect([response.status, response.body.state]).toEqual([202, 'accepted'])
      return response.body.id
    }
    station.onCall('RemoteStartTransaction', () => ({ status: 'Accepted' }))
    station.onCall('RemoteStopTransaction', () => ({ status: 'Accepted' }))
    const elsewhere = await command({ action: 'remote_start', id_tag: tag, connector_id: 2 })
    const remoteStart = await command({ action: 'remote_start', id_tag: tag.toUpperCase() })
    const { transactionId } = await setup.start({ meterStart: 1 })
    expect(elsewhere).not.toBe(remoteStart)
    expect(await setup.session(transactionId)).toMatchObject({
      command_id: remoteStart,
      stop_command_id: null,
    })
    const { id } = await setup.session(transactionId)
    const remoteStop = await command({ action: 'remote_stop', session_id: id })
    expect(station.called.at(-1)?.payload).toEqual({ transactionId })
    await setup.stop({ transactionId, at: NOW, meterStop: 2, reason: 'Remote' })
    expect(await setup.session(transactionId)).toMatchObject({
      command_id: remoteStart,
      stop_command_id: remoteStop,
      stop_reason: 'Remote',
    })
    // The next session by the same tag was started without a command.
    const next = await setup.start({ meterStart: 3 })
    expect((await setup.session(next.transactionId)).command_id).toBeNull()
    await station.end()
  })
})
