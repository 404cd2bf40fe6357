import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METER_CHANGES_MAX } from '../../../src/areas/metering/meter-changes/index.ts'
import { sealMonth } from '../../../src/areas/metering/storage/index.ts'
import { HOUR_MS, iso } from '../../../src/kernel/time.ts'
import type { ApiResponse, TestApi } from '../../support/api.ts'
import { at, base, calculate, openSite, type Row, read } from '../../support/netting/calculation.ts'
import { correct } from '../../support/netting/corrections.ts'
import { addFacts, addSamples, hourlyFacts, type SampleSpec } from '../../support/netting/energy.ts'
import {
  makeFacility,
  makeGroup,
  makeMeter,
  type TestFacility,
  type TestMeter,
} from '../../support/netting/netting.ts'
import { makeInstallation } from '../../support/netting/osos.ts'
import type { TestTenant } from '../../support/tenants.ts'

/** Local midnight of 11 October 2026, in hours from the start of November. */
const DAY = -21 * 24
const START = Date.parse('2026-10-11T00:00:00+03:00')
const CHANGES = '/api/mahsuplasma/meters/changes'

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  ;({ api, tenant, foreignTenant } = await openSite())
})
afterAll(() => api.close())

const token = () => tenant.admin.token
const post = (path: string, body: object, language = 'en'): Promise<ApiResponse> =>
  api.call('POST', path, { token: token(), body, headers: { 'accept-language': language } })
const patch = (id: string, body: object) => api.call('PATCH', `${CHANGES}/${id}`, { token: token(), body })
const get = (path: string) => api.call('GET', path, { token: tenant.viewer.token })

/**
 * Four hours of 12 kW, read every 15 minutes. The meter is replaced at 02:10: the old one ends at 5026 kWh, and the new
 * one begins at 1138.7 kWh.
 */
const replaced: SampleSpec[] = Array.from({ length: 17 }, (_, index) => ({
  at: START + index * (HOUR_MS / 4),
  import_active_energy: index < 9 ? 5000 + index * 3 : 1139.7 + (index - 9) * 3,
  active_power: 12,
}))
const REPLACEMENT = {
  register: 'import_active_energy',
  changed_at: '2026-10-11T02:10:00+03:00',
  old_end_kwh: '5026',
  new_start_kwh: 1138.7,
  old_serial_no: 'A-17',
  new_serial_no: 'B-42',
  note: 'calibration',
}

interface Plant {
  readonly facility: TestFacility
  readonly meter: TestMeter
}

async function makePlant(samples: readonly SampleSpec[] = replaced): Promise<Plant> {
  const facility = await makeFacility(api.deps, tenant, {
    meters: ['main_consumption'],
    reportingIntervalS: 900,
  })
  return { facility, meter: await readMeter(facility, samples) }
}

async function readMeter(facility: TestFacility, samples: readonly SampleSpec[]): Promise<TestMeter> {
  const meter = facility.meters.main_consumption
  if (!meter) throw new Error('no meter')
  await addSamples(api.deps, tenant, meter, samples)
  await rebuild(facility)
  return meter
}

async function rebuild({ id }: Pick<TestFacility, 'id'>): Promise<void> {
  const body = { from_hour: at(DAY), to_hour: at(DAY + 4) }
  const { status, text } = await post(`/api/mahsuplasma/facilities/${id}/hourly-energy/rebuild`, body)
  expect(status, text).toBeLessThan(300)
}

/** The energy and the quality of the four hours. */
async function hoursOf({ id }: Pick<TestFacility, 'id'>): Promise<string[]> {
  const { body } = await get(
    `/api/mahsuplasma/facilities/${id}/hourly-energy?from=${at(DAY)}&to=${at(DAY + 4)}`,
  )
  return body.map((fact: Row) => `${fact['consumption_kwh']} ${fact['data_quality']}`)
}
const SUSPECT = ['12.000 complete', '12.000 complete', '9.000 suspect', '12.000 complete']
/** 2 kWh up to the change, 1 kWh after it, and 9 kWh of the three quarters. */
const EXACT = ['12.000 complete', '12.000 complete', '12.000 corrected', '12.000 complete']

const record = ({ meter }: Pick<Plant, 'meter'>, body: object = {}, language?: string) =>
  post(CHANGES, { device_id: meter.deviceId, ...REPLACEMENT, ...body }, language)

describe('a recorded meter change', () => {
  it('makes a suspect hour exact when it is recorded late, and is listed with its author', async () => {
    const plant = await makePlant()
    expect(await hoursOf(plant.facility)).toEqual(SUSPECT)
    const { status, body, text } = await record(plant)
    expect(status, text).toBe(201)
    const stored = {
      device_id: plant.meter.deviceId,
      osos_installation_id: null,
      register: 'import_active_energy',
      changed_at: '2026-10-10T23:10:00.000Z',
      ...{ old_end_kwh: '5026.000', new_start_kwh: '1138.700', old_serial_no: 'A-17', new_serial_no: 'B-42' },
      ...{ note: 'calibration', origin: null, corrections: 0 },
      recorded_by: tenant.admin.id,
      recorded_at: iso(api.clock.now()),
      ...{ voided_at: null, voided_by: null, void_reason: null },
    }
    expect(body).toEqual({ id: body.id, ...stored, warnings: [], warning_codes: [], warning_details: [] })
    expect(await hoursOf(plant.facility)).toEqual(EXACT)
    expect((await get(`${CHANGES}/${body.id}`)).body).toEqual({ id: body.id, ...stored, revisions: [] })
    const listed = await get(`${CHANGES}?device_id=${plant.meter.deviceId}`)
    expect(listed.body).toEqual([{ id: body.id, ...stored }])
    expect(
      (await get(`${CHANGES}?device_id=${plant.meter.deviceId}&register=export_active_energy`)).body,
    ).toEqual([])
  })

  it('is exact when the readings come after it', async () => {
    const plant = await makePlant([])
    expect((await record(plant)).status).toBe(201)
    await readMeter(plant.facility, replaced)
    expect(await hoursOf(plant.facility)).toEqual(Array(4).fill('12.000 corrected'))
  })

  it('replaces the values of a correction, keeps them, and derives the facts again', async () => {
    const plant = await makePlant()
    const { id } = (await record(plant)).body
    const reason = 'the protocol says 5025.5'
    const corrected = await patch(id, { old_end_kwh: '5025.5', old_serial_no: '007', reason })
    expect(corrected.body, corrected.text).toMatchObject({ old_end_kwh: '5025.500', corrections: 1 })
    expect(await hoursOf(plant.facility)).toEqual([
      ...EXACT.slice(0, 2),
      '11.500 corrected',
      '12.000 complete',
    ])
    const { revisions } = (await get(`${CHANGES}/${id}`)).body
    expect(revisions).toEqual([
      {
        changed_at: '2026-10-10T23:10:00.000Z',
        ...{
          old_end_kwh: '5026.000',
          new_start_kwh: '1138.700',
          old_serial_no: 'A-17',
          new_serial_no: 'B-42',
        },
        ...{ note: 'calibration', corrected_at: iso(api.clock.now()), corrected_by: tenant.admin.id, reason },
      },
    ])
    const same = await patch(id, { old_end_kwh: '5025.500', old_serial_no: '007', reason: 'again' })
    expect(same.body).toMatchObject({ corrections: 1 })
    expect((await patch(id, { old_serial_no: '7', reason: 'serial' })).body).toMatchObject({ corrections: 2 })
  })

  it('that is moved derives the facts of both times again', async () => {
    const plant = await makePlant()
    const { id } = (await record(plant, { changed_at: '2026-10-11T02:14:00+03:00' })).body
    await patch(id, { changed_at: '2026-10-11T02:01:00+03:00', reason: 'mistyped' })
    expect(await hoursOf(plant.facility)).toEqual(EXACT)
  })

  it('has no effect once it is voided, and stays listed', async () => {
    const plant = await makePlant()
    const { id } = (await record(plant)).body
    const voided = await post(`${CHANGES}/${id}/void`, { reason: 'another meter was meant' })
    expect(voided.body, voided.text).toMatchObject({
      voided_at: iso(api.clock.now()),
      voided_by: tenant.admin.id,
      void_reason: 'another meter was meant',
    })
    expect((await hoursOf(plant.facility))[2]).toBe('9.000 corrected')
    expect((await get(`${CHANGES}?device_id=${plant.meter.deviceId}`)).body).toEqual([])
    const all = await get(`${CHANGES}?device_id=${plant.meter.deviceId}&include_voided=true`)
    expect(all.body).toMatchObject([{ id, void_reason: 'another meter was meant' }])
    expect(all.headers.get('x-total-count')).toBe('1')
    for (const response of [
      await patch(id, { note: 'x', reason: 'too late' }),
      await post(`${CHANGES}/${id}/void`, { reason: 'once more' }),
    ]) {
      expect(response.status).toBe(409)
      expect(response.body.detail.error_code).toBe('METER_CHANGE_VOIDED')
    }
    expect((await record(plant)).status).toBe(201)
    expect((await hoursOf(plant.facility))[2]).toBe('12.000 corrected')
  })

  it('counts each register of a boundary meter by its own record', async () => {
    const facility = await makeFacility(api.deps, tenant, {
      meters: ['pcc_import_export'],
      reportingIntervalS: 900,
    })
    const meter = facility.meters.pcc_import_export
    if (!meter) throw new Error('no meter')
    await addSamples(
      api.deps,
      tenant,
      meter,
      replaced.map((sample, index) => ({ ...sample, export_active_energy: index < 9 ? 900 + index : index })),
    )
    await record({ meter })
    await rebuild(facility)
    const path = `/api/mahsuplasma/facilities/${facility.id}/hourly-energy?from=${at(DAY + 2)}&to=${at(DAY + 3)}`
    expect((await get(path)).body[0]).toMatchObject({ import_kwh: '12.000', data_quality: 'suspect' })
    const exported = { register: 'export_active_energy', old_end_kwh: '908.6', new_start_kwh: '8.6' }
    expect((await record({ meter }, exported)).status).toBe(201)
    expect((await get(path)).body[0]).toMatchObject({ import_kwh: '12.000', export_kwh: '4.000' })
  })

  it('divides the energy exactly where an assignment begins between a change and a reading', async () => {
    const { facility, meter } = await makePlant()
    const next = await makeFacility(api.deps, tenant, { meters: [] })
    const path = `/api/mahsuplasma/meters/assignments/${meter.assignmentId}`
    const end = '2026-10-11T02:12:30+03:00'
    await api.call('PATCH', path, { token: token(), body: { valid_to: end } })
    await makeMeter(api.deps, tenant, {
      ...{ facilityId: next.id, subregionId: next.subregionId, role: 'main_consumption' },
      ...{ from: end, device: meter },
    })
    expect((await record({ meter })).status).toBe(201)
    for (const one of [facility, next]) await rebuild(one)
    // The old meter adds 2 kWh up to 02:10, the new one 0.5 kWh up to 02:12:30.
    expect((await hoursOf(facility))[2]).toMatch(/^2\.500 /)
    expect((await hoursOf(next))[0]).toMatch(/^9\.500 /)
  })
})

describe('a calculated month', () => {
  it('becomes stale by a recorded change, and a correction has the exact energy', async () => {
    const group = await makeGroup(api.deps, tenant, {
      members: [
        { role: 'production' },
        { role: 'consumption', reportingIntervalS: 900, limits: { 2026: '1000.000' } },
      ],
    })
    const [producer, consumer] = group.facilities as [TestFacility, TestFacility]
    await addFacts(
      api.deps,
      tenant,
      hourlyFacts(
        { from: START, to: START + 4 * HOUR_MS },
        { facilityId: producer.id, role: 'main_production' },
        () => ({ production: '100.000' }),
      ),
    )
    const meter = await readMeter(consumer, replaced)
    expect((await calculate(group, DAY, DAY + 4)).status).toBe(201)
    await api.deps.database.pool.query('delete from stale_mark')
    const summary = async () => (await read(group, 'monthly-summary?period=2026-10')).body[0]
    expect(await summary()).toMatchObject({ consumption_kwh: '45.000', stale: false })

    expect((await record({ meter })).status).toBe(201)
    expect(await summary()).toMatchObject({ consumption_kwh: '45.000', stale: true, stale_hours: 1 })
    const done = await correct(api, tenant, group, { billing_period: '2026-10' })
    expect(done.status, done.text).toBeLessThan(300)
    expect(await summary()).toMatchObject({ consumption_kwh: '48.000', stale: false })
    const hourly = await get(`${base(group)}/hourly?from_hour=${at(DAY)}&to_hour=${at(DAY + 4)}`)
    expect(hourly.text).not.toContain('"suspect"')
  })
})

describe('a record that is refused', () => {
  let plant: Plant
  beforeAll(async () => {
    plant = await makePlant()
  })

  const refusals: [string, object, string, string][] = [
    [
      'an instant in the future',
      { changed_at: '2026-11-20T09:30:01Z' },
      'BUSINESS_RULE_VIOLATION',
      'changed_at',
    ],
    ['an instant before 2000', { changed_at: '1999-12-31' }, 'BUSINESS_RULE_VIOLATION', 'changed_at'],
    [
      'an old end below the reading before',
      { old_end_kwh: '5023.999' },
      'METER_CHANGE_CONTRADICTS_READINGS',
      'old_end_kwh',
    ],
    [
      'a new start above the reading after',
      { new_start_kwh: '1139.701' },
      'METER_CHANGE_CONTRADICTS_READINGS',
      'new_start_kwh',
    ],
    ['a value of nine billion', { old_end_kwh: '9007199255' }, 'BUSINESS_RULE_VIOLATION', 'old_end_kwh'],
    ['two meters', { osos_installation_id: 'own' }, 'BUSINESS_RULE_VIOLATION', 'device_id'],
    ['no meter', { device_id: null }, 'BUSINESS_RULE_VIOLATION', 'device_id'],
    [
      'an unknown device',
      { device_id: '00000000-0000-4000-8000-000000000000' },
      'INVALID_REFERENCE',
      'device_id',
    ],
  ]
  it.each(refusals)('has %s', async (_, fields, code, field) => {
    const { id } = await makeInstallation(api, tenant)
    const sent = 'osos_installation_id' in fields ? { ...fields, osos_installation_id: id } : fields
    const { status, body, text } = await record(plant, sent)
    expect(status, text).toBe(422)
    expect(body.detail).toMatchObject({ error_code: code, field })
    expect(await hoursOf(plant.facility)).toEqual(SUSPECT)
  })

  it.each([
    ['a negative value', { old_end_kwh: '-1' }],
    ['four decimals', { new_start_kwh: '1.2345' }],
    ['no number', { new_start_kwh: 'x' }],
    ['an unknown register', { register: 'voltage' }],
    ['no time', { changed_at: 'yesterday' }],
  ])('has %s', async (_, fields) => {
    expect((await record(plant, fields)).status).toBe(422)
  })

  it('names the reading in the language of the reader', async () => {
    const { body } = await record(plant, { old_end_kwh: '5023.999' }, 'tr')
    expect(body.detail.message).toContain(
      'eski sayacın son endeksi 5.023,999 kWh, önceki değerden küçük: 5.024,000 kWh (11.10.2026 02:00)',
    )
  })

  it('repeats the register and the instant, or contradicts another record', async () => {
    const other = await makePlant()
    expect((await record(other)).status).toBe(201)
    const again = await record(other)
    expect([again.status, again.body.detail.error_code]).toEqual([409, 'METER_CHANGE_EXISTS'])
    const between = { changed_at: '2026-10-11T02:12:00+03:00', old_end_kwh: '1138.6', new_start_kwh: '0' }
    expect((await record(other, between)).body.detail).toMatchObject({
      error_code: 'METER_CHANGE_CONTRADICTS_READINGS',
      field: 'old_end_kwh',
      reading_kwh: '1138.700',
    })
    expect((await record(other, { ...between, old_end_kwh: '1139' })).status).toBe(201)
  })

  it('exceeds the number of changes of a meter', async () => {
    const other = await makePlant()
    await api.deps.database.pool.query(
      `insert into meter_change (tenant_id, device_id, register, changed_at, old_end_kwh, new_start_kwh, recorded_at)
       select $1, $2, 'battery_charge_energy', '2025-01-01'::timestamptz + n * interval '1 hour', 0, 0, now()
       from generate_series(1, $3::int) n`,
      [tenant.id, other.meter.deviceId, METER_CHANGES_MAX],
    )
    const { status, body } = await record(other)
    expect([status, body.detail.message]).toEqual([
      422,
      'the meter has 200 recorded changes, which is the limit',
    ])
  })

  it('belongs to a sealed month', async () => {
    const { meter, facility } = await makePlant()
    const early = replaced.map((sample) => ({ ...sample, at: Number(sample.at) - 731 * 24 * HOUR_MS }))
    await addSamples(api.deps, tenant, meter, early)
    await sealMonth(api.deps, '2024-10-01')
    const { status, text } = await record({ meter }, { changed_at: '2024-10-11T02:10:00+03:00' })
    expect([status, text]).toEqual([409, expect.stringContaining('2024-10')])
    expect((await get(`${CHANGES}?device_id=${meter.deviceId}`)).body).toEqual([])
    expect(await hoursOf(facility)).toEqual(SUSPECT)
  })
})

describe('the meter changes of a tenant', () => {
  it('are deleted with their device', async () => {
    const created = await post('/api/devices', { name: 'spare meter', device_type: 'energy_analyzer' })
    const { id } = (await post(CHANGES, { device_id: created.body.id, ...REPLACEMENT })).body
    expect((await patch(id, { note: 'moved', reason: 'another note' })).body).toMatchObject({
      corrections: 1,
    })
    const path = `/api/devices/${created.body.id}`
    expect((await api.call('DELETE', path, { token: token() })).status).toBeLessThan(300)
    expect((await get(`${CHANGES}/${id}`)).status).toBe(404)
  })

  it('are unknown to others, and need the permission to manage netting', async () => {
    const plant = await makePlant()
    const { id } = (await record(plant)).body
    const foreign = { token: foreignTenant.admin.token }
    const path = `${CHANGES}/${id}`
    expect((await api.call('GET', path, foreign)).status).toBe(404)
    expect((await api.call('GET', CHANGES, foreign)).body).toEqual([])
    const reason = 'not ours'
    expect((await api.call('PATCH', path, { ...foreign, body: { note: 'x', reason } })).status).toBe(404)
    expect((await api.call('POST', `${path}/void`, { ...foreign, body: { reason } })).status).toBe(404)
    const body = { device_id: plant.meter.deviceId, ...REPLACEMENT }
    const created = await api.call('POST', CHANGES, { ...foreign, body })
    expect([created.status, created.body.detail.error_code]).toEqual([422, 'INVALID_REFERENCE'])
    const viewer = { token: tenant.viewer.token, body }
    expect((await api.call('POST', CHANGES, viewer)).status).toBe(403)
  })
})
