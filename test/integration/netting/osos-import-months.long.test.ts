import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { makeSpring, type Spring } from '../../support/netting/calculated-months.ts'
import { importFile, makeInstallation, postReadings } from '../../support/netting/osos.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
let spring: Spring
beforeAll(async () => {
  api = await startApi({ now: '2026-07-01T09:00:00Z' })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  spring = await makeSpring(api, tenant)
})
afterAll(() => api.close())

const get = (id: string, token = tenant.viewer.token) =>
  api.call('GET', `/api/osos/imports/${id}/months`, { token })
const months = async (id: string) => {
  const { status, body } = await get(id)
  expect(status).toBe(200)
  return body.map((row: Record<string, unknown>) => [
    ...[row['billing_period'], row['group_id'], row['hours'], row['calculated_at'] !== null],
  ])
}

describe('months of an import of official readings', () => {
  it('are those of the hours that it stored, with the groups of the facility and their calculation', async () => {
    const { id } = await makeInstallation(api, tenant, {
      ...{ facility_id: spring.producer.id, measurement_role: 'main_production' },
    })
    // The last hour of March and the first of April, in the time of Turkey.
    const readings = [
      ['2026-03-31T23:00:00+03:00', '0', '1'],
      ['2026-04-01T00:00:00+03:00', '0', '2'],
      ['2026-04-01T01:00:00+03:00', '0', '3'],
      ['2026-06-01T00:00:00+03:00', '0', '4'],
    ] as const
    const send = async (sent: typeof readings | readonly (readonly [string, string, string])[]) =>
      (await postReadings(api, tenant, { id, label: 'hour_starting', readings: sent })).body.import_id
    const first = await send(readings)
    const group = spring.group.id
    expect(await months(first)).toEqual([
      ['2026-06-01', group, 1, false],
      ['2026-04-01', group, 2, true],
      ['2026-03-01', group, 1, true],
    ])
    // An equal value is not stored again; a corrected hour stays one of the import that stored it first.
    const second = await send([readings[0], ['2026-04-01T00:00:00+03:00', '0', '2.5']])
    expect(await months(second)).toEqual([['2026-04-01', group, 1, true]])
    expect((await months(first)).map(([, , hours]: number[]) => hours)).toEqual([1, 2, 1])
  })

  it('have no group where the facility is unknown or no member', async () => {
    const file = 'Tarih;Çekiş\n01.05.2026 01:00;1\n'
    const { id } = await makeInstallation(api, tenant)
    const imported = await importFile(api, tenant, { id, file })
    expect(await months(imported.body.import_id)).toEqual([['2026-05-01', null, 1, false]])
    const { body } = await get(imported.body.import_id)
    expect(body[0]).toMatchObject({ group_name: null, calculated_at: null })
  })

  it('of an unknown import are 404', async () => {
    expect((await get(randomUUID())).status).toBe(404)
  })
})
