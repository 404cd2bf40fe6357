import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/kernel/time.ts'
import type { TestApi } from '../../support/api.ts'
import { calculate, makePair, openSite } from '../../support/netting/calculation.ts'
import { runOptimisationJob } from '../../support/netting/optimisation-job.ts'
import type { TestTenant } from '../../support/tenants.ts'

const BASE = '/api/mahsuplasma/optimisations'
const DAYS = 18
let api: TestApi
let tenant: TestTenant
let pair: Awaited<ReturnType<typeof makePair>>

beforeAll(async () => {
  ;({ api, tenant } = await openSite())
  // More than the works takes from 8 to 16 o'clock; nothing in the other hours.
  const energies = (index: number): [string, string] => {
    const hour = index % 24
    return [hour >= 8 && hour < 16 ? '30.000' : '0.000', '20.000']
  }
  pair = await makePair('2000.000', DAYS * 24, energies)
  for (let day = 0; day < DAYS; day += 6) await calculate(pair.group, day * 24, (day + 6) * 24)
})
afterAll(() => api.close())

const get = async (path: string) =>
  (await api.call('GET', `${BASE}/${path}`, { token: tenant.viewer.token })).body

it('proposes 24 set points of a battery for tomorrow, from a forecast', async () => {
  const battery = { facility_id: pair.consumer.id, capacity_kwh: 40, power_kw: 10, efficiency: '0.9' }
  const body = {
    name: 'Tomorrow',
    kind: 'battery_next_day',
    group_ids: [pair.group.id],
    batteries: [battery],
  }
  const created = await api.call('POST', BASE, {
    token: tenant.admin.token,
    body: { ...body, from: '2026-11', to: '2026-11' },
  })
  expect(created.status, created.text).toBe(201)
  await runOptimisationJob(api)
  const done = await get(created.body.id)
  expect(done, JSON.stringify(done.error)).toMatchObject({ state: 'done', result: expect.anything() })
  const points: { facility_id: string; hour: string; power_kw: string }[] = await get(
    `${created.body.id}/set-points`,
  )
  const midnight = Date.parse('2026-11-21T00:00:00+03:00')
  expect(points.map(({ hour }) => Date.parse(hour))).toEqual(
    Array.from({ length: 24 }, (_hour, index) => midnight + index * HOUR_MS),
  )
  const powers = points.map(({ power_kw: power }) => Number(power))
  for (const power of powers) expect(Math.abs(power)).toBeLessThanOrEqual(10)
  // It charges from the surplus of the sun only, and discharges in the hours after it.
  expect(powers.findIndex((power) => power < 0)).toBeGreaterThanOrEqual(8)
  expect(powers.findLastIndex((power) => power < 0)).toBeLessThan(16)
  expect(powers.findIndex((power) => power > 0)).toBeGreaterThanOrEqual(16)
  expect(Number(done.result.benefit_try)).toBeGreaterThan(0)
})
