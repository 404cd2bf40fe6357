import { afterAll, beforeAll, expect, it } from 'vitest'
import { rollUpMarkedDevices, rollUpSettledHours } from '../../../src/areas/metering/rollup/index.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createDevice, postSamples, sample, type TestDevice } from '../../support/metering/measurements.ts'
import { createTenant } from '../../support/tenants.ts'

let api: TestApi
const devices: TestDevice[] = []
beforeAll(async () => {
  api = await startApi()
  for (const tenant of [await createTenant(api), await createTenant(api)]) {
    const device = await createDevice(api, tenant)
    const samples = [1, 2].map((hour) => sample(device, api.clock.now() - hour * 3_600_000, { voltage: 230 }))
    expect((await postSamples(api, tenant, samples)).status).toBe(201)
    devices.push(device)
  }
})
afterAll(() => api.close())

const rolled = async () => {
  const { rows } = await api.deps.database.pool.query<{ device_key: number }>(
    'select distinct device_key from measurement_hour order by 1',
  )
  return rows.map(({ device_key }) => device_key)
}

it('rolls up the other devices when one fails, names it, and repeats it later', async () => {
  const [broken, sound] = devices.map(({ key }) => key)
  const { pool } = api.deps.database
  await pool.query(
    `alter table measurement_hour add constraint broken check (device_key <> ${broken}) not valid`,
  )
  await expect(rollUpMarkedDevices(api.deps)).rejects.toThrow(
    `1 of the devices could not be rolled up, first the one with key ${broken}`,
  )
  expect(await rolled()).toEqual([sound])
  await expect(rollUpSettledHours(api.deps, api.clock.now())).rejects.toThrow(`key ${broken}`)
  await pool.query('alter table measurement_hour drop constraint broken')
  expect(await rollUpMarkedDevices(api.deps)).toBe(1)
  expect(await rolled()).toEqual([broken, sound])
})
