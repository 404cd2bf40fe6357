import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice } from '../../support/metering/measurements.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const reading = (deviceId: string) => [{ deviceId, at: api.clock.now(), values: { active_power: 7 } }]

async function countStored(): Promise<number> {
  const { rows } = await api.deps.database.pool.query<{ count: string }>(
    'select count(*) from measurement where tenant_id = $1',
    [tenant.id],
  )
  return Number(rows[0]?.count)
}

it('concurrent requests share a batch, and a deleted device fails only its own request', async () => {
  const devices = await Promise.all(Array.from({ length: 3 }, () => createDevice(api, tenant)))
  const { submit } = api.deps.ingest
  const stations = devices.map(({ id }) => submit(tenant.id, reading(id)))
  const lost = submit(tenant.id, reading(randomUUID()))
  await expect(lost).rejects.toMatchObject({ status: 422 })
  await Promise.all(stations)
  expect(await countStored()).toBe(devices.length)
})

it('samples of different tenants are stored separately in a batch', async () => {
  const other = await createTenant(api)
  const { id } = await createDevice(api, tenant)
  const { submit } = api.deps.ingest
  const [own, foreign] = [submit(tenant.id, reading(id)), submit(other.id, reading(id))]
  await expect(foreign).rejects.toMatchObject({ status: 422 })
  await own
})
