import { expect, inject, it } from 'vitest'
import { baseUrl, call, eventually, request, tokenOf } from './client.ts'
import {
  at,
  calculate,
  correct,
  declare,
  groupPath,
  hourly,
  type ImportedPair,
  importPair,
  MONTH,
  summary,
} from './netting-fixture.ts'

async function importBusyPair(voltage: string): Promise<ImportedPair> {
  const pair = await importPair(voltage)
  await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
  await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 6] })
  return pair
}

const SETS = '/api/v1/admin/regulated-tariffs/price-sets'
const SHIPPED = ['6b1f2f0e-2c0d-4d53-9a35-0f4a2026040a', '6b1f2f0e-2c0d-4d53-9a35-0f4a2026040b']

/** Prices count for every tenant, so that a deployment is left as it is. */
it.runIf(inject('acceptance').isOwnService)(
  'a month without prices is free until a correction after their approval, at the prices of its voltage level',
  async () => {
    const [low, medium] = [await importBusyPair('AG'), await importBusyPair('OG')]
    for (const pair of [low, medium]) {
      await calculate(pair)
      expect((await hourly(pair))[0]).toMatchObject({ matched_kwh: '0.000', bedelsiz_kwh: '10.000' })
    }
    for (const id of SHIPPED)
      expect((await call('superuser', 'POST', `${SETS}/${id}/approve`)).status).toBe(200)
    const prices: string[] = []
    for (const pair of [low, medium]) {
      await correct(pair)
      expect((await hourly(pair))[0]).toMatchObject({ matched_kwh: '4.000', bedelsiz_kwh: '0.000' })
      const amounts = await call('viewer', 'GET', `${groupPath(pair)}/amounts?from=${at(0)}&to=${at(1)}`)
      const [row] = amounts.body.filter(
        ({ amount_type: type }: { amount_type: string }) =>
          type === 'supplier_payment_for_matched_consumption',
      )
      prices.push(row.unit_price_try_per_kwh)
    }
    expect(prices).toEqual(['2.985253', '2.909687'])
  },
)

it('reports are CSV, XLSX and PDF in both languages', async () => {
  const pair = await importBusyPair('AG')
  await calculate(pair)
  const heads = new Map<string, string>()
  for (const format of ['csv', 'xlsx', 'pdf']) {
    for (const locale of ['tr', 'en']) {
      const path = `${groupPath(pair)}/report?kind=hours&billing_period=${MONTH}&format=${format}&locale=${locale}`
      const response = await request(baseUrl(), 'GET', path, { token: tokenOf('viewer') })
      expect([path, response.status]).toEqual([path, 200])
      heads.set(`${format} ${locale}`, response.text.slice(0, 200))
    }
  }
  expect(heads.get('csv tr')).not.toBe(heads.get('csv en'))
  expect(heads.get('xlsx en')).toMatch(/^PK/)
  expect(heads.get('pdf tr')).toMatch(/^%PDF-/)
})

it('all groups are listed and calculated together, with progress', async () => {
  const pair = await importBusyPair('AG')
  const body = { action: 'calculate', billing_period: MONTH, group_ids: [pair.group] }
  const started = await call('admin', 'POST', '/api/mahsuplasma/groups/bulk', body)
  expect(started.status, started.text).toBe(201)
  const path = `/api/mahsuplasma/groups/bulk/${started.body.id}`
  const isFinished = (bulk: { status: string }) => bulk.status === 'finished'
  const bulk = await eventually(async () => (await call('viewer', 'GET', path)).body, isFinished)
  expect(bulk).toMatchObject({ progress_pct: 100, groups_completed: 1 })
  const overview = await call(
    ...(['viewer', 'GET', `/api/mahsuplasma/groups/overview?billing_period=${MONTH}&limit=500`] as const),
  )
  const own = overview.body.find(({ group_id: id }: { group_id: string }) => id === pair.group)
  expect(own).toMatchObject({ month_status: 'calculated', stale: false })
  expect(await summary(pair)).toMatchObject({ production_kwh: '20.000' })
})
