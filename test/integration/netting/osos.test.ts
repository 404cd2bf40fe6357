import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeFacility } from '../../support/netting/netting.ts'
import { makeInstallation, postReadings } from '../../support/netting/osos.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const BASE = '/api/osos/installations'
const DAY = Date.parse('2026-11-10T00:00:00+03:00')
/** The end of the hour with this number in the day, from 1. */
const end = (hour: number): string => new Date(DAY + hour * HOUR_MS).toISOString()

let api: TestApi
let tenant: TestTenant
let foreignTenant: TestTenant
beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  foreignTenant = await createTenant(api)
})
afterAll(() => api.close())

const get = async (path: string, token = tenant.viewer.token) => api.call('GET', `${BASE}${path}`, { token })
const organization = async (org_type: string) =>
  (
    await api.call('POST', '/api/mahsuplasma/organizations', {
      token: tenant.admin.token,
      body: { name: `org ${randomUUID()}`, org_type },
    })
  ).body.id

describe('OSOS installations', () => {
  it('are created, listed by facility, changed and deleted', async () => {
    const facility = await makeFacility(api.deps, tenant)
    const company = await organization('distribution_company')
    const created = await makeInstallation(api, tenant, {
      installation_no: '4005123',
      facility_id: facility.id,
      distribution_company_id: company,
      multiplier: '3150',
    })
    expect(created).toMatchObject({
      installation_no: '4005123',
      facility_id: facility.id,
      distribution_company_id: company,
      multiplier: '3150.000000',
      measurement_role: null,
    })
    const listed = await get(`?facility_id=${facility.id}`)
    expect(listed.body).toEqual([created])
    expect(listed.headers.get('x-total-count')).toBe('1')
    expect((await get(`/${created.id}`)).body).toEqual(created)

    const token = tenant.admin.token
    const changed = await api.call('PATCH', `${BASE}/${created.id}`, {
      token,
      body: { multiplier: 1890.5, facility_id: null, measurement_role: 'pcc_import_export' },
    })
    expect(changed.body).toEqual({
      ...created,
      multiplier: '1890.500000',
      facility_id: null,
      measurement_role: 'pcc_import_export',
    })
    expect((await api.call('DELETE', `${BASE}/${created.id}`, { token })).status).toBe(204)
    expect((await get(`/${created.id}`)).status).toBe(404)
  })

  it('are rejected when invalid', async () => {
    const { installation_no } = await makeInstallation(api, tenant)
    const post = (body: object, token = tenant.admin.token) => api.call('POST', BASE, { token, body })
    expect(await post({ installation_no })).toMatchObject({
      status: 409,
      body: { detail: { error_code: 'DUPLICATE_ENTRY' } },
    })
    for (const multiplier of ['0', '-1', '1.1234567']) {
      expect((await post({ installation_no: randomUUID(), multiplier })).status).toBe(422)
    }
    const foreign = await makeFacility(api.deps, foreignTenant)
    expect(await post({ installation_no: randomUUID(), facility_id: foreign.id })).toMatchObject({
      status: 422,
      body: { detail: { error_code: 'INVALID_REFERENCE', field: 'facility_id' } },
    })
    const supplier = await organization('supplier')
    expect(await post({ installation_no: randomUUID(), distribution_company_id: supplier })).toMatchObject({
      status: 422,
      body: { detail: { error_code: 'BUSINESS_RULE_VIOLATION', field: 'distribution_company_id' } },
    })
    expect((await post({ installation_no: randomUUID() }, tenant.operator.token)).status).toBe(403)
  })

  it('with readings or a metering point cannot be deleted', async () => {
    const token = tenant.admin.token
    const read = await makeInstallation(api, tenant)
    await postReadings(api, tenant, { id: read.id, readings: [[end(1), '1', '0']] })
    const pointed = await makeInstallation(api, tenant)
    const facility = await makeFacility(api.deps, tenant)
    await api.call('POST', `/api/mahsuplasma/facilities/${facility.id}/meters`, {
      token,
      body: { osos_installation_id: pointed.id },
    })
    for (const { id } of [read, pointed]) {
      expect(await api.call('DELETE', `${BASE}/${id}`, { token })).toMatchObject({
        status: 409,
        body: { detail: { error_code: 'STATE_CONFLICT' } },
      })
    }
  })
})

describe('OSOS consumption', () => {
  it('is summed by Turkey-local hour, day and month, and distinguishes no data from zero', async () => {
    const { id } = await makeInstallation(api, tenant)
    const from = Date.parse('2026-10-30T00:00:00+03:00')
    const readings = Array.from({ length: 96 }, (_, at) => {
      const label = new Date(from + (at + 1) * HOUR_MS).toISOString()
      return [label, at === 30 ? '-1' : `${at}.125`, at < 24 ? '0' : at < 48 ? null : '1.001'] as const
    }).filter((_, at) => at !== 50)
    await postReadings(api, tenant, { id, readings })
    const read = async (interval: string, rest = 'from=2026-10-30&to=2026-11-04') =>
      (await get(`/${id}/consumption?interval=${interval}&${rest}`)).body
    const daily = await read('daily')
    expect(daily).toMatchObject({ installation_id: id, interval: 'daily' })
    expect(daily.data).toEqual([
      bucket(from, ['279.000', '0.000', '279.000', 24, 24]),
      bucket(from + DAY_MS, ['824.875', null, null, 23, 24]),
      bucket(from + 2 * DAY_MS, ['1380.875', '23.023', '1357.852', 23, 24]),
      bucket(from + 3 * DAY_MS, ['2007.000', '24.024', '1982.976', 24, 24]),
      bucket(from + 4 * DAY_MS, [null, null, null, 0, 24]),
    ])
    const hourly = await read('hourly')
    expect(hourly.data).toHaveLength(120)
    expect(hourly.data[50]).toMatchObject({ import_kwh: null, hours_present: 0 })
    expect(hourly.data[0]).toMatchObject({ import_kwh: '0.125', export_kwh: '0.000', hours_present: 1 })
    const monthly = await read('monthly')
    expect(monthly.data.map((row: Record<string, unknown>) => [row['timestamp'], row['import_kwh']])).toEqual(
      [
        ['2026-09-30T21:00:00.000Z', '1103.875'],
        ['2026-10-31T21:00:00.000Z', '3387.875'],
      ],
    )
    const today = await read('daily', 'from=2026-11-20&to=2026-11-21')
    expect(today.data[0]).toMatchObject({ hours_expected: 12 })
  })

  const bucket = (at: number, [drawn, fed, net, present, expected]: readonly unknown[]) => ({
    timestamp: new Date(at).toISOString(),
    import_kwh: drawn,
    export_kwh: fed,
    net_kwh: net,
    hours_present: present,
    hours_expected: expected,
  })

  it('requires bounds and its installation', async () => {
    const { id } = await makeInstallation(api, tenant)
    for (const query of [
      'interval=hourly&from=2024-01-01&to=2026-01-01',
      'interval=daily&from=2026-01-01&to=2026-01-01',
      'interval=weekly',
      'interval=monthly&from=1800-01-01&to=1801-01-01',
    ]) {
      expect((await get(`/${id}/consumption?${query}`)).status).toBe(422)
    }
    expect((await get(`/${id}/consumption`, foreignTenant.viewer.token)).text).toBe(
      (await get(`/${randomUUID()}/consumption`)).text,
    )
  })
})
