import { rm } from 'node:fs/promises'
import { rollUpDevice } from '../../../src/areas/metering/rollup/index.ts'
import { type ApiResponse, startApi, type TestApi } from '../api.ts'
import { makeDataFolder } from '../folder.ts'
import { createDevice, type TestDevice } from '../metering/measurements.ts'
import { createTenant, type TestTenant } from '../tenants.ts'
import { waitFor } from '../wait-for.ts'

export const EXPORT_START = Date.parse('2026-11-01T00:00:00+03:00')
/** A quarter of an hour each: four days. */
export const EXPORT_STEPS = 4 * 96
export const EXPORT_RANGE = { start: '2026-11-01T00:00:00+03:00', end: '2026-11-05T00:00:00+03:00' }
export const METER_NAME = 'Şube ölçümü İğdır ğüşıöç'

export interface ExportFixture {
  readonly api: TestApi
  readonly tenant: TestTenant
  readonly otherTenant: TestTenant
  readonly dataDir: string
  /** With values of a counter, a gauge and an extra metric every quarter of an hour. */
  readonly meter: TestDevice
  /** Counts what it produces. */
  readonly plant: TestDevice
  request(body: object, token?: string): Promise<ApiResponse>
  get(path: string, token?: string): Promise<ApiResponse>
  remove(id: string): Promise<ApiResponse>
  bytesOf(path: string, body?: object): Promise<{ bytes: Buffer; headers: Headers }>
  /** Waits until an export has a status and returns it; throws when it fails instead. */
  until(id: string, status: string): Promise<ApiResponse['body']>
  close(): Promise<void>
}

/** A tenant with four days of samples of a meter and a plant, and functions that call the export API. */
export async function setUpExports(name: string): Promise<ExportFixture> {
  const dataDir = await makeDataFolder(name)
  const api = await startApi({ now: '2026-11-05T12:00:00+03:00', config: { dataDir } })
  const [tenant, otherTenant] = [await createTenant(api), await createTenant(api)]
  const meter = await createDevice(api, tenant)
  const plant = await createDevice(api, tenant, { device_type: 'inverter' })
  const naming = api.deps.database.kysely.updateTable('device').set({ name: METER_NAME })
  await naming.where('id', '=', meter.id).execute()
  await api.deps.ingest.submit(tenant.id, samplesOf(meter, plant))
  await rollUpDevice(api.deps, { tenantId: tenant.id, deviceKey: meter.key })
  return {
    ...{ api, tenant, otherTenant, dataDir, meter, plant },
    ...callsOf(api, tenant, meter),
    async close() {
      await api.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const samplesOf = (meter: TestDevice, plant: TestDevice) =>
  Array.from({ length: EXPORT_STEPS + 1 }, (_, step) => EXPORT_START + step * 15 * 60_000).flatMap(
    (at, step) => [
      {
        deviceId: meter.id,
        at,
        values: {
          import_active_energy: 1_000 + step * 0.125,
          active_power: 0.5,
          voltage_l1: 231.5,
          oil_level: step,
        },
      },
      { deviceId: plant.id, at, values: { production_active_energy: 10 + step * 0.25 } },
    ],
  )

type Calls = Pick<ExportFixture, 'request' | 'get' | 'remove' | 'bytesOf' | 'until'>

function callsOf(api: TestApi, tenant: TestTenant, meter: TestDevice): Calls {
  const of = { device_ids: [meter.id], ...EXPORT_RANGE }
  const get: Calls['get'] = (path, token = tenant.viewer.token) =>
    api.call('GET', `/api/measurements/exports${path}`, { token })
  return {
    get,
    request: (body, token = tenant.operator.token) =>
      api.call('POST', '/api/measurements/export', { token, body: { ...of, format: 'csv', ...body } }),
    remove: (id) => api.call('DELETE', `/api/measurements/exports/${id}`, { token: tenant.operator.token }),
    async bytesOf(path, body) {
      const response = await fetch(`${api.url}/api/measurements${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${tenant.operator.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify({ ...of, ...body }) }),
      })
      if (response.status !== 200) throw new Error(await response.text())
      return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
    },
    async until(id, status) {
      let body: ApiResponse['body']
      await waitFor(async () => {
        body = (await get(`/${id}`)).body
        if (body.status === 'failed' && status !== 'failed') throw new Error(body.error)
        return body.status === status
      })
      return body
    },
  }
}
