import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { addSamples } from '../../support/netting/energy.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { importMeterData } from '../../support/netting/osos.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
})
afterAll(() => api.close())

const CHANGES = '/api/mahsuplasma/meters/changes'
const get = (tenant: TestTenant, path: string) => api.call('GET', path, { token: tenant.admin.token })
type Row = Record<string, unknown>

async function facts(tenant: TestTenant, facilityId: string, [from, to]: readonly [string, string]) {
  const path = `/api/mahsuplasma/facilities/${facilityId}/hourly-energy?from=${from}&to=${to}`
  const { body } = await get(tenant, path)
  return body.map((row: Row) => `${row['consumption_kwh'] ?? row['production_kwh']} ${row['data_quality']}`)
}

describe('register readings of a file with a recorded meter change', () => {
  const file = [
    'Tarih;Saat;Çekiş endeksi (kWh)',
    ...['08:00;500', '09:00;510', '10:00;520', '11:00;57', '12:00;67', '13:00;77'].map(
      (row) => `01.11.2026;${row}`,
    ),
  ].join('\n')
  const send = (tenant: TestTenant, facilityId: string, fields: object = {}) =>
    importMeterData(api, tenant, {
      ...{ facility_id: facilityId, measurement_role: 'main_consumption', file },
      ...{ value_kind: 'register', unit: 'kWh', interval_minutes: '60', multiplier: '2' },
      ...fields,
    })
  const span = ['2026-11-01T05:00:00Z', '2026-11-01T10:00:00Z'] as const

  it('are exact when the same file is imported again', async () => {
    const tenant = await createTenant(api)
    const { id } = await makeFacility(api.deps, tenant, {})
    const report = await send(tenant, id)
    expect(report.body, report.text).toMatchObject({ is_stored: true, resets: 1 })
    expect((await facts(tenant, id, span))[2]).toBe('114.000 suspect')

    const change = {
      osos_installation_id: report.body.installation_id,
      register: 'import_active_energy',
      ...{ changed_at: '2026-11-01T10:30:00+03:00', old_end_kwh: '1052', new_start_kwh: '104' },
    }
    const recorded = await api.call('POST', CHANGES, { token: tenant.admin.token, body: change })
    expect(recorded.body, recorded.text).toMatchObject({ warning_codes: ['METER_CHANGE_IMPORT_AGAIN'] })
    expect((await facts(tenant, id, span))[2]).toBe('114.000 suspect')

    const dry = await send(tenant, id, { dry_run: 'true' })
    expect(dry.body).toMatchObject({ is_stored: false, resets: 0, corrected: 1, unchanged: 4 })
    const again = await send(tenant, id)
    expect(again.body, again.text).toMatchObject({ resets: 0, corrected: 1, unchanged: 4 })
    // (1052 - 1040) + (114 - 104) kWh
    expect(await facts(tenant, id, span)).toEqual([
      '20.000 complete',
      '20.000 complete',
      '22.000 corrected',
      '20.000 complete',
      '20.000 complete',
    ])
  })

  it('are exact for a production meter, whose register is that of fed energy', async () => {
    const tenant = await createTenant(api)
    const { id } = await makeFacility(api.deps, tenant, {})
    const produced = { measurement_role: 'main_production', file: file.replace('Çekiş endeksi', 'Endeks') }
    const { installation_id } = (await send(tenant, id, produced)).body
    expect((await facts(tenant, id, span))[2]).toBe('114.000 suspect')
    const body = {
      ...{ osos_installation_id: installation_id, register: 'export_active_energy' },
      ...{ changed_at: '2026-11-01T10:30:00+03:00', old_end_kwh: '1052', new_start_kwh: '104' },
    }
    await api.call('POST', CHANGES, { token: tenant.admin.token, body })
    await send(tenant, id, produced)
    expect((await facts(tenant, id, span))[2]).toBe('22.000 corrected')
  })

  it('has the registers of an installation only', async () => {
    const tenant = await createTenant(api)
    const { id } = await makeFacility(api.deps, tenant, {})
    const { installation_id } = (await send(tenant, id)).body
    const body = {
      ...{ osos_installation_id: installation_id, register: 'battery_charge_energy' },
      ...{ changed_at: '2026-11-01T10:30:00+03:00', old_end_kwh: '1', new_start_kwh: '0' },
    }
    const { status, body: refused } = await api.call('POST', CHANGES, { token: tenant.admin.token, body })
    expect([status, refused.detail.field]).toEqual([422, 'register'])
  })
})

const FILES = {
  'facilities.csv': 'name;region;valid_from\nFabrika;Ege;2026-01-01\nDepo;Ege;2026-01-01\n',
  'meters.csv':
    'facility;meter_no;measurement_role;valid_from;device;installation_no\n' +
    'Fabrika;S-2;main_consumption;01.01.2026;S-2;\nDepo;S-3;main_consumption;01.01.2026;;4001003\n',
  'sayaç_değişimleri.csv':
    'tesis;sayaç no;endeks;değişim zamanı;eski son endeks kWh;yeni ilk endeks kWh;eski seri no;not\n' +
    'Fabrika;S-2;çekiş endeksi;15.07.2026 14:30;48.213,5;0,25;A-1;kalibrasyon\n' +
    'Depo;S-3;import_active_energy;2026-07-16;7000;5;;\n',
}
type Files = Readonly<Record<string, string>>

function send(tenant: TestTenant, files: Files, fields: object = {}, language = 'en'): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, text] of Object.entries(files)) form.append('file', new Blob([text]), name)
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  return api.call('POST', '/api/mahsuplasma/history', {
    token: tenant.superuser.token,
    body: form,
    headers: { 'accept-language': language },
  })
}
const counts = ({ body }: ApiResponse) => [body.applied, body.created, body.unchanged, body.error_count]
const errorsOf = ({ body }: ApiResponse) =>
  body.errors.map((error: Row) => `${error['row']} ${error['column']} ${error['code']}`)

describe('the sheet meter_changes of an import of history', () => {
  it('records the changes of devices and installations with their origin, once', async () => {
    const tenant = await createTenant(api)
    const dry = await send(tenant, FILES, { dry_run: true })
    expect(dry.body.errors).toEqual([])
    expect(counts(dry)).toEqual([false, 6, 0, 0])
    expect((await get(tenant, CHANGES)).body).toEqual([])
    expect(counts(await send(tenant, FILES))).toEqual([true, 6, 0, 0])
    const { body } = await get(tenant, CHANGES)
    expect(body).toMatchObject([
      {
        ...{
          device_id: null,
          osos_installation_id: expect.any(String),
          changed_at: '2026-07-15T21:00:00.000Z',
        },
        ...{ register: 'import_active_energy', old_end_kwh: '7000.000', new_start_kwh: '5.000' },
      },
      {
        ...{
          device_id: expect.any(String),
          osos_installation_id: null,
          changed_at: '2026-07-15T11:30:00.000Z',
        },
        ...{ old_end_kwh: '48213.500', new_start_kwh: '0.250', old_serial_no: 'A-1', note: 'kalibrasyon' },
        ...{ origin: expect.stringMatching(/^import: facilities\.csv, /), recorded_by: tenant.superuser.id },
      },
    ])
    expect(counts(await send(tenant, FILES))).toEqual([true, 0, 6, 0])
    expect((await get(tenant, CHANGES)).body).toEqual(body)
  })

  it('makes the past readings of one device exact', async () => {
    const tenant = await createTenant(api)
    await send(tenant, { 'facilities.csv': FILES['facilities.csv'], 'meters.csv': FILES['meters.csv'] })
    const devices = (await get(tenant, '/api/devices')).body
    const { id } = (devices.items ?? devices).find(({ name }: Row) => name === 'S-2')
    const { rows } = await api.deps.database.pool.query('select key from device where id = $1', [id])
    const start = Date.parse('2026-07-15T14:00:00+03:00')
    await addSamples(
      api.deps,
      tenant,
      { deviceKey: rows[0].key },
      [48_210, 48_212, 1, 3, 5].map((import_active_energy, index) => ({
        at: start + (index * HOUR_MS) / 4,
        import_active_energy,
      })),
    )
    const [facility] = (await get(tenant, '/api/mahsuplasma/facilities')).body.filter(
      ({ name }: Row) => name === 'Fabrika',
    )
    const body = {
      from_hour: new Date(start).toISOString(),
      to_hour: new Date(start + HOUR_MS).toISOString(),
    }
    const path = `/api/mahsuplasma/facilities/${facility.id}/hourly-energy/rebuild`
    await api.call('POST', path, { token: tenant.admin.token, body })
    const span = [body.from_hour, body.to_hour] as const
    expect(await facts(tenant, facility.id, span)).toEqual(['7.000 suspect'])
    const file = FILES['sayaç_değişimleri.csv'].replace('14:30', '14:25')
    expect(counts(await send(tenant, { 'sayaç_değişimleri.csv': file }))).toEqual([true, 2, 0, 0])
    await api.call('POST', path, { token: tenant.admin.token, body })
    // 48213.5 - 48210 kWh of the old meter and 5 - 0.25 kWh of the new one.
    expect(await facts(tenant, facility.id, span)).toEqual(['8.250 corrected'])
  })

  it('reports every wrong row, in the language of the reader', async () => {
    const tenant = await createTenant(api)
    await send(tenant, FILES)
    const head = 'facility;meter_no;register;changed_at;old_end_kwh;new_start_kwh\n'
    const changes = [
      'Fabrika;S-2;import_active_energy;15.07.2026 14:30;48.214;0,25',
      'Fabrika;S-9;import_active_energy;15.07.2026;1;0',
      'Fabrika;S-2;voltage;15.07.2026;1;0',
      'Fabrika;S-2;export_active_energy;01.12.2026;1;0',
      'Fabrika;S-2;export_active_energy;01.07.2026;1,2345;0',
      'Fabrika;S-2;import_active_energy;16.07.2026;0,2;0',
      'Fabrika;S-2;export_active_energy;01.06.2026;1;0',
      'Fabrika;S-2;export_active_energy;01.06.2026;1;0',
      'Depo;S-3;battery_charge_energy;01.06.2026;1;0',
    ]
    const report = await send(tenant, { 'meter_changes.csv': head + changes.join('\n') })
    expect(report.body.applied).toBe(false)
    expect(errorsOf(report)).toEqual([
      '2 old_end_kwh HISTORY_RECORD_DIFFERS',
      '3 meter_no HISTORY_REFERENCE_UNKNOWN',
      '4 register HISTORY_CELL_NOT_CHOICE',
      '5 changed_at BUSINESS_RULE_VIOLATION',
      '6 old_end_kwh HISTORY_CELL_INVALID',
      '7 old_end_kwh METER_CHANGE_CONTRADICTS_READINGS',
      '9 null HISTORY_ROW_REPEATED',
      '10 meter_no HISTORY_METER_NOT_READ',
    ])
    const turkish = await send(tenant, { 'meter_changes.csv': `${head}${changes[8]}` }, {}, 'tr')
    expect(turkish.body.errors[0].message).toBe(
      'S-3: değişim anında sayacı bu endeksle okuyan cihaz veya tesisat yok',
    )
    expect((await get(tenant, CHANGES)).body).toHaveLength(2)
  })

  it('does not check the change of a meter whose own row has an error', async () => {
    const tenant = await createTenant(api)
    const meters = FILES['meters.csv'].replace('S-2;main_consumption', 'S-2;hauptzaehler')
    const report = await send(tenant, { ...FILES, 'meters.csv': meters })
    expect(errorsOf(report)).toEqual(['2 measurement_role HISTORY_CELL_NOT_CHOICE'])
    const results = report.body.rows.map((row: Row) => `${row['kind']} ${row['result']}`)
    expect(results).toContain('meter_changes not_checked')
  })
})
