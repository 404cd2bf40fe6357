import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { importMeterData, makeInstallation, postReadings } from '../../support/netting/osos.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'
import { packWorkbook, workbookParts } from '../../support/workbook.ts'

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  foreignTenant = await createTenant(api)
})
afterAll(() => api.close())

const facility = async (): Promise<string> => (await makeFacility(api.deps, tenant, {})).id
const send = (fields: Parameters<typeof importMeterData>[2]): Promise<ApiResponse> =>
  importMeterData(api, tenant, fields)
const QUARTERS = { value_kind: 'interval', unit: 'kWh', label: 'hour_ending', interval_minutes: '15' }
const REGISTER = { value_kind: 'register', unit: 'kWh' }
const consumption = (facilityId: string) => ({
  facility_id: facilityId,
  measurement_role: 'main_consumption',
})

async function facts(facilityId: string, from = '2026-11-01T00:00:00%2B03:00'): Promise<string[]> {
  const path = `/api/mahsuplasma/facilities/${facilityId}/hourly-energy?from=${from}&to=2026-11-19T00:00:00Z&limit=2000`
  const { body } = await api.call('GET', path, { token: tenant.viewer.token })
  // Hours without a value have a row with the source missing.
  const known = body.filter((row: Record<string, string>) => row['source'] !== 'missing')
  return known.map((row: Record<string, string>) =>
    [
      new Date(Date.parse(row['hour'] ?? '') + 3 * HOUR_MS).toISOString().slice(5, 13),
      row['source'],
      row['production_kwh'] ?? row['consumption_kwh'] ?? `${row['import_kwh']}/${row['export_kwh']}`,
      row['data_quality'],
      row['completeness_pct'],
    ].join(' '),
  )
}

describe('import of interval energy', () => {
  it('sums quarter-hours of a Turkish file, with the multiplier, and marks the facts as declared', async () => {
    const id = await facility()
    const file = [
      'Tarih;Saat;Çekiş (Wh)',
      ...['00:15', '00:30', '00:45', '01:00'].map((time) => `01.11.2026;${time};1.000,5`),
      ...['23:15', '23:30', '23:45', '00:00'].map((time) => `01.11.2026;${time};250`),
    ].join('\n')
    const report = await send({
      ...consumption(id),
      ...QUARTERS,
      unit: 'Wh',
      multiplier: '40',
      decimal_mark: 'comma',
      file,
    })
    expect(report.status, report.text).toBe(200)
    expect(report.body).toMatchObject({
      is_stored: true,
      dry_run: false,
      facility_id: id,
      measurement_role: 'main_consumption',
      fact_source: 'customer_declared',
      decimal_mark: ',',
      rows_read: 8,
      hours_read: 2,
      accepted: 2,
      facts_written: 2,
      from_hour: '2026-10-31T21:00:00.000Z',
      to_hour: '2026-11-01T21:00:00.000Z',
      missing_hours: 22,
      gaps: [{ from_hour: '2026-10-31T22:00:00.000Z', to_hour: '2026-11-01T20:00:00.000Z', hours: 22 }],
      error_count: 0,
    })
    expect(await facts(id)).toEqual([
      '11-01T00 customer_declared 160.080 complete 100',
      '11-01T23 customer_declared 40.000 complete 100',
    ])
  })

  it.each([
    ['hour_starting', 'time,import\n2026-11-01T13:00:00+03:00,1.5', {}],
    [
      'hour_ending',
      'time stamp;A+\n01.11.2026 14:00;1,5',
      { columns: '{"date":"time stamp","import":"A+"}' },
    ],
    ['hour_starting', 'date\ttime\tvalue\n2026-11-01\t13:00-14:00\t1.5', {}],
    ['hour_starting', 'date,value (MWh)\n2026-11-01T10:00,0.0015', { unit: 'MWh', utc_offset: '+00:00' }],
    ['hour_ending', 'Tarih,Saat,Enerji\n1/11/2026,14,1.5', {}],
  ])('reads %s times as in %j', async (label, file, fields) => {
    const id = await facility()
    const report = await send({
      ...consumption(id),
      ...QUARTERS,
      interval_minutes: '60',
      label,
      ...fields,
      file: file.replace(/^time,/, 'date,'),
    })
    expect(report.body, report.text).toMatchObject({ is_stored: true, hours_read: 1 })
    expect(await facts(id)).toEqual(['11-01T13 customer_declared 1.500 complete 100'])
  })

  it('gives no value to an hour that lacks a quarter, and marks a negative one', async () => {
    const id = await facility()
    const quarters = (hour: number, values: readonly string[]) =>
      values.map((value, at) => `2026-11-01,${hour}:${String(at * 15).padStart(2, '0')},${value}`)
    const file = [
      'date,time,import',
      ...quarters(8, ['1', '1', '', '1']),
      ...quarters(9, ['1', '-1', '1', '1']),
      ...quarters(10, ['1', '1', '1', '1']),
    ].join('\n')
    const { body } = await send({ ...consumption(id), ...QUARTERS, label: 'hour_starting', file })
    expect(body).toMatchObject({ rows_empty: 1, hours_read: 2, accepted: 1, suspect: 1, missing_hours: 1 })
    expect(await facts(id)).toEqual([
      '11-01T09 customer_declared null/null suspect 0',
      '11-01T10 customer_declared 4.000 complete 100',
    ])
  })

  it('reads a workbook', async () => {
    const id = await facility()
    const file = packWorkbook(
      workbookParts([
        ['Tarih', 'Saat', 'Üretim (kWh)'],
        ['01.11.2026', '13:00', '2,5'],
      ]),
    )
    const { body } = await send({
      facility_id: id,
      measurement_role: 'main_production',
      ...QUARTERS,
      interval_minutes: '60',
      label: 'hour_starting',
      file: await file,
    })
    expect(body).toMatchObject({ is_stored: true, accepted: 1 })
    expect(await facts(id)).toEqual(['11-01T13 customer_declared 2.500 complete 100'])
  })

  it('stores a year of quarter-hours', async () => {
    const id = await facility()
    const start = Date.parse('2025-01-01T00:00:00Z')
    const lines = Array.from(
      { length: 35_040 },
      (_, at) => `${new Date(start + (at * HOUR_MS) / 4).toISOString()},${(at % 97) / 4}`,
    )
    const report = await send({
      ...consumption(id),
      ...QUARTERS,
      label: 'hour_starting',
      file: `date,import\n${lines.join('\n')}`,
    })
    expect(report.body).toMatchObject({
      rows_read: 35_040,
      accepted: 8760,
      facts_written: 8760,
      missing_hours: 0,
    })
  })
})

describe('import of register readings', () => {
  it('interpolates between readings, and stores only hours that the file covers completely', async () => {
    const id = await facility()
    const file =
      'date,register\n2026-11-01T09:30,1000\n2026-11-01T10:30,1010\n2026-11-01T11:30,1030\n2026-11-01T12:30,1030.5'
    const { body } = await send({ ...consumption(id), ...REGISTER, interval_minutes: '60', file })
    expect(body).toMatchObject({ hours_read: 2, accepted: 2, partial: 0, resets: 0, missing_hours: 0 })
    expect(await facts(id)).toEqual([
      '11-01T10 customer_declared 15.000 complete 100',
      '11-01T11 customer_declared 10.250 complete 100',
    ])
  })

  it('marks hours around a gap as partial, and hours without a reading as missing', async () => {
    const id = await facility()
    const file = [
      'date,1.8.0',
      ...['00:00,0', '01:00,1', '02:00,2', '03:00,3', '07:00,11', '08:00,12'].map(
        (row) => `2026-11-01T${row}`,
      ),
    ].join('\n')
    const { body } = await send({ ...consumption(id), ...REGISTER, interval_minutes: '60', file })
    expect(body).toMatchObject({ hours_read: 6, partial: 2, missing_hours: 2 })
    expect(await facts(id)).toEqual([
      '11-01T00 customer_declared 1.000 complete 100',
      '11-01T01 customer_declared 1.000 complete 100',
      '11-01T02 customer_declared 1.000 complete 100',
      '11-01T03 customer_declared 2.000 partial 0',
      '11-01T06 customer_declared 2.000 partial 0',
      '11-01T07 customer_declared 1.000 complete 100',
    ])
  })

  it('adds no energy to a fall that the power of the facility excludes', async () => {
    const [limited, unlimited] = [await facility(), await facility()]
    const powers = { contracted_power_kw: '20', installed_power_kw: null }
    const path = `/api/mahsuplasma/facilities/${limited}`
    await api.call('PATCH', path, { token: tenant.admin.token, body: powers })
    const none = { contracted_power_kw: null, installed_power_kw: null }
    await api.call('PATCH', `/api/mahsuplasma/facilities/${unlimited}`, {
      token: tenant.admin.token,
      body: none,
    })
    const registers = ['00:00,5000', '01:00,5012', '02:00,1138.7', '03:00,1150.7']
    const file = ['date,import', ...registers.map((row) => `2026-11-01T${row}`)].join('\n')
    const energies = async (id: string) => {
      expect((await send({ ...consumption(id), ...REGISTER, file })).status).toBe(200)
      return (await facts(id)).map((row) => row.split(' ').slice(2, 4).join(' '))
    }
    expect(await energies(limited)).toEqual(['12.000 complete', '0.000 suspect', '12.000 complete'])
    expect(await energies(unlimited)).toEqual(['12.000 complete', '1138.700 suspect', '12.000 complete'])
  })

  it('never counts a fall as negative energy, and marks the hour as suspect', async () => {
    const id = await facility()
    const file = [
      'date,import,export',
      ...['00:00,5000,7', '01:00,5010,8', '02:00,3,9', '03:00,13,10'].map((row) => `2026-11-01T${row}`),
    ].join('\n')
    const { body } = await send({
      facility_id: id,
      measurement_role: 'pcc_import_export',
      ...REGISTER,
      file,
    })
    expect(body).toMatchObject({ hours_read: 3, resets: 1 })
    const rows = await facts(id)
    expect(rows.map((row) => row.split(' ')[3])).toEqual(['complete', 'suspect', 'complete'])
    expect(rows[0]).toContain('10.000/1.000')
    expect(rows[1]).toMatch(/ \d+\.\d{3}\/1\.000 /)
    expect(rows[2]).toContain('10.000/1.000')
  })
})

describe('stored meter data', () => {
  const hourly = { ...QUARTERS, interval_minutes: '60', label: 'hour_starting' }
  const file = (value: string) => `date,import\n2026-11-01T08:00,1\n2026-11-01T09:00,${value}`

  it('is unchanged by a dry run and by the same file, and a corrected value is kept in the history', async () => {
    const id = await facility()
    const dry = await send({ ...consumption(id), ...hourly, dry_run: 'true', file: file('2') })
    expect(dry.body).toMatchObject({
      dry_run: true,
      is_stored: false,
      import_id: null,
      installation_id: null,
      accepted: 2,
      facts_written: 2,
    })
    expect(await facts(id)).toEqual([])
    const first = await send({ ...consumption(id), ...hourly, file: file('2') })
    expect(first.body).toMatchObject({ is_stored: true, accepted: 2 })
    expect((await send({ ...consumption(id), ...hourly, file: file('2') })).body).toMatchObject({
      is_stored: true,
      unchanged: 2,
      facts_written: 0,
      installation_id: first.body.installation_id,
    })
    const changed = await send({ ...consumption(id), ...hourly, file: file('3') })
    expect(changed.body).toMatchObject({ unchanged: 1, corrected: 1, facts_written: 1 })
    expect(await facts(id)).toEqual([
      '11-01T08 customer_declared 1.000 complete 100',
      '11-01T09 customer_declared 3.000 corrected 100',
    ])
    const path = `/api/osos/installations/${first.body.installation_id}`
    const history = await api.call('GET', `${path}/readings/history`, { token: tenant.viewer.token })
    expect(history.body).toMatchObject([{ import_kwh: '2.000', completeness_pct: 100, is_reset: false }])
    const meter = await api.call('GET', path, { token: tenant.viewer.token })
    expect(meter.body).toMatchObject({
      fact_source: 'customer_declared',
      measurement_role: 'main_consumption',
    })
    const log = await api.call('GET', `/api/osos/imports?installation_id=${first.body.installation_id}`, {
      token: tenant.viewer.token,
    })
    expect(log.body[0]).toMatchObject({
      label: 'hour_starting',
      settings: { value_kind: 'interval', unit: 'kWh', interval_minutes: 60, multiplier: '1' },
    })
  })

  it('gives way to official readings, which may come from the same import', async () => {
    const id = await facility()
    await send({ ...consumption(id), ...hourly, file: file('2') })
    const installation = await makeInstallation(api, tenant, {
      facility_id: id,
      measurement_role: 'main_consumption',
    })
    await postReadings(api, tenant, {
      id: installation.id,
      readings: [['2026-11-01T09:00:00+03:00', '5', '0']],
    })
    const { body } = await send({
      installation_id: installation.id,
      ...hourly,
      file: 'date,import\n2026-11-01T09:00,6',
    })
    expect(body).toMatchObject({ fact_source: 'osos_official_meter', facility_id: id, accepted: 1 })
    expect(await facts(id)).toEqual([
      '11-01T08 customer_declared 1.000 complete 100',
      '11-01T08 osos_official_meter 5.000 corrected 100',
      '11-01T09 customer_declared 2.000 complete 100',
      '11-01T09 osos_official_meter 6.000 corrected 100',
    ])
  })

  it('reports every error of every row, and stores nothing', async () => {
    const id = await facility()
    const rows = ['2026-11-01T08:00,1', 'yesterday,1', '2026-11-01T08:10,1', '2026-11-01T09:00,x', '']
    const more = [
      '2026-11-01T08:00,2',
      '2026-12-01T08:00,1',
      '1989-12-01T08:00,1',
      '2026-11-02T08:00,99999999',
    ]
    const { status, body } = await send({
      ...consumption(id),
      ...hourly,
      file: ['date,import', ...rows, ...more].join('\n'),
    })
    expect([status, body.is_stored, body.error_count]).toEqual([200, false, 7])
    expect(body.errors.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual([
      [3, 'ROW_TIME_UNREADABLE'],
      [4, 'ROW_TIME_OFF_GRID'],
      [5, 'ROW_VALUE_UNREADABLE'],
      [7, 'ROW_TIME_REPEATED'],
      [8, 'ROW_TIME_IN_FUTURE'],
      [9, 'ROW_TIME_TOO_EARLY'],
      [10, 'ROW_HOUR_TOO_LARGE'],
    ])
    expect(await facts(id)).toEqual([])
  })

  it.each([
    [{ value_kind: 'interval' }, 'label'],
    [{ value_kind: 'register', label: 'hour_ending' }, 'label'],
    [{ ...hourly, columns: '{"hour":"x"}' }, 'columns'],
    [{ ...hourly, unit: 'Wh', file: 'date,import (kWh)\n2026-11-01,1' }, 'names kWh'],
    [{ ...hourly, measurement_role: 'main_production' }, 'needs a column of export'],
    [{ ...hourly, file: 'date,Tesisat No,import\n2026-11-01,1,1\n2026-11-01,2,1' }, '2 meters'],
    [{ ...hourly, file: 'a,b\n1,2' }, 'no row has headers'],
    [{ ...hourly, columns: '{"import":"Verbrauch"}' }, 'Verbrauch'],
  ])('is refused as a whole with %j', async (fields, message) => {
    const id = await facility()
    const response = await send({ ...consumption(id), unit: 'kWh', file: file('2'), ...fields } as never)
    expect(response.status, response.text).toBe(422)
    expect(response.text).toContain(message)
    expect(await facts(id)).toEqual([])
  })

  it('is refused for a facility or installation of another tenant and for a viewer', async () => {
    const id = await facility()
    const foreign = await importMeterData(api, foreignTenant, {
      ...consumption(id),
      ...hourly,
      file: file('2'),
    })
    expect([foreign.status, foreign.body.detail.error_code]).toEqual([422, 'INVALID_REFERENCE'])
    const viewer = await send({ ...consumption(id), ...hourly, file: file('2'), token: tenant.viewer.token })
    expect(viewer.status).toBe(403)
    expect(await facts(id)).toEqual([])
  })
})
