import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clearOrphanedSamples } from '../../../src/areas/metering/storage/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  api = await startApi()
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const create = async (name: string): Promise<string> =>
  (
    await api.call('POST', '/api/devices', {
      token: tenant.admin.token,
      body: { name, device_type: 'energy_analyzer' },
    })
  ).body.id

const keyOf = async (id: string): Promise<number> => {
  const { key } = await api.deps.database.kysely
    .selectFrom('device')
    .select('key')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return key
}

const ts = () => new Date(api.clock.now() - 60_000)

/** Stores a sample as a batch does that was on its way when the device was deleted. */
const storeSample = (device_key: number) =>
  api.deps.database.kysely
    .insertInto('measurement')
    .values({ tenant_id: tenant.id, device_key, ts: ts(), voltage: 230 })
    .execute()

const keysWithSamples = async (): Promise<number[]> => {
  const rows = await api.deps.database.kysely
    .selectFrom('measurement')
    .select('device_key')
    .where('tenant_id', '=', tenant.id)
    .orderBy('device_key')
    .execute()
  return rows.map(({ device_key }) => device_key)
}

const run = () => clearOrphanedSamples(api.deps, new AbortController().signal)

it('deletes samples that are stored after their device was deleted, for a day', async () => {
  const [deleted, kept] = [await create('deleted'), await create('kept')]
  const [deletedKey, keptKey] = [await keyOf(deleted), await keyOf(kept)]
  const samples = [deleted, kept].map((device_id) => ({
    device_id,
    timestamp: ts(),
    values: { voltage: 230 },
  }))
  const sent = await api.call('POST', '/api/measurements', { token: tenant.admin.token, body: { samples } })
  expect(sent.status).toBe(201)
  expect((await api.call('DELETE', `/api/devices/${deleted}`, { token: tenant.admin.token })).status).toBe(
    204,
  )
  expect(await keysWithSamples()).toEqual([keptKey])
  await storeSample(deletedKey)
  await run()
  expect(await keysWithSamples()).toEqual([keptKey])
  // Until a day after the deletion the job looks for further samples.
  await storeSample(deletedKey)
  await api.deps.database.kysely
    .updateTable('deleted_device')
    .set({ deleted_at: sql<Date>`now() - interval '25 hours'` })
    .where('tenant_id', '=', tenant.id)
    .execute()
  await run()
  expect(await keysWithSamples()).toEqual([keptKey])
  const left = await api.deps.database.kysely
    .selectFrom('deleted_device')
    .select('device_key')
    .where('tenant_id', '=', tenant.id)
    .execute()
  expect(left).toEqual([])
})
