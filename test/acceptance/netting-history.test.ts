import { describe, expect, it } from 'vitest'
import { baseUrl, call, create, request, tokenOf, uniqueName } from './client.ts'
import {
  at,
  calculate,
  declare,
  groupPath,
  hourly,
  importPair,
  importRecords,
  MONTH,
  pairFiles,
  sendForm,
  summary,
} from './netting-fixture.ts'

describe('history', () => {
  it('is imported completely or not at all, and a repeated import changes nothing', async () => {
    const { files, names } = pairFiles()
    const broken = {
      ...files,
      'members.csv': 'group;facility;member_role;valid_from\nyok;yok;kim;32.01.2026',
    }
    const refused = await importRecords(broken)
    expect(refused.body).toMatchObject({ applied: false })
    expect(refused.body.error_count).toBeGreaterThan(1)
    expect((await importRecords(files, { dry_run: 'true' })).body).toMatchObject({
      applied: false,
      errors: [],
    })
    expect((await importRecords(files)).body).toMatchObject({ applied: true, created: 6, unchanged: 0 })
    expect((await importRecords(files)).body).toMatchObject({ applied: true, created: 0, unchanged: 6 })
    const groups = await call('viewer', 'GET', '/api/mahsuplasma/groups?limit=500')
    const [group] = groups.body.filter(({ name }: { name: string }) => name === names.group)
    expect(group.origin).toMatch(/^import: .*groups\.csv/)
    const { tenant_id } = (await call('admin', 'GET', '/api/auth/me')).body
    const months = { tenant_id, from: MONTH, to: MONTH }
    const started = await call('superuser', 'POST', '/api/mahsuplasma/history/calculate', months)
    expect(started.status, started.text).toBe(202)
    const path = `/api/mahsuplasma/history/jobs/${started.body.id}`
    expect((await call('superuser', 'GET', path)).body.steps_total).toBeGreaterThan(0)
  })

  it('shows on readings alone what hourly netting would have cost, marked as such', async () => {
    const pair = await importPair()
    await declare({ facility: pair.producer, role: 'main_production', values: [10, 0] })
    await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 6] })
    const query = `facility_ids=${pair.producer},${pair.consumer}&from=${MONTH}&to=${MONTH}`
    const { body } = await call('viewer', 'GET', `/api/mahsuplasma/comparison?${query}`)
    expect(body).toMatchObject({ data_basis: 'readings_only', hours_compared: 2 })
    expect([body.hourly.matched_kwh, body.monthly.matched_kwh]).toEqual(['4.000', '10.000'])
  })

  it('refuses prices of another month in a set of regulated tariffs', async () => {
    const path = '/api/v1/admin/regulated-tariffs/price-sets'
    const listed = await call('superuser', 'GET', path)
    expect(listed.text).toContain('EPDK 2026-04 OG')
    const set = await create('superuser', path, { name: uniqueName('prices'), billing_period: '2025-01' })
    const text =
      'valid_from,billing_period,abone_grubu,price_purpose,price\n2025-02-01,2025-02-01,sanayi,distribution,1.5'
    const refused = await sendForm('superuser', `${path}/${set.id}/import-csv`, {}, { 'prices.csv': text })
    expect([refused.status, refused.body.detail?.error_code ?? refused.text]).toEqual([
      422,
      'TARIFF_PERIOD_MISMATCH',
    ])
  })
})

describe('unknown values', () => {
  it('are null with completeness 0, and a window without members is refused', async () => {
    const pair = await importPair()
    const rebuild = `/api/mahsuplasma/facilities/${pair.consumer}/hourly-energy/rebuild`
    const window = { from_hour: at(0), to_hour: at(2) }
    expect((await call('admin', 'POST', rebuild, window)).status).toBe(201)
    await calculate(pair)
    const [hour] = await hourly(pair)
    expect(hour).toMatchObject({ production_kwh: null, consumption_kwh: null, data_quality: 'missing' })
    expect(await summary(pair)).toMatchObject({ completeness_pct: 0, production_kwh: null })
    const facts = await call(
      ...([
        'viewer',
        'GET',
        `/api/mahsuplasma/facilities/${pair.consumer}/hourly-energy?from=${at(0)}&to=${at(2)}`,
      ] as const),
    )
    expect(facts.body.map(({ source }: { source: string }) => source)).toEqual(['missing', 'missing'])
    const empty = await create('admin', '/api/mahsuplasma/groups', { name: uniqueName('group') })
    const refused = await call('admin', 'POST', `${groupPath({ group: empty.id })}/calculate`, window)
    expect([refused.status, refused.body.detail.error_code]).toEqual([422, 'NO_ACTIVE_MEMBERS'])
  })
})

describe('messages', () => {
  it('have a code and parameters, and a text in the language of the reader', async () => {
    const path = `/api/mahsuplasma/groups/${crypto.randomUUID()}`
    const read = (language: string) =>
      request(baseUrl(), 'GET', path, { token: tokenOf('viewer'), headers: { 'accept-language': language } })
    const [turkish, english] = [await read('tr'), await read('en')]
    expect(turkish.body.detail).toMatchObject({
      message_code: 'RECORD_NOT_FOUND',
      parameters: { what: 'group' },
    })
    expect([turkish.body.detail.message, english.body.detail.message]).toEqual([
      'kayıt bulunamadı: grup',
      'group not found',
    ])
  })

  it('name the suppliers of the public list', async () => {
    const { text } = await call('viewer', 'GET', '/api/mahsuplasma/organizations?limit=500')
    for (const name of ['CK Çamlıbel', 'Türkerler Vangölü', 'Uludağ Perakende Elektrik Satış'])
      expect(text).toContain(name)
  })
})
