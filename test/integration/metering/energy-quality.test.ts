import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { HOUR_MS, iso } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { type DashboardFixture, setUpDashboard } from '../../support/insight/widgets.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { makeSubregion } from '../../support/netting/netting.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Friday, 12:30 in Turkey. */
const NOW = Date.parse('2026-11-20T09:30:00Z')
/** The start of the current hour. */
const HOUR = Date.parse('2026-11-20T09:00:00Z')
const QUARTER = HOUR_MS / 4

let api: TestApi
let tenant: TestTenant
let dashboard: DashboardFixture
beforeAll(async () => {
  api = await startApi({ now: iso(NOW) })
  tenant = await createTenant(api)
  dashboard = await setUpDashboard(api, tenant)
  await makePriceSet(api.deps, '2026-11-01', [{ purpose: 'customer_bill_active_energy', price: '3.000000' }])
})
afterAll(() => api.close())

const newMeter = () => createDevice(api, tenant, { reporting_interval_s: 900 })

/** 12 kW from four hours before the current hour until now; after two hours the register falls to `fallsTo`. */
const fill = (meter: TestDevice, fallsTo: number, power: number | null = 12) =>
  postSamples(
    api,
    tenant,
    Array.from({ length: 19 }, (_, index) =>
      sample(meter, HOUR - 4 * HOUR_MS + index * QUARTER, {
        import_active_energy: index < 9 ? 5000 + index * 3 : fallsTo + (index - 9) * 3,
        ...(power === null ? {} : { active_power: power }),
      }),
    ),
  )

const span = `start=${iso(HOUR - 4 * HOUR_MS)}&end=${iso(NOW)}`
interface Row {
  readonly total_energy?: number
  readonly consumption_kwh?: number
  readonly energy_kwh?: number
  readonly data_quality: string
}
const shown = ({ total_energy, consumption_kwh, energy_kwh, data_quality }: Row): string =>
  `${total_energy ?? consumption_kwh ?? energy_kwh} ${data_quality}`

async function read(path: string) {
  const { status, body, text } = await api.call('GET', path, { token: tenant.viewer.token })
  if (status !== 200) throw new Error(text)
  return body
}
const aggregated = async (meter: TestDevice, interval = 'hourly'): Promise<string[]> =>
  (await read(`/api/measurements/devices/${meter.id}/aggregated?interval=${interval}&${span}`)).data.map(
    shown,
  )
const rollAll = async () => {
  await rollUpMarkedDevices(api.deps)
  await rollUpSettledHours(api.deps, api.clock.now())
}
/** The response before the roll-up, which must equal the response after it. */
async function beforeAndAfter<T>(get: () => Promise<T>): Promise<T> {
  const before = await get()
  await rollAll()
  expect(await get()).toEqual(before)
  return before
}

const SUSPECT = ['12 complete', '12 complete', '9 suspect', '12 complete', '6 partial']

describe('a register that falls', () => {
  it('adds no energy that the measured power excludes, and the hour and its day are suspect', async () => {
    const meter = await newMeter()
    await fill(meter, 1138.7)
    expect(await beforeAndAfter(() => aggregated(meter))).toEqual(SUSPECT)
    expect(await aggregated(meter, 'daily')).toEqual(['51 suspect'])
    expect(await aggregated(meter, 'monthly')).toEqual(['51 suspect'])
  })

  it('adds its growth from 0 where the power allows it, or where no power is known', async () => {
    const [possible, unknown] = [await newMeter(), await newMeter()]
    await fill(possible, 4.5)
    await fill(unknown, 1138.7, null)
    expect((await beforeAndAfter(() => aggregated(possible)))[2]).toBe('13.5 suspect')
    expect((await aggregated(unknown))[2]).toBe('1147.7 suspect')
  })

  it('uses the power of the facility before the measured power', async () => {
    const meter = await newMeter()
    const facility = await api.deps.database.kysely
      .insertInto('facility')
      .values({
        tenant_id: tenant.id,
        subregion_id: dashboard.subregionId,
        name: 'factory',
        valid_from: '2026-01-01',
        contracted_power_kw: '40',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await api.deps.database.kysely
      .insertInto('meter_assignment')
      .values({
        tenant_id: tenant.id,
        subregion_id: dashboard.subregionId,
        device_id: meter.id,
        facility_id: facility.id,
        measurement_role: 'main_consumption',
        valid_from: '2026-01-01T00:00:00Z',
      })
      .execute()
    await fill(meter, 10)
    expect((await beforeAndAfter(() => aggregated(meter)))[2]).toBe('19 suspect')
  })

  it('uses the power of the only facility of a subregion, and none of several', async () => {
    const { kysely } = api.deps.database
    const tenant_id = tenant.id
    const subregion_id = await makeSubregion(api.deps, tenant)
    const read = async () => {
      const meter = await newMeter()
      await kysely
        .insertInto('meter_assignment')
        .values({
          ...{ tenant_id, subregion_id, device_id: meter.id, measurement_role: 'check_meter' },
          valid_from: '2026-01-01T00:00:00Z',
        })
        .execute()
      await fill(meter, 10)
      return (await beforeAndAfter(() => aggregated(meter)))[2]
    }
    const addFacility = (name: string) =>
      kysely
        .insertInto('facility')
        .values({ tenant_id, subregion_id, name, valid_from: '2026-01-01', contracted_power_kw: '40' })
        .execute()
    await addFacility('first factory')
    expect(await read()).toBe('19 suspect')
    await addFacility('second factory')
    expect(await read()).toBe('9 suspect')
  })
})

describe('a recorded meter change', () => {
  it('makes the hour exact in roll-ups, and corrections and voids derive it again', async () => {
    const meter = await newMeter()
    await fill(meter, 1138.7)
    await rollAll()
    const { token } = tenant.admin
    const path = '/api/mahsuplasma/meters/changes'
    const body = {
      device_id: meter.id,
      register: 'import_active_energy',
      changed_at: iso(HOUR - 2 * HOUR_MS + 600_000),
      old_end_kwh: '5026',
      new_start_kwh: '1137.7',
    }
    const recorded = await api.call('POST', path, { token, body })
    expect(recorded.status, recorded.text).toBe(201)
    const exact = ['12 complete', '12 complete', '12 complete', '12 complete', '6 partial']
    expect(await beforeAndAfter(() => aggregated(meter))).toEqual(exact)
    expect(await aggregated(meter, 'daily')).toEqual(['54 partial'])
    const correction = { old_end_kwh: '5025', reason: 'the number was misread' }
    const change = `${path}/${recorded.body.id}`
    expect((await api.call('PATCH', change, { token, body: correction })).status).toBe(200)
    expect((await beforeAndAfter(() => aggregated(meter)))[2]).toBe('11 complete')
    const reason = { reason: 'there was no change' }
    expect((await api.call('POST', `${change}/void`, { token, body: reason })).status).toBe(200)
    expect(await beforeAndAfter(() => aggregated(meter))).toEqual(SUSPECT)
  })

  it('counts in hours that are not rolled up, for many devices at once', async () => {
    const meter = await newMeter()
    await fill(meter, 1138.7)
    const body = {
      device_id: meter.id,
      register: 'import_active_energy',
      changed_at: iso(HOUR - 2 * HOUR_MS + 600_000),
      old_end_kwh: '5026',
      new_start_kwh: '1137.7',
    }
    const { token } = tenant.admin
    expect((await api.call('POST', '/api/mahsuplasma/meters/changes', { token, body })).status).toBe(201)
    const config = { device_id: meter.id, period: 'today', interval: 'hourly' }
    const data = async () => (await dashboard.dataOf('consumption_chart', config)).data.map(shown)
    expect((await beforeAndAfter(data))[2]).toBe('12 complete')
  })
})

describe('the quality of energies', () => {
  const ofWidget = async (type: Parameters<DashboardFixture['dataOf']>[0], meter: TestDevice, config = {}) =>
    dashboard.dataOf(type, { device_id: meter.id, period: 'today', interval: 'hourly', ...config })
  let meter: TestDevice
  beforeAll(async () => {
    meter = await newMeter()
    await fill(meter, 1138.7)
  })

  it('is in the energy of a device, where the total has the worst of the rows', async () => {
    const body = await beforeAndAfter(() => read(`/api/devices/${meter.id}/energy-consumption?${span}`))
    expect(body.data.map(shown)).toEqual(SUSPECT)
    expect(shown(body.totals)).toBe('51 suspect')
  })

  it('is in consumption and cost widgets, for each point, each meter and the total', async () => {
    const chart = await ofWidget('consumption_chart', meter)
    expect(chart.data.map(shown)).toEqual(SUSPECT)
    expect([chart.data_quality, chart.devices.map(shown)]).toEqual(['suspect', ['51 suspect']])
    const cost = await ofWidget('cost_chart', meter, { abone_grubu: 'sanayi' })
    expect(cost.data.map(shown)).toEqual(SUSPECT)
    expect([cost.total_try, cost.data_quality]).toEqual(['153.000000', 'suspect'])
    for (const type of ['consumption_numeric', 'cost_numeric'] as const) {
      expect(await ofWidget(type, meter, { abone_grubu: 'sanayi' })).toMatchObject({
        data_quality: 'suspect',
      })
    }
    const reactive = await ofWidget('reactive_ratio', meter)
    expect(reactive.total.data_quality).toBe('missing')
  })

  it('is a column of an export', async () => {
    const response = await api.call('POST', '/api/measurements/export', {
      token: tenant.operator.token,
      body: {
        device_ids: [meter.id],
        start: iso(HOUR - 4 * HOUR_MS),
        end: iso(NOW),
        interval: 'hourly',
        format: 'csv',
        locale: 'en',
        metrics: ['import_active_energy'],
      },
    })
    const [head, ...lines] = response.text.trim().split(/\r?\n/)
    expect(head).toContain('import_active_energy,is_estimated,data_quality')
    expect(lines.map((line) => line.split(',').slice(3).join())).toEqual([
      '12,false,complete',
      '12,false,complete',
      '9,false,suspect',
      '12,false,complete',
      '6,false,partial',
    ])
  })
})

describe('the running bucket', () => {
  it('is partial by hour, day and month, also where its readings cover it', async () => {
    const meter = await newMeter()
    const minutes = [-60, -45, -30, -15, 0, 15, 30]
    const from = Date.parse('2026-11-19T21:00:00Z')
    const whole = Array.from({ length: 12 * 4 }, (_, index) => from + index * QUARTER)
    const times = [...new Set([...whole, ...minutes.map((minute) => HOUR + minute * 60_000)])]
    await postSamples(
      api,
      tenant,
      times.map((at) => sample(meter, at, { import_active_energy: (at - from) / HOUR_MS })),
    )
    const hours = await beforeAndAfter(() => aggregated(meter))
    expect(hours).toEqual(['1 complete', '1 complete', '1 complete', '1 complete', '0.5 partial'])
    expect(await aggregated(meter, 'daily')).toEqual(['12.5 partial'])
    expect(await aggregated(meter, 'monthly')).toEqual(['12.5 partial'])
    const chart = await dashboard.dataOf('consumption_chart', { device_id: meter.id, period: 'today' })
    expect(chart).toMatchObject({ total_kwh: 12.5, data_quality: 'partial' })
  })

  it('leaves an ended day complete, and one with a gap partial', async () => {
    const [whole, gap] = [await newMeter(), await newMeter()]
    const from = Date.parse('2026-11-18T21:00:00Z')
    for (const meter of [whole, gap]) {
      await postSamples(
        api,
        tenant,
        Array.from({ length: 97 }, (_, index) => from + index * QUARTER)
          .filter((_, index) => meter === whole || index < 20 || index > 50)
          .map((at) => sample(meter, at, { import_active_energy: (at - from) / HOUR_MS })),
      )
    }
    const day = `start=${iso(from)}&end=${iso(from + 24 * HOUR_MS)}`
    const hoursOf = async (meter: TestDevice, interval: string): Promise<string[]> =>
      (await read(`/api/measurements/devices/${meter.id}/aggregated?interval=${interval}&${day}`)).data.map(
        shown,
      )
    expect(await beforeAndAfter(() => hoursOf(whole, 'daily'))).toEqual(['24 complete'])
    expect(await beforeAndAfter(() => hoursOf(gap, 'daily'))).toEqual(['24 partial'])
    const hours = await hoursOf(gap, 'hourly')
    expect(hours.slice(3, 6)).toEqual(['1 complete', '1 partial', '1 missing'])
    const sum = await dashboard.dataOf('consumption_numeric', {
      device_ids: [whole.id, gap.id],
      period: 'yesterday',
    })
    expect([sum.value_kwh, sum.data_quality, sum.devices.map(shown)]).toEqual([
      48,
      'partial',
      ['24 complete', '24 partial'],
    ])
  })
})
