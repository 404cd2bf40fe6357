import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openapiDocument } from '../../../tools/openapi-document.ts'
import type { TestApi } from '../../support/api.ts'
import { startFilesApi } from '../../support/field/ocpp.ts'
import { post } from '../../support/foreign-fixture.ts'
import { RECORD_FACTORIES } from '../../support/foreign-records.ts'
import { type ListOperation, type ListsDocument, readLists } from '../../support/lists.ts'
import { createTenantRecords } from '../../support/tenancy/records.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  api = await startFilesApi()
  tenant = await createTenant(api)
  other = await createTenant(api)
})
afterAll(() => api.close())

type Item = Readonly<Record<string, unknown>>

async function read(path: string, query: Readonly<Record<string, string>> = {}, { superuser } = tenant) {
  const response = await api.call('GET', `${path}?${new URLSearchParams(query)}`, { token: superuser.token })
  expect([path, response.status, response.text]).toEqual([path, 200, expect.anything()])
  const { body, headers } = response
  const items: Item[] = Array.isArray(body) ? body : body.items
  return { items, total: Array.isArray(body) ? Number(headers.get('x-total-count')) : body.total }
}

const region = async (name: string, code: string | null = null) => {
  const created = await api.call('POST', '/api/regions', { token: tenant.admin.token, body: { name, code } })
  expect(created.status).toBe(201)
}
const found = async (search: string, query = {}): Promise<unknown[]> =>
  (await read('/api/regions', { search, sort_by: 'name', sort_order: 'asc', ...query })).items.map(
    ({ name }) => name,
  )

describe('the parameter search of lists', () => {
  it('ignores case in Turkish and English', async () => {
    for (const name of ['Işıklar Çağlayan', 'INVERTER istasyonu', 'Güneş Ölçüm'])
      await region(name, `Ş-${name.length}`)
    for (const search of ['ışık', 'IŞIK', 'isik'.replace('s', 'ş'), 'çağ', 'ÇAĞLAYAN', ' çağ '])
      expect([search, await found(search)]).toEqual([search, ['Işıklar Çağlayan']])
    for (const search of ['inverter', 'İnverter', 'ınverter', 'İSTASYON', 'ISTASYON'])
      expect([search, await found(search)]).toEqual([search, ['INVERTER istasyonu']])
    for (const search of ['güneş', 'GÜNEŞ ÖLÇ', 'GÜNEŞ'.normalize('NFD'), 'ş-11'])
      expect([search, await found(search)]).toEqual([search, ['Güneş Ölçüm']])
    expect((await read('/api/regions', { name: 'IŞIKLAR ÇAĞLAYAN' })).total).toBe(1)
    expect((await read('/api/regions', { name: 'IŞIKLAR' })).total).toBe(0)
  })

  it('has no wildcards, and an empty text does not filter', async () => {
    await region('100%_a\\b')
    for (const search of ['%_a', '\\', '100%']) expect(await found(search)).toEqual(['100%_a\\b'])
    const { total } = await read('/api/regions')
    for (const search of ['', '  ']) expect((await read('/api/regions', { search })).total).toBe(total)
    const long = await api.call('GET', `/api/regions?search=${'x'.repeat(101)}`, {
      token: tenant.admin.token,
    })
    expect(long.status).toBe(422)
  })

  it('counts and pages the records that it finds, of the own tenant only', async () => {
    for (const index of [1, 2, 3]) await region(`Sayfa ${index}`)
    await region('Başka')
    const query = { search: 'SAYFA', sort_by: 'name', sort_order: 'asc', limit: '2' }
    const first = await read('/api/regions', query)
    expect(first.items.map(({ name }) => name)).toEqual(['Sayfa 1', 'Sayfa 2'])
    expect(first.total).toBe(3)
    const second = await read('/api/regions', { ...query, skip: '2' })
    expect(second.items.map(({ name }) => name)).toEqual(['Sayfa 3'])
    expect((await read('/api/regions', query, other)).total).toBe(0)
  })
})

/** Parameters without which a list is refused. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /api/mahsuplasma/groups/overview': { billing_period: '2026-10' },
}
/** Lists without a record in this test: their statements run, but find nothing. */
const EMPTY = new Set([
  'GET /api/alarms/maintenance',
  'GET /api/mahsuplasma/meters/changes',
  'GET /api/osos/imports',
  'GET /api/ocpp/chargers/:id/files',
  'GET /api/v1/zigbee/gateways/:id/devices',
  'GET /api/v1/admin/marketop-transparency/accounts',
  'GET /api/v1/admin/tenant-deletions',
  'GET /api/v1/admin/regulated-tariffs/price-sets',
])

/** Records of every kind, and the ids of the paths whose list would be empty below a new record. */
async function createNamedRecords(): Promise<Readonly<Record<string, string>>> {
  const fixture = { api, tenant }
  const { device, facility, subregion } = await createTenantRecords(fixture)
  for (const create of Object.values(RECORD_FACTORIES)) await create(fixture)
  const inverter = { device_type: 'inverter', device_role: 'inverter', parent_id: device }
  const extra_metadata = { vendor: 'Sungrow', model: 'SH10RT', external_id: 'Çatı 1' }
  await post(fixture, '/api/devices', { ...inverter, name: 'Çatı', extra_metadata })
  const config = { device_id: device }
  await post(fixture, '/api/widgets', {
    ...{ subregion_id: subregion, widget_type: 'consumption_numeric', title: 'Tüketim', config },
  })
  return {
    'GET /api/devices/:id/children': device,
    'GET /api/mahsuplasma/facilities/:id/meters': facility,
    'GET /api/subregions/:id/widgets': subregion,
    'GET /api/v1/admin/tenants/:id/changes': tenant.uid,
  }
}

const resourceOf = (url: string): string => url.slice(0, /^.*\/:[a-z_]+/.exec(url)?.[0].length)
async function pathOf({ key, url }: ListOperation, ids: Readonly<Record<string, string>>): Promise<string> {
  if (!url.includes(':')) return url
  const own = ids[key]
  const created = own ? { id: own } : await RECORD_FACTORIES[resourceOf(url)]?.({ api, tenant })
  return url.replaceAll(/:([a-z_]+)/g, (_all, name: string) => created?.[name] ?? '')
}

/** Searches each record by its names, and returns whether there was one. */
async function searchByNames({ key, url, nameFields }: ListOperation, path: string): Promise<boolean> {
  const required = REQUIRED[key] ?? {}
  const all = await read(path, required)
  expect((await read(path, { ...required, search: '' })).total).toBe(all.total)
  const unknown = await read(path, { ...required, search: randomBytes(12).toString('hex') })
  expect([path, unknown]).toEqual([path, { items: [], total: 0 }])
  const named = nameFields.flatMap((field) => all.items.find((one) => one[field]) ?? [])
  for (const field of nameFields) {
    const item = all.items.find((one) => one[field])
    if (!item) continue
    const query = { ...required, search: String(item[field]).slice(0, 100).toUpperCase() }
    const { items, total } = await read(path, query)
    expect([key, field, items]).toEqual([key, field, expect.arrayContaining([item])])
    expect(total).toBeGreaterThan(0)
    if (path === url && !url.includes('/admin/'))
      expect([key, (await read(path, query, other)).total]).toEqual([key, 0])
  }
  return named.length > 0
}

describe('every list with search', () => {
  it('finds its records by each of their names, whatever the case', async () => {
    const ids = await createNamedRecords()
    const lists = readLists((await openapiDocument()) as ListsDocument)
    const without: string[] = []
    for (const list of lists.filter(({ query }) => query.includes('search')))
      if (!(await searchByNames(list, await pathOf(list, ids)))) without.push(list.key)
    expect(new Set(without)).toEqual(EMPTY)
  })
})
