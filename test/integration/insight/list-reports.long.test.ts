import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIST_REPORT_ROWS_MAX } from '../../../src/areas/insight/list-reports/limits.ts'
import { LIST_REPORTS } from '../../../src/areas/insight/list-reports/lists/index.ts'
import { PAGE_LIMIT_MAX } from '../../../src/platform/http/limits.ts'
import { REPORT_PRINTED_ROWS_MAX } from '../../../src/platform/reports/limits.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { testConfig } from '../../support/config.ts'
import { makeGroup } from '../../support/netting/netting.ts'
import { linesOfPdf, sheetsOf } from '../../support/opened-files.ts'
import { hasProgram } from '../../support/process/programs.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
/** Parameters without which a list refuses a request. */
const NEEDED: Readonly<Record<string, string>> = {
  scenario_comparison: `&ids=${UNKNOWN_ID}`,
  group_months: '&billing_period=2026-11-01',
  latest_values: `&device_ids=${UNKNOWN_ID}`,
}
let api: TestApi
let tenant: TestTenant
let foreign: TestTenant
let groupId: string
let siteId: string
/** An API key that may read gateways only. */
let gatewayKey: string

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:00:00Z' })
  tenant = await createTenant(api)
  foreign = await createTenant(api)
  const region = await post('/api/regions', { name: 'Marmara' })
  siteId = await post('/api/subregions', { name: 'Çatı, İzmir', region_id: region })
  await post('/api/subregions', {
    ...{ name: '=Depo; "eski"', region_id: region, contracted_power_kw: 1250.5, city: 'Iğdır' },
  })
  await post('/api/gateways', { name: 'Ağ geçidi 1', gateway_type: 'mqtt', subregion_id: siteId })
  groupId = (await makeGroup(api.deps, tenant, { members: [{ role: 'mixed' }, { role: 'consumption' }] })).id
  const key = await api.call('POST', '/api/api-keys', {
    token: tenant.admin.token,
    body: { name: 'gateways only', permissions: ['read:gateway'], expires_in_days: 30 },
  })
  gatewayKey = key.body.key
})
afterAll(() => api.close())

async function post(path: string, body: object): Promise<string> {
  const made = await api.call('POST', path, { token: tenant.admin.token, body })
  if (made.status >= 300) throw new Error(made.text)
  return made.body.id
}

interface Download {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: TestApi
}

async function download(
  query: string,
  { token = tenant.admin.token, headers = {}, from = api }: Download = {},
) {
  const response = await fetch(`${from.url}/api/reports/${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}

/** The lines of a CSV, without the byte order mark. */
const linesOf = (text: string): string[] => text.replace('\uFEFF', '').trimEnd().split('\r\n')

async function addRegions(owner: TestTenant, count: number): Promise<void> {
  await api.deps.database.pool.query(
    `insert into region (tenant_id, name) select $1, 'Bölge ' || lpad(n::text, 6, '0') from generate_series(1, $2) n`,
    [owner.id, count],
  )
}

describe('the report of a list', () => {
  it('exists for every declared list, with the columns that it declares', async () => {
    const faults: string[] = []
    for (const { name, path, columns } of LIST_REPORTS) {
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(
        ([, parameter]) => `&${parameter}=${UNKNOWN_ID}`,
      )
      const query = parameters.length === 0 ? (NEEDED[name] ?? '') : parameters.join('')
      const { status, text } = await download(`${name}?format=csv&headers=names&locale=en${query}`, {
        token: tenant.superuser.token,
      })
      if (status === 200 && linesOf(text)[0] === columns.join()) continue
      // The list itself refuses an unknown record, and parameters that are missing.
      const own = await api.call('GET', `${path.replaceAll(/\{\w+\}/g, UNKNOWN_ID)}?${NEEDED[name] ?? ''}`, {
        token: tenant.superuser.token,
        headers: { 'accept-language': 'en' },
      })
      if (own.status !== status || own.text !== text) faults.push(`${name}: ${status} ${text}`)
    }
    expect(faults).toEqual([])
  })

  it('is a CSV for a Turkish spreadsheet, with names instead of ids', async () => {
    const { status, headers, text } = await download('subregions?format=csv&sort_by=name&sort_order=asc')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('filename="netsaat-subregions-2026-11-20.csv"')
    const [head, ...rows] = linesOf(text)
    expect(head).toMatch(/^Ad;Bölge;Şehir;Adres;Sözleşme gücü, kW;/)
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^"'=Depo; ""eski""";Marmara;Iğdır;;1250,5;/),
        expect.stringMatching(/^Çatı, İzmir;Marmara;;;;.*;\d\d\.\d\d\.\d{4} \d\d:\d\d[^;]*;[0-9a-f-]{36}$/),
      ]),
    )
  })

  it('has the language of Accept-Language, and the names and codes of the API for programs', async () => {
    const english = await download('subregions?format=csv', { headers: { 'accept-language': 'en' } })
    expect(linesOf(english.text)[0]).toMatch(/^Name,Region,City,/)
    const names = await download('gateways?format=csv&headers=names&locale=en')
    const [head = '', row = ''] = linesOf(names.text)
    expect(head).toMatch(/^name,gateway_type,subregion_id,is_online,/)
    expect(row).toContain(`,${siteId},false,`)
    const labels = await download('gateways?format=csv&locale=en')
    expect(linesOf(labels.text)[1]).toContain(',"Çatı, İzmir",no,')
  })

  it('keeps the filters and the order of the list, and names parameters that the list ignores', async () => {
    const found = await download('subregions?format=csv&search=depo&nonsense=1&limit=1&headers=names')
    expect(linesOf(found.text)).toHaveLength(2)
    expect(found.headers.get('x-ignored-parameters')).toBe('nonsense, limit')
    const sorted = async (order: string) =>
      linesOf((await download(`subregions?format=csv&sort_by=name&sort_order=${order}`)).text).slice(1)
    expect(await sorted('asc')).toEqual((await sorted('desc')).toReversed())
    const refused = await download('subregions?format=csv&sort_by=nonsense')
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('sort_by')])
  })

  it('of a list that belongs to a record needs the id of the record', async () => {
    const missing = await download('group_members?format=csv')
    expect(missing.status).toBe(422)
    expect(JSON.parse(missing.text).detail[0].loc).toEqual(['query', 'id'])
    const members = await download(`group_members?format=csv&id=${groupId}&locale=en`)
    expect(linesOf(members.text)).toHaveLength(3)
    const both = await download(`group_members?format=csv&id=${groupId},${groupId}`)
    expect(linesOf(both.text)).toHaveLength(3)
    const unknown = await download(`group_members?format=csv&id=${groupId},${UNKNOWN_ID}`)
    expect(unknown.status).toBe(404)
    const many = Array.from({ length: 101 }, (_, index) => index).join()
    expect((await download(`group_members?format=csv&id=${many}`)).status).toBe(422)
  })

  it('is a workbook with numbers and times', async () => {
    const { bytes } = await download('subregions?format=xlsx&sort_by=name&sort_order=asc&locale=tr')
    const [head = [], ...rows] = await readSheet(bytes)
    expect(head.slice(0, 3)).toEqual(['Ad', 'Bölge', 'Şehir'])
    const power = rows.map((row) => row[head.indexOf('Sözleşme gücü, kW')])
    expect(power.filter((value) => value !== null)).toEqual([1250.5])
    expect(rows[0]?.[head.indexOf('Oluşturulma')]).toBeInstanceOf(Date)
  })

  it.skipIf(!hasProgram('soffice'))('is opened by LibreOffice (needs soffice)', async () => {
    const { bytes } = await download('subregions?format=xlsx&locale=tr')
    const [[head = [], ...rows] = []] = await sheetsOf([bytes])
    expect(head.slice(0, 3)).toEqual(['Ad', 'Bölge', 'Şehir'])
    expect(rows.map((row) => row.slice(0, 2))).toContainEqual(['Çatı, İzmir', 'Marmara'])
  })

  it.skipIf(!hasProgram('pdftotext'))('is a PDF in both languages (needs pdftotext)', async () => {
    for (const [locale, words] of [
      ['tr', ['Sahalar', 'Çatı, İzmir', 'Marmara', '1.250,5', 'Sayfa 1 / 1']],
      ['en', ['Sites', 'Çatı, İzmir', 'Marmara', '1,250.5', 'Page 1 of 1']],
    ] as const) {
      const { bytes } = await download(`subregions?format=pdf&locale=${locale}`)
      const text = (await linesOfPdf(bytes)).join(' ')
      for (const word of words) expect(text).toContain(word)
    }
  })
})

describe('the rights of a report', () => {
  it('are those of the list: the response of the list is that of the report', async () => {
    for (const [list, path] of [
      ['users', '/api/users'],
      ['tenants', '/api/v1/admin/tenants'],
    ]) {
      const own = await api.call('GET', path ?? '', {
        token: gatewayKey,
        headers: { 'accept-language': 'tr' },
      })
      const refused = await download(`${list}?format=csv`, { token: gatewayKey })
      expect([refused.status, refused.text]).toEqual([403, own.text])
    }
    expect((await download('users?format=csv', { token: 'nobody' })).status).toBe(401)
    expect((await download('users?format=csv')).status).toBe(200)
    expect((await download('nonsense?format=csv')).status).toBe(422)
  })

  it('end at the tenant, also for names and for records in the path', async () => {
    const rows = linesOf((await download('subregions?format=csv', { token: foreign.admin.token })).text)
    expect(rows).toHaveLength(1)
    const members = await download(`group_members?format=csv&id=${groupId}`, { token: foreign.admin.token })
    const unknown = await download(`group_members?format=csv&id=${UNKNOWN_ID}`, {
      token: foreign.admin.token,
    })
    expect([members.status, members.text]).toEqual([404, unknown.text])
  })

  it('leave ids where the caller may not read the records', async () => {
    const { text } = await download('gateways?format=csv&locale=en', { token: gatewayKey })
    expect(text).toContain(siteId)
    expect(text).not.toContain('Çatı, İzmir')
  })
})

describe('the size of a report', () => {
  it('is that of the list, page by page, each record once', async () => {
    const owner = await createTenant(api)
    await addRegions(owner, 2 * PAGE_LIMIT_MAX + 3)
    const query = 'regions?format=csv&headers=names&sort_by=name&sort_order=asc'
    const rows = linesOf((await download(query, { token: owner.admin.token })).text).slice(1)
    expect(rows).toHaveLength(2 * PAGE_LIMIT_MAX + 3)
    expect(rows[0]).toContain('Bölge 000001')
    expect(rows).toEqual(rows.toSorted())
  })

  it('is limited: 422 for a PDF and for any file', async () => {
    const owner = await createTenant(api)
    const codeOf = async (format: string) => {
      const { status, text } = await download(`regions?format=${format}`, { token: owner.admin.token })
      return status === 200 ? status : JSON.parse(text).error_code
    }
    await addRegions(owner, REPORT_PRINTED_ROWS_MAX + 1)
    expect([await codeOf('pdf'), await codeOf('csv')]).toEqual(['REPORT_TOO_LONG', 200])
    await api.deps.database.pool.query('delete from region where tenant_id = $1', [owner.id])
    await addRegions(owner, LIST_REPORT_ROWS_MAX + 1)
    expect([await codeOf('csv'), await codeOf('xlsx')]).toEqual([
      'REPORT_ROWS_TOO_MANY',
      'REPORT_ROWS_TOO_MANY',
    ])
  })

  it('counts as an export of the day; a refused one does not', async () => {
    const owner = await createTenant(api)
    const quota = await api.call('PUT', `/api/v1/admin/tenants/${owner.uid}/quotas`, {
      token: owner.superuser.token,
      body: { exports_per_day: 1 },
    })
    expect(quota.status, quota.text).toBe(200)
    const token = owner.admin.token
    expect((await download('regions?format=csv&sort_by=nonsense', { token })).status).toBe(422)
    expect((await download('regions?format=csv', { token })).status).toBe(200)
    const refused = await download('regions?format=csv', { token })
    expect([refused.status, JSON.parse(refused.text).error_code]).toEqual([429, 'EXPORT_QUOTA_EXCEEDED'])
  })

  it('costs one request of the rate limit, and no header of a client avoids that', async () => {
    const rateLimits = { ...testConfig().rateLimits, apiPerSecond: 0.001, apiBurst: 2 }
    const limited = await startApi({ now: '2026-11-20T09:00:00Z', config: { rateLimits } })
    try {
      const owner = await createTenant(limited)
      await limited.deps.database.pool.query(
        `insert into region (tenant_id, name) select $1, n::text from generate_series(1, 900) n`,
        [owner.id],
      )
      const options = { from: limited, token: owner.admin.token, headers: { 'x-netsaat-inner': 'true' } }
      const statuses = [1, 2, 3].map(() => download('regions?format=csv', options))
      expect((await Promise.all(statuses)).map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
    } finally {
      await limited.close()
    }
  })
})
