import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { openCharging } from '../../support/charging/charging.ts'
import { startOcppApi } from '../../support/field/ocpp.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  api = await startOcppApi({ now: '2026-11-20T18:30:00Z' })
  tenant = await createTenant(api)
  other = await createTenant(api)
})
afterAll(() => api.close())

const list = async (query: string, { viewer } = tenant) => {
  const { status, body } = await api.call('GET', `/api/ocpp/sessions?${query}`, { token: viewer.token })
  expect(status).toBe(200)
  return body
}

it('include=totals adds the exact energy of all sessions that match, whatever the page', async () => {
  const [first, second] = [await openCharging(api, tenant), await openCharging(api, tenant)]
  const charge = async (setup: typeof first, at: string, meterStop: number) => {
    const { transactionId } = await setup.start({ at: `2026-11-20T${at}:00Z`, meterStart: 1_000 })
    await setup.stop({ transactionId, at: `2026-11-20T${at}:30Z`, meterStop })
  }
  await charge(first, '10:00', 11_501)
  await charge(first, '11:00', 1_001)
  await charge(first, '12:00', 900)
  await charge(second, '13:00', 3_000)
  await second.start({ at: '2026-11-20T14:00:00Z', meterStart: 1_000 })

  const ofFirst = await list(`include=totals&limit=1&charger_id=${first.charger.id}`)
  expect(ofFirst).toMatchObject({ total: 3, limit: 1 })
  expect(ofFirst.totals).toEqual({
    ...{ sessions_active: 0, sessions_without_energy: 1 },
    energy_kwh: '10.502',
  })
  const all = await list('include=totals')
  expect(all.totals).toEqual({ sessions_active: 1, sessions_without_energy: 1, energy_kwh: '12.502' })
  expect((await list('include=totals&state=active')).totals.energy_kwh).toBe('0.000')
  expect(await list('')).not.toHaveProperty('totals')
  expect((await list('include=totals', other)).totals).toEqual({
    ...{ sessions_active: 0, sessions_without_energy: 0 },
    energy_kwh: '0.000',
  })
})
