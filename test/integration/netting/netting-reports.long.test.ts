import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  base,
  calculate,
  makePair,
  openSite,
  type Row,
  read,
  type Site,
} from '../../support/netting/calculation.ts'
import { addFacts, hourlyFacts } from '../../support/netting/energy.ts'
import {
  addMember,
  makeAccount,
  makeFacility,
  makeGroup,
  type TestGroup,
} from '../../support/netting/netting.ts'
import { hasProgram } from '../../support/process/programs.ts'

let site: Site
let folder: string
let group: TestGroup
let producer: string
let consumer: string
let account: string

beforeAll(async () => {
  site = await openSite()
  folder = await mkdtemp(join(tmpdir(), 'netsaat-reports-'))
  const pair = await makePair('300.000', 48, (hour) => [(hour % 24 < 8 ? 0 : 20.125).toFixed(3), '5.000'])
  group = pair.group
  producer = pair.producer.name
  consumer = pair.consumer.name
  account = pair.account ?? ''
  expect((await calculate(group, 0, 24)).status).toBe(201)
  expect((await calculate(group, 24, 48)).status).toBe(201)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await site.api.close()
})

async function download(
  kind: string,
  query: string,
  { id = group.id, token = site.tenant.viewer.token } = {},
) {
  const url = `${site.api.url}${base({ id })}/report?kind=${kind}&billing_period=2026-11${query}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function csv(kind: string, query: string, id = group.id): Promise<string[][]> {
  const { response, bytes } = await download(kind, `&format=csv${query}`, { id })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = bytes.toString().replace('\uFEFF', '').trimEnd().split('\r\n')
  return lines.map((line) => line.split(query.includes('en') ? ',' : ';'))
}

async function sheet(kind: string, query = ''): Promise<unknown[][]> {
  const { response, bytes } = await download(kind, `&format=xlsx${query}`)
  expect(response.status).toBe(200)
  return readSheet(bytes)
}

async function pdfText(kind: string, query = '', id = group.id): Promise<string> {
  const { response, bytes } = await download(kind, `&format=pdf${query}`, { id })
  expect([response.status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  const file = join(folder, 'report.pdf')
  await writeFile(file, bytes)
  return (await promisify(execFile)('pdftotext', ['-layout', file, '-'])).stdout
}

describe('a report of hours', () => {
  it('contains the figures of the API, with names, in English and digit for digit', async () => {
    const [head = [], ...rows] = await csv('hours', '&locale=en&headers=names')
    const hours = (await read(group, 'hourly')).body
    expect(head).toEqual([
      'hour',
      ...['production_kwh', 'consumption_kwh', 'matched_kwh', 'surplus_kwh', 'net_import_kwh'],
      ...['bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh', 'matched_over_limit_kwh'],
      ...['limit_before_kwh', 'limit_used_kwh', 'limit_after_kwh', 'data_quality'],
    ])
    expect(rows).toEqual(
      hours.map((row: Row) => [
        new Date(Date.parse(row['hour'] ?? '') + 3 * 3_600_000).toISOString().replace('.000Z', '+03:00'),
        ...head.slice(1).map((name) => row[name]),
      ]),
    )
    expect(rows).toHaveLength(48)
  })

  it('in Turkish has titles, words, decimal commas and local times', async () => {
    const [head = [], first = []] = await csv('hours', '')
    expect(head.slice(0, 3)).toEqual(['Saat başlangıcı (Türkiye saati)', 'Üretim (kWh)', 'Tüketim (kWh)'])
    expect(first.slice(0, 3)).toEqual(['01.11.2026 00:00', '0,000', '5,000'])
    expect(first.at(-1)).toBe('Tam')
  })

  it('is a workbook with numbers and times', async () => {
    const [head = [], first = []] = await sheet('hours')
    expect(head[1]).toBe('Üretim (kWh)')
    expect(first[0]).toBeInstanceOf(Date)
    expect(first[2]).toBe(5)
  })

  it('has the current rows only', async () => {
    const other = (await makePair('300.000', 24, () => ['9.000', '5.000'])).group
    await calculate(other, 0, 24)
    await site.api.call('POST', `${base(other)}/corrections`, {
      token: site.tenant.admin.token,
      body: { billing_period: '2026-11', reason: 'a test of reports' },
    })
    const [, ...rows] = await csv('hours', '', other.id)
    expect(rows.length).toBeGreaterThan(24)
    expect(new Set(rows.map(([hour]) => hour)).size).toBe(rows.length)
  })
})

describe('reports of a period', () => {
  it('of virtual meters and amounts contain the rows of the API', async () => {
    for (const [kind, path, column] of [
      ['virtual_meters', 'virtual-meters', 'energy_kwh'],
      ['amounts', 'amounts', 'amount_try'],
    ] as const) {
      const [head = [], ...rows] = await csv(kind, '&locale=en&headers=names')
      const index = head.indexOf(column)
      const expected = (await read(group, path)).body.map((row: Row) => row[column] ?? '')
      expect(rows.map((row) => row[index]).toSorted()).toEqual(expected.toSorted())
    }
    const [, ...amounts] = await csv('amounts', '')
    expect(amounts.some((row) => row.includes(consumer))).toBe(true)
  })

  it('of the month contain each figure of the summary', async () => {
    const summary = (await read(group, 'monthly-summary')).body[0]
    const figures = Object.fromEntries(await csv('summary', '&locale=en&headers=names'))
    for (const name of ['production_kwh', 'matched_kwh', 'bedelli_kwh', 'limit_closing_kwh', 'scenario'])
      expect([name, figures[name]]).toEqual([name, summary[name]])
    const type = 'supplier_payment_for_matched_consumption'
    expect(figures[type]).toBe(summary.amounts_try[type])
  })

  it('of the ledger contain every movement with the balance after it', async () => {
    const [head = [], ...rows] = await csv('ledger', '&locale=en&headers=names')
    const { body } = await site.api.call('GET', `/api/mahsuplasma/limits/accounts/${account}/movements`, {
      token: site.tenant.viewer.token,
    })
    const amounts: string[] = body.map((row: Row) => row['amount_kwh']).toReversed()
    expect(rows.map((row) => row[head.indexOf('amount_kwh')])).toEqual(amounts)
    let balance = 300
    for (const row of rows) {
      balance += Number(row[head.indexOf('amount_kwh')])
      expect(Number(row[head.indexOf('balance_kwh')])).toBeCloseTo(balance, 6)
    }
    expect(rows.every((row) => row[head.indexOf('facility')] === consumer)).toBe(true)
  })

  it('of the allocation sum to the matched energy', async () => {
    const two = await makePair('900.000', 10, () => ['30.000', '20.000'])
    const second = await makeFacility(site.api.deps, site.tenant, { meters: ['main_consumption'] })
    const roof = await makeFacility(site.api.deps, site.tenant, {
      name: 'Çatı GES',
      meters: ['main_production'],
    })
    await addMember(site.api.deps, site.tenant, {
      groupId: two.group.id,
      facilityId: second.id,
      role: 'consumption',
    })
    await addMember(site.api.deps, site.tenant, {
      groupId: two.group.id,
      facilityId: roof.id,
      role: 'production',
    })
    const range = { from: '2026-11-01T00:00:00+03:00', to: '2026-11-01T10:00:00+03:00' }
    await addFacts(site.api.deps, site.tenant, [
      ...hourlyFacts(range, { facilityId: second.id, role: 'main_consumption' }, () => ({
        consumption: '60.000',
      })),
      ...hourlyFacts(range, { facilityId: roof.id, role: 'main_production' }, () => ({
        production: '10.000',
      })),
    ])
    expect((await calculate(two.group, 0, 10)).status).toBe(201)
    const rows = await csv('allocation', '&locale=en', two.group.id)
    const [head = [], ...body] = rows
    const consumers = [two.consumer.name, second.name].toSorted((a, b) => a.localeCompare(b, 'en'))
    expect(head).toEqual(['Producer', ...consumers, 'Total'])
    const cells = new Map(
      body.map(([name = '', ...values]) => [
        name,
        Object.fromEntries(consumers.map((id, index) => [id, values[index]])),
      ]),
    )
    // In each hour 40 kWh are matched, of which the first consumer uses a quarter and the roof gives a quarter.
    expect(cells.get('Çatı GES')).toEqual({ [two.consumer.name]: '25.000', [second.name]: '75.000' })
    expect(cells.get(two.producer.name)).toEqual({ [two.consumer.name]: '75.000', [second.name]: '225.000' })
    expect(body.at(-1)?.at(-1)).toBe('400.000')
  })
})

/** Two solar plants of 20 and 10 kWh at different operators, and a consumer of 6 kWh, in each of four hours. */
async function makeTwoOperators(): Promise<TestGroup> {
  const operators: string[] = []
  for (const name of ['OSB Dağıtım', 'Şehir Dağıtım']) {
    const { body } = await site.api.call('POST', '/api/mahsuplasma/organizations', {
      token: site.tenant.admin.token,
      body: { name, org_type: 'distribution_company' },
    })
    operators.push(body.id)
  }
  const [first = '', second = ''] = operators
  const two = await makeGroup(site.api.deps, site.tenant, {
    members: [
      { role: 'production', gridOperatorId: first },
      { role: 'production', gridOperatorId: second },
      { role: 'consumption', limits: { 2026: '10000.000' } },
    ],
  })
  const range = { from: '2026-11-01T00:00:00+03:00', to: '2026-11-01T04:00:00+03:00' }
  for (const [index, kwh] of ['20.000', '10.000', '6.000'].entries()) {
    const isProducer = index < 2
    const fact = {
      facilityId: two.facilities[index]?.id ?? '',
      role: isProducer ? ('main_production' as const) : ('main_consumption' as const),
    }
    const value = isProducer ? { production: kwh } : { consumption: kwh }
    await addFacts(
      site.api.deps,
      site.tenant,
      hourlyFacts(range, fact, () => value),
    )
  }
  expect((await calculate(two, 0, 4)).status).toBe(201)
  return two
}

describe('the report of amounts of two grid operators', () => {
  it('names the operator of each amount, and sums the amounts of each of them', async () => {
    const two = await makeTwoOperators()
    const [head = [], ...rows] = await csv('amounts', '&locale=en&headers=names', two.id)
    const cell = (row: string[], name: string) => row[head.indexOf(name)]
    const paid = rows.filter((row) => cell(row, 'amount_type') === 'producer_payment_for_bedelli_surplus')
    const ofOperators = paid.map((row) => `${cell(row, 'grid_operator')} ${cell(row, 'quantity_kwh')}`)
    // Of 30 kWh per hour 6 are matched; the surplus of 24 is divided like the production.
    expect(ofOperators.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'OSB Dağıtım 16.000'),
      ...Array.from({ length: 4 }, () => 'Şehir Dağıtım 8.000'),
    ])
    if (!hasProgram('pdftotext')) return
    const text = await pdfText('amounts', '&locale=en', two.id)
    expect(text).toMatch(/surplus +OSB Dağıtım +64\.000/)
    expect(text).toMatch(/surplus +Şehir Dağıtım +32\.000/)
  })
})

describe('the ledger report', () => {
  const ledger = async (id: string) => {
    const [head = [], ...rows] = await csv('ledger', '&locale=en&headers=names', id)
    return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])))
  }

  it('contains the accounts of the year of those who consumed in the group in the month', async () => {
    const limits = { 2025: '1.000', 2026: '100.000' }
    const mixed = await makeGroup(site.api.deps, site.tenant, {
      members: [
        { role: 'production', name: 'plant', limits },
        { role: 'consumption', name: 'factory', limits },
        { role: 'mixed', name: 'roof', limits },
        { role: 'consumption', name: 'left in the month', limits, validTo: '2026-11-02' },
        { role: 'consumption', name: 'joined on the last day', limits, validFrom: '2026-11-30' },
        { role: 'consumption', name: 'left before', limits, validTo: '2026-11-01' },
        { role: 'consumption', name: 'joined after', limits, validFrom: '2026-12-01' },
      ],
    })
    const rows = await ledger(mixed.id)
    expect(rows.map((row) => row['facility']).toSorted()).toEqual([
      'factory',
      'joined on the last day',
      'left in the month',
      'roof',
    ])
    expect(rows.map((row) => row['balance_kwh'])).toEqual(rows.map(() => '100.000'))
  })

  it('of several pages contains each movement of each account once, with its balance', async () => {
    const {
      group: busy,
      account: first,
      consumer: one,
    } = await makePair('300.000', 1, () => ['9.000', '5.000'])
    const other = await makeFacility(site.api.deps, site.tenant, { meters: ['main_consumption'] })
    await addMember(site.api.deps, site.tenant, {
      groupId: busy.id,
      facilityId: other.id,
      role: 'consumption',
    })
    const account2026 = { facilityId: other.id, year: 2026, initial: '300.000' }
    const second = await makeAccount(site.api.deps, site.tenant, account2026)
    // A page has 2,000 rows, so the first page ends in the middle of the second account.
    await site.api.deps.database.pool.query(
      `insert into limit_movement (tenant_id, account_id, movement_type, amount_kwh, reason, created_at)
       select tenant_id, id, 'manual_adjustment', 1.000, 'a test', '2026-11-02' from limit_account,
         generate_series(1, 1500) where id = any($1::uuid[])`,
      [[first, second]],
    )
    const rows = await ledger(busy.id)
    const balances = Array.from({ length: 1501 }, (_, index) => `${300 + index}.000`)
    for (const { name } of [one, other]) {
      const own = rows.filter((row) => row['facility'] === name)
      expect([name, own.map((row) => row['balance_kwh'])]).toEqual([name, balances])
    }
    expect(rows).toHaveLength(2 * balances.length)
  })
})

describe.skipIf(!hasProgram('pdftotext'))('a report in PDF (needs pdftotext)', () => {
  it('lists the days of the hours with their sums, in both languages', async () => {
    const turkish = await pdfText('hours')
    for (const word of [
      'Saatlik mahsuplaşma',
      'Fatura dönemi: 2026-11',
      '01.11.2026',
      '322,000',
      '644,000',
      'Tam',
    ])
      expect(turkish).toContain(word)
    const english = await pdfText('hours', '&locale=en')
    for (const word of ['Hourly netting', '2026-11-01', '322.000', '644.000', 'Complete', 'Page 1 of 1'])
      expect(english).toContain(word)
  })

  it.each([
    ['virtual_meters', 'Bedelli'],
    ['amounts', 'Mahsuplaşan tüketim için'],
    ['summary', 'Veri tamlığı'],
    ['ledger', 'Açılış'],
    ['allocation', 'Toplam'],
  ])('of %s contains its words', async (kind, word) => {
    expect((await pdfText(kind)).replaceAll(/\s+/g, ' ')).toContain(word)
  })

  it('has the worst quality of each day and of the month', async () => {
    const pair = await makePair('300.000', 72, () => ['20.000', '5.000'])
    // The first hour of the second day is partly covered, the other days and the rest of this one are complete.
    await addFacts(site.api.deps, site.tenant, [
      {
        facilityId: pair.producer.id,
        role: 'main_production',
        hour: '2026-11-02T00:00:00+03:00',
        production: '20.000',
        quality: 'partial',
      },
    ])
    expect((await calculate(pair.group, 0, 72)).status).toBe(201)
    const text = await pdfText('hours', '&locale=en', pair.group.id)
    const qualities = text.split('\n').flatMap((line) => {
      const found = /^\s*(2026-11-0\d|Total)\s.*\s(\S+)\s*$/.exec(line)
      return found ? [found.slice(1)] : []
    })
    expect(qualities).toEqual([
      ['2026-11-01', 'Complete'],
      ['2026-11-02', 'Partial'],
      ['2026-11-03', 'Complete'],
      ['Total', 'Partial'],
    ])
  })

  it('names producers and consumers', async () => {
    expect(await pdfText('allocation')).toMatch(new RegExp(`${producer}[^\\n]*${consumer}`))
  })
})

describe('a report request', () => {
  it.each([
    ['an unknown kind', 'weather', '&format=csv', 422],
    ['an unknown format', 'hours', '&format=doc', 422],
    ['no format', 'hours', '', 422],
    ['an unknown language', 'hours', '&format=csv&locale=de', 422],
  ])('with %s is rejected', async (_what, kind, query, status) => {
    expect((await download(kind, query)).response.status).toBe(status)
  })

  it('of another tenant is answered with 404, and of a month without hours with 422', async () => {
    const { token } = site.foreignTenant.viewer
    expect((await download('hours', '&format=csv', { token })).response.status).toBe(404)
    const empty = await makeGroup(site.api.deps, site.tenant, { members: [] })
    const { response, bytes } = await download('hours', '&format=csv', { id: empty.id })
    expect([response.status, JSON.parse(String(bytes)).detail.error_code]).toEqual([
      422,
      'BUSINESS_RULE_VIOLATION',
    ])
    expect(await csv('ledger', '', empty.id)).toHaveLength(1)
  })

  it('for a PDF with too many rows is rejected with 422', async () => {
    const { account: busy, group: long } = await makePair('300.000', 1, () => ['9.000', '5.000'])
    await site.api.deps.database.pool.query(
      `insert into limit_movement (tenant_id, account_id, movement_type, amount_kwh, reason, created_at)
       select tenant_id, id, 'manual_adjustment', 1.000, 'a test', '2026-11-02' from limit_account,
         generate_series(1, 2500) where id = $1`,
      [busy],
    )
    const { response, bytes } = await download('ledger', '&format=pdf', { id: long.id })
    expect([response.status, JSON.parse(String(bytes)).detail.error_code]).toEqual([422, 'REPORT_TOO_LONG'])
    expect((await csv('ledger', '', long.id)).length).toBeGreaterThan(2_500)
  })
})
