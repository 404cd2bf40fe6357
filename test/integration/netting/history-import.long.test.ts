import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { continueCalculations } from '../../../src/areas/netting/index.ts'
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts'
import { breakPeriod } from '../../support/netting/corrections.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { importFile } from '../../support/netting/osos.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
})
afterAll(() => api.close())

const FILES = {
  'scopes.csv': 'name;declaration_source;declared_on\nEge A.Ş.;official_document;01.01.2026\n',
  'organizations.csv': 'org_type;name\nsupplier;Ege Tedarik\n',
  'facilities.csv':
    'name;region;scope;valid_from;abone_grubu;source_type;installed_power_kw;supplier\n' +
    'Güneş;Ege;Ege A.Ş.;01.01.2026;sanayi;solar;1.000,5;Ege Tedarik\n' +
    'Fabrika;Ege;Ege A.Ş.;2026-01-01;sanayi;;;Ege Tedarik\n',
  'meters.csv':
    'facility;meter_no;measurement_role;valid_from;valid_to;device\n' +
    'Güneş;S-1;main_production;01.01.2026;;S-1\n' +
    'Fabrika;S-2;main_consumption;01.01.2026;15.07.2026 14:00;S-2\n' +
    'Fabrika;S-3;main_consumption;15.07.2026 14:00;;S-3\n',
  'groups.csv': 'name;scope;responsible_supplier;group_status\nEge grubu;Ege A.Ş.;Ege Tedarik;lum_reported\n',
  'members.csv':
    'group;facility;member_role;valid_from;valid_to\n' +
    'Ege grubu;Güneş;production;01.06.2026;\nEge grubu;Fabrika;consumption;01.06.2026;\n',
  'limit_accounts.csv':
    'facility;year;initial_limit_kwh;limit_source\nFabrika;2026;2.400.000,000;previous_year_consumption\n',
}
type Files = Readonly<Record<string, string | Buffer>>

function send(tenant: TestTenant, files: Files, fields: object = {}, language = 'en'): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, text] of Object.entries(files)) {
    form.append('file', new Blob([typeof text === 'string' ? text : new Uint8Array(text)]), name)
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  return api.call('POST', '/api/mahsuplasma/history', {
    token: tenant.superuser.token,
    body: form,
    headers: { 'accept-language': language },
  })
}

const get = (tenant: TestTenant, path: string) =>
  api.call('GET', `/api/mahsuplasma/${path}`, { token: tenant.admin.token })

const counts = ({ body }: ApiResponse) => [body.applied, body.created, body.unchanged, body.error_count]

describe('import of history', () => {
  it('stores all records with their origin, and a repeated import changes nothing', async () => {
    const tenant = await createTenant(api)
    const dry = await send(tenant, FILES, { dry_run: true })
    expect(dry.body.errors).toEqual([])
    expect(counts(dry)).toEqual([false, 11, 0, 0])
    expect((await get(tenant, 'facilities')).body).toEqual([])

    expect(counts(await send(tenant, FILES))).toEqual([true, 11, 0, 0])
    const origin = expect.stringMatching(/^import: scopes\.csv, /)
    const [group] = (await get(tenant, 'groups')).body
    expect(group).toMatchObject({ name: 'Ege grubu', group_status: 'lum_reported', origin })
    const facilities = (await get(tenant, 'facilities')).body
    expect(facilities).toHaveLength(2)
    expect(facilities[0]).toMatchObject({ origin, supplier_id: expect.any(String) })
    expect((await get(tenant, 'limits/accounts')).body).toEqual([
      expect.objectContaining({ year: 2026, initial_limit_kwh: '2400000.000', origin }),
    ])
    const members = await get(tenant, `groups/${group.id}/members`)
    expect(members.body.map((row: { valid_from: string }) => row.valid_from)).toEqual([
      '2026-06-01',
      '2026-06-01',
    ])
    const [scope] = (await get(tenant, 'scopes')).body
    expect(scope).toMatchObject({ declaration_source: 'official_document', origin })
    expect(Date.parse(scope.declared_at)).toBe(Date.parse('2026-01-01T00:00:00+03:00'))

    expect(counts(await send(tenant, FILES))).toEqual([true, 0, 11, 0])
    expect((await get(tenant, 'facilities')).body).toEqual(facilities)
  })

  it('reports the errors of all rows at once in both languages, and stores nothing', async () => {
    const tenant = await createTenant(api)
    const faulty: Files = {
      ...FILES,
      'facilities.csv':
        'name;region;valid_from;abone_grubu;installed_power_kw\n' +
        'Güneş;Ege;31.02.2026;kent;x\nFabrika;Ege;01.01.2026;sanayi;1\nFabrika;Ege;01.01.2026;sanayi;1\n',
      'members.csv':
        'group;facility;member_role;valid_from\nEge grubu;Güneş;production;01.06.2026\n' +
        'Ege grubu;Yok;production;01.06.2026\n' +
        'Ege grubu;Fabrika;consumption;01.06.2026\nEge grubu;Fabrika;consumption;01.07.2026\n',
      'stray.csv': 'a;b\n1;2\n',
    }
    const { body } = await send(tenant, faulty)
    expect(body.applied).toBe(false)
    const found = body.errors.map((error: Record<string, unknown>) =>
      [error['file'], error['row'], error['column'], error['code']].join(' '),
    )
    expect(found.sort()).toEqual(
      [
        'facilities.csv 2 abone_grubu HISTORY_CELL_NOT_CHOICE',
        'facilities.csv 2 installed_power_kw HISTORY_CELL_NOT_NUMBER',
        'facilities.csv 2 valid_from HISTORY_CELL_NOT_DATE',
        'facilities.csv 4  HISTORY_ROW_REPEATED',
        'members.csv 3 facility HISTORY_REFERENCE_UNKNOWN',
        'members.csv 5  SINGLE_GROUP_VIOLATION',
        'stray.csv 1  HISTORY_SHEET_UNKNOWN',
      ].sort(),
    )
    expect((await get(tenant, 'facilities')).body).toEqual([])
    const turkish = await send(tenant, faulty, { dry_run: true }, 'tr')
    expect(turkish.body.errors.map(({ message }: { message: string }) => message)).toContain(
      'valid_from tarih olmalıdır, örneğin 01.05.2026',
    )
  })

  it('refuses a row that differs from an existing record', async () => {
    const tenant = await createTenant(api)
    await send(tenant, FILES)
    const { body } = await send(tenant, {
      'limit_accounts.csv':
        'facility;year;initial_limit_kwh;limit_source\nFabrika;2026;1;previous_year_consumption\n',
    })
    expect(body).toMatchObject({
      applied: false,
      errors: [{ row: 2, column: 'initial_limit_kwh', code: 'HISTORY_RECORD_DIFFERS' }],
    })
  })

  const OSOS_METERS = 'facility;meter_no;measurement_role;valid_from;valid_to;installation_no\n'
  it.each([
    ['region', 'facilities.csv', 'name;region;valid_from\nGüneş;Marmara;01.01.2026\n'],
    ['subregion', 'facilities.csv', 'name;region;subregion;valid_from\nGüneş;Ege;Çatı;01.01.2026\n'],
    ['city', 'facilities.csv', 'name;region;city;valid_from\nGüneş;Ege;İzmir;01.01.2026\n'],
    ['declared_on', 'scopes.csv', 'name;declared_on\nEge A.Ş.;02.01.2026\n'],
    ['valid_to', 'meters.csv', `${OSOS_METERS}Güneş;S-9;main_production;01.01.2026;01.06.2026;4009\n`],
    ['valid_from', 'meters.csv', `${OSOS_METERS}Güneş;S-9;main_production;01.02.2026;;4009\n`],
  ])('refuses another %s of an existing record', async (column, file, text) => {
    const tenant = await createTenant(api)
    const meters = `${OSOS_METERS}Güneş;S-9;main_production;01.01.2026;01.05.2026;4009\n`
    expect(counts(await send(tenant, { ...FILES, 'meters.csv': meters }))).toEqual([true, 9, 0, 0])
    const { body } = await send(tenant, { [file]: text })
    expect(body.errors).toEqual([expect.objectContaining({ row: 2, column, code: 'HISTORY_RECORD_DIFFERS' })])
  })

  it.each([
    ['declaration_source', 'scopes.csv', 'name;declared_on\nYeni;02.01.2026\n'],
    [
      'installation_no',
      'meters.csv',
      'facility;meter_no;measurement_role;valid_from;device;multiplier\n' +
        'Güneş;S-9;main_production;01.01.2026;S-9;40\n',
    ],
  ])('refuses a value that has no effect without %s', async (column, file, text) => {
    const tenant = await createTenant(api)
    const { 'meters.csv': _meters, ...files } = FILES
    expect(counts(await send(tenant, files))).toEqual([true, 8, 0, 0])
    const { body } = await send(tenant, { [file]: text })
    expect(body.errors).toEqual([expect.objectContaining({ row: 2, column, code: 'HISTORY_CELL_MISSING' })])
  })

  it('refuses a facility whose name several facilities have', async () => {
    const tenant = await createTenant(api)
    for (const _ of [1, 2]) await makeFacility(api.deps, tenant, { name: 'Güneş' })
    const { body } = await send(tenant, {
      'facilities.csv': 'name;region;valid_from\nGüneş;Ege;01.01.2026\n',
    })
    expect(body.errors).toEqual([
      expect.objectContaining({ row: 2, column: 'name', code: 'HISTORY_REFERENCE_AMBIGUOUS' }),
    ])
  })

  it.each(['tr', 'en'])('accepts its own %s template', async (language) => {
    const tenant = await createTenant(api)
    const response = await fetch(`${api.url}/api/mahsuplasma/history/template?language=${language}`, {
      headers: { authorization: `Bearer ${tenant.superuser.token}` },
    })
    const file = Buffer.from(await response.arrayBuffer())
    const { body } = await send(tenant, { 'history.xlsx': file })
    expect(body).toMatchObject({ applied: true, rows: [], errors: [] })
  })

  it('is reserved for superusers, who name the tenant', async () => {
    const [tenant, other] = [await createTenant(api), await createTenant(api)]
    const refused = await api.call('POST', '/api/mahsuplasma/history/calculate', {
      token: tenant.admin.token,
      body: {},
    })
    expect(refused.status).toBe(403)
    const users = await api.call('GET', '/api/auth/me', { token: other.admin.token })
    const { body } = await send(tenant, FILES, { tenant_id: users.body.tenant_id })
    expect(body.applied).toBe(true)
    expect((await get(tenant, 'facilities')).body).toEqual([])
    expect((await get(other, 'facilities')).body).toHaveLength(2)
    const unknown = await send(tenant, FILES, { tenant_id: '00000000-0000-4000-8000-000000000000' })
    expect([unknown.status, unknown.body.detail.error_code]).toEqual([422, 'INVALID_REFERENCE'])
  })
})

describe('a changed meter', () => {
  it.each([
    ['of another installation', '4001', '4002'],
    ['of the same installation', '4001', '4001'],
  ])('%s has the hours before and after the change', async (_, before, after) => {
    const tenant = await createTenant(api)
    const rows = [
      `Fabrika;S-2;main_consumption;01.01.2026;15.07.2026 14:00;S-2;${before}`,
      `Fabrika;S-3;main_consumption;15.07.2026 14:00;;S-3;${after}`,
    ]
    const header = 'facility;meter_no;measurement_role;valid_from;valid_to;device;installation_no'
    const { 'members.csv': _members, ...files } = FILES
    const meters = { ...files, 'meters.csv': [header, ...rows].join('\n') }
    expect(counts(await send(tenant, meters))).toEqual([true, 8, 0, 0])
    expect(counts(await send(tenant, meters))).toEqual([true, 0, 8, 0])
    const file = [
      'installation_no;date;import',
      `${before};15.07.2026 13:00;1`,
      `${before};15.07.2026 14:00;2`,
      `${after};15.07.2026 15:00;3`,
      `${after};15.07.2026 16:00;4`,
    ].join('\n')
    expect((await importFile(api, tenant, { file })).body).toMatchObject({ accepted: 4, rejected: 0 })
    const facilities = (await get(tenant, 'facilities')).body
    const { id } = facilities.find(({ name }: { name: string }) => name === 'Fabrika')
    const facts = await get(tenant, `facilities/${id}/hourly-energy?from=2026-07-15&to=2026-07-16`)
    expect(
      facts.body.map((fact: Record<string, unknown>) => [fact['source'], fact['consumption_kwh']]),
    ).toEqual(['1.000', '2.000', '3.000', '4.000'].map((value) => ['osos_official_meter', value]))
  })
})

describe('calculation of history', () => {
  it('calculates the months in order of time, and shows the progress', async () => {
    const tenant = await createTenant(api)
    const { body } = await send(tenant, FILES, { calculate: true })
    expect(body.calculation).toMatchObject({
      state: 'open',
      from: '2026-06-01',
      to: '2026-11-01',
      steps_total: 6,
      steps_done: 0,
    })
    const idOf = (name: string) =>
      get(tenant, 'facilities').then(
        (found) => found.body.find((row: { name: string }) => row.name === name).id as string,
      )
    const range = {
      from: Date.parse('2026-07-01T00:00:00+03:00'),
      to: Date.parse('2026-07-02T00:00:00+03:00'),
    }
    await addFacts(api.deps, tenant, [
      ...hourlyFacts(range, { facilityId: await idOf('Güneş'), role: 'main_production' }, () => ({
        production: '5.000',
      })),
      ...hourlyFacts(range, { facilityId: await idOf('Fabrika'), role: 'main_consumption' }, () => ({
        consumption: '3.000',
      })),
    ])
    await continueCalculations(api.deps, { signal: new AbortController().signal })
    const done = await api.call('GET', `/api/mahsuplasma/history/jobs/${body.calculation.id}`, {
      token: tenant.superuser.token,
    })
    expect(done.body).toMatchObject({ state: 'done', steps_done: 6 })
    expect(done.body.steps.map((step: { billing_period: string }) => step.billing_period)).toEqual(
      [6, 7, 8, 9, 10, 11].map((month) => `2026-${String(month).padStart(2, '0')}-01`),
    )
    expect(done.body.steps.map((step: { state: string }) => step.state)).toEqual(Array(6).fill('calculated'))

    const again = await api.call('POST', '/api/mahsuplasma/history/calculate', {
      token: tenant.superuser.token,
      body: { from: '2026-06-01', to: '2026-07-01' },
    })
    expect(again.status).toBe(202)
    await continueCalculations(api.deps, { signal: new AbortController().signal })
    const repeated = await api.call('GET', `/api/mahsuplasma/history/jobs/${again.body.id}`, {
      token: tenant.superuser.token,
    })
    expect(repeated.body.steps.map((step: { state: string }) => step.state)).toEqual([
      'unchanged',
      'unchanged',
    ])
  })

  it('is not started by an import without a month up to the present', async () => {
    const tenant = await createTenant(api)
    const { 'members.csv': members, 'limit_accounts.csv': _limits, ...files } = FILES
    const without = await send(tenant, files, { calculate: true })
    expect([...counts(without), without.body.calculation]).toEqual([true, 8, 0, 0, null])
    const future = { ...files, 'members.csv': members.replaceAll('01.06.2026', '01.12.2026') }
    const later = await send(tenant, future, { calculate: true })
    expect([...counts(later), later.body.calculation]).toEqual([true, 2, 8, 0, null])
  })

  it('shows why a month was not calculated, in the language of its reader', async () => {
    const tenant = await createTenant(api)
    const repair = await breakPeriod(api.deps, '2026-06-01')
    const { body } = await send(tenant, FILES, { calculate: true })
    await continueCalculations(api.deps, { signal: new AbortController().signal })
    await repair()
    const errorsIn = async (language: string) => {
      const options = { token: tenant.superuser.token, headers: { 'accept-language': language } }
      const { steps } = (
        await api.call('GET', `/api/mahsuplasma/history/jobs/${body.calculation.id}`, options)
      ).body
      return steps.slice(0, 2).map((step: { error_message: string }) => step.error_message)
    }
    expect(await errorsIn('en')).toEqual([
      'an internal error; see the log',
      'an earlier month of the group could not be calculated',
    ])
    expect(await errorsIn('tr')).toEqual([
      'bir iç hata; ayrıntısı hizmetin günlüğünde',
      'grubun daha önceki bir ayı hesaplanamadı',
    ])
  })
})
