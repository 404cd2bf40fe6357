import { expect, it } from 'vitest'
import { baseUrl, call, eventually, request, tokenOf } from './client.ts'
import {
  calculate,
  declare,
  groupPath,
  type ImportedPair,
  importPair,
  MONTH,
  summary,
} from './netting-fixture.ts'

async function importBusyPair(): Promise<ImportedPair> {
  const pair = await importPair()
  await declare({ facility: pair.producer, role: 'main_production', values: [10, 10] })
  await declare({ facility: pair.consumer, role: 'main_consumption', values: [4, 6] })
  return pair
}

it('reports are CSV, XLSX and PDF in both languages', async () => {
  const pair = await importBusyPair()
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
  const pair = await importBusyPair()
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
