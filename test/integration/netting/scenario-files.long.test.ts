import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { runScenarioJob, runSizingJob } from '../../support/netting/scenario-job.ts'
import { linesOfPdf, sheetsOf } from '../../support/opened-files.ts'
import { hasProgram } from '../../support/process/programs.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Scenarios and sizings as files, opened by other programs and compared with what the API states. */
const BASE = '/api/mahsuplasma'
type Record_ = Readonly<Record<string, unknown>>

let api: TestApi
let tenant: TestTenant
let spring: Spring
let scenarioId: string
let paidBackId: string
let sizingId: string

beforeAll(async () => {
  api = await startApi({ now: '2026-11-20T09:30:00Z' })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  spring = await makeSpring(api, tenant)
  await shortNames()
  const range = { group_ids: [spring.group.id], from: '2026-03', to: '2026-05' }
  const changes = [{ type: 'scale_plant', facility_id: spring.producer.id, factor: '1.7' }]
  scenarioId = await create('scenarios', { name: 'Çatı büyürse', ...range, changes })
  const dearer = { type: 'scale_price', purpose: 'mahsuplasma_lowest_related_tariff', factor: '1.5' }
  paidBackId = await create('scenarios', {
    name: 'Pahalansa',
    ...range,
    changes: [dearer],
    cost_try: '12.5',
  })
  const sized = { ...range, changes, change: 0, sizes: ['0.5', 2] }
  sizingId = await create('sizings', {
    name: 'Çatı boyu',
    ...sized,
    cost_fixed_try: '10',
    cost_per_unit_try: '0.5',
  })
  await runScenarioJob(api)
  await runSizingJob(api)
})
afterAll(() => api.close())

/** Names that fit on a line of a page. */
async function shortNames(): Promise<void> {
  const { pool } = api.deps.database
  await pool.query(`update netting_group set name = 'Çatı grubu' where id = $1`, [spring.group.id])
  await pool.query(
    `update facility set name = case id when $1 then 'GES' else 'Şeker' end where id in ($1, $2)`,
    [spring.producer.id, spring.consumer.id],
  )
}

async function create(path: string, body: object): Promise<string> {
  const created = await api.call('POST', `${BASE}/${path}`, { token: tenant.admin.token, body })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}
const get = async (path: string) =>
  (await api.call('GET', `${BASE}/${path}`, { token: tenant.viewer.token })).body

async function download(path: string): Promise<Buffer> {
  const response = await fetch(`${api.url}${path}`, {
    headers: { authorization: `Bearer ${tenant.viewer.token}` },
  })
  expect(response.status, path).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
const scenarioReport = (kind: string, query: string) =>
  download(`${BASE}/scenarios/${scenarioId}/report?kind=${kind}&${query}`)
const totalsReport = (query: string) => download(`/api/reports/scenario_totals?id=${paidBackId}&${query}`)
const sizingReport = (query: string) => download(`/api/reports/sizing_points?id=${sizingId}&${query}`)

/** The figures of rows of a sheet as numbers, by the names of the header. */
const figuresOf = ([head = [], ...rows]: string[][], isFigure: (name: string) => boolean) =>
  rows.map((row) =>
    Object.fromEntries(
      head.flatMap((name, index) =>
        isFigure(name) ? [[name, row[index] === '' ? null : Number(row[index])]] : [],
      ),
    ),
  )
const isEnergyOrMoney = (name: string) => /_(kwh|try|years)$/.test(name)
const numberOf = (value: unknown) => (value === null ? null : Number(value))

/** Both sides of a row of the API under the names of the report. */
const sidesOf = (row: { readonly base: Record_; readonly scenario: Record_ }, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const [, side = '', field = ''] = /^(base|scenario)_(.*)$/.exec(name) ?? []
      return [name, numberOf(row[side as 'base' | 'scenario'][field])]
    }),
  )

/** A figure below a thousand as a Turkish page shows it. */
const turkish = (value: string) => value.replace('.', ',')

describe.skipIf(!hasProgram('soffice'))('a workbook opened by LibreOffice (needs soffice)', () => {
  it('of a scenario or sizing has the names and figures of the API, to the Wh and the millionth', async () => {
    const kinds = ['months', 'members', 'hours'] as const
    const sheets = await sheetsOf(
      await Promise.all([
        ...kinds.map((kind) => scenarioReport(kind, 'format=xlsx&headers=names')),
        sizingReport('format=xlsx&headers=names'),
        scenarioReport('months', 'format=xlsx&locale=tr'),
        sizingReport('format=xlsx&locale=tr'),
        totalsReport('format=xlsx&headers=names'),
      ]),
    )
    const [months = [], members = [], hours = [], points = [], ...others] = sheets
    const [titledMonths = [], titledPoints = [], totals = []] = others
    const ofApi = {
      months: await get(`scenarios/${scenarioId}/months`),
      members: await get(`scenarios/${scenarioId}/members`),
      march: await get(`scenarios/${scenarioId}/hours?group_id=${spring.group.id}&billing_period=2026-03-01`),
      sizing: await get(`sizings/${sizingId}`),
    }
    const names = (sheet: string[][]) => (sheet[0] ?? []).filter(isEnergyOrMoney)
    for (const [sheet, rows, count] of [
      [months, ofApi.months, 3],
      [members, ofApi.members, 6],
      [hours.slice(0, 4), ofApi.march, 3],
    ] as const) {
      expect(rows).toHaveLength(count)
      expect(names(sheet).length).toBeGreaterThan(10)
      expect(figuresOf(sheet, isEnergyOrMoney)).toEqual(
        rows.map((row: Parameters<typeof sidesOf>[0]) => sidesOf(row, names(sheet))),
      )
    }
    const groupName = ofApi.months[0].group_name
    expect(months.slice(1).map((row) => row.slice(0, 2))).toEqual(
      ofApi.months.map((row: Record_) => [groupName, row['billing_period']]),
    )
    expect(members.slice(1).map((row) => row[2])).toEqual(
      ofApi.members.map((row: Record_) => row['facility_name']),
    )
    expect(hours[1]?.[2]).toBe('01.03.2026 00:00:00')
    expect(points[0]?.[0]).toBe('size')
    expect(figuresOf(points, (name) => name === 'size' || isEnergyOrMoney(name))).toEqual(
      ofApi.sizing.points.map((point: Record_) =>
        Object.fromEntries(['size', ...names(points)].map((name) => [name, numberOf(point[name])])),
      ),
    )
    expect(names(points)).toEqual(expect.arrayContaining(['bedelli_kwh', 'benefit_try', 'balance_try']))
    const { cost_try, totals: ofScenario } = await get(`scenarios/${paidBackId}`)
    expect(
      figuresOf(totals, (name) => /^(cost_try|totals.benefit_try|totals.payback_years)$/.test(name)),
    ).toEqual([
      {
        cost_try: Number(cost_try),
        'totals.benefit_try': Number(ofScenario.benefit_try),
        'totals.payback_years': Number(ofScenario.payback_years),
      },
    ])
    expect(Number(ofScenario.payback_years)).toBeGreaterThan(0)
    expect(titledMonths[0]).toEqual(
      expect.arrayContaining(['Grup', 'Mahsuplaşan (kWh), temel', 'Bakiye (TL), senaryo']),
    )
    expect(titledPoints).toHaveLength(3)
  })
})

describe.skipIf(!hasProgram('pdftotext'))('a PDF read by pdftotext (needs pdftotext)', () => {
  it('of a scenario has its name, its months and both figures of each', async () => {
    const lines = await linesOfPdf(await scenarioReport('months', 'format=pdf&locale=tr'))
    expect(lines).toContain('Çatı büyürse')
    expect(lines.join(' ')).toMatch(/Bakiye \(TL\),.*temel.*senaryo/)
    for (const row of await get(`scenarios/${scenarioId}/months`)) {
      const line = lines.find((one) => one.includes(row.billing_period))
      for (const side of ['base', 'scenario'])
        for (const field of ['matched_kwh', 'bedelli_kwh', 'skb_kwh', 'balance_try'])
          expect(line, `${row.billing_period} ${side} ${field}`).toContain(turkish(row[side][field]))
    }
  })

  it('of the facilities names each of them, with its figures', async () => {
    const lines = await linesOfPdf(await scenarioReport('members', 'format=pdf&locale=en'))
    for (const row of await get(`scenarios/${scenarioId}/members`)) {
      const line = lines.find((one) =>
        one.startsWith(`Çatı grubu ${row.billing_period} ${row.facility_name}`),
      )
      for (const field of ['matched_consumption_kwh', 'bedelli_kwh', 'skb_kwh'])
        expect(line, row.facility_name).toContain(`${row.scenario[field]}`)
    }
  })

  it('of the totals has the investment and its payback', async () => {
    const lines = await linesOfPdf(await totalsReport('format=pdf&locale=tr'))
    const { cost_try, totals } = await get(`scenarios/${paidBackId}`)
    const line = lines.find((one) => one.startsWith('Pahalansa 2026-03'))
    for (const figure of [cost_try, totals.benefit_try, totals.payback_years])
      expect(line).toContain(turkish(figure))
  })

  it('of a sizing has its points', async () => {
    const lines = await linesOfPdf(await sizingReport('format=pdf&locale=tr'))
    const { points } = await get(`sizings/${sizingId}`)
    expect(points).toHaveLength(2)
    for (const { size, bedelli_kwh, skb_kwh, benefit_try, cost_try, payback_years } of points) {
      const line = lines.find((one) => one.startsWith(turkish(size)))
      expect(cost_try).not.toBeNull()
      const payback = payback_years === null ? [] : [payback_years]
      for (const figure of [bedelli_kwh, skb_kwh, benefit_try, cost_try, ...payback])
        expect(line).toContain(turkish(figure))
    }
  })
})
