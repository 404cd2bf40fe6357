import { randomUUID } from 'node:crypto'
import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'

export interface TestDevice {
  readonly id: string
  readonly key: number
}

/** Inserts a device directly. */
export const createDevice = (
  api: TestApi,
  tenant: TestTenant,
  fields: { device_type?: string; reporting_interval_s?: number } = {},
): Promise<TestDevice> =>
  api.deps.database.kysely
    .insertInto('device')
    .values({
      tenant_id: tenant.id,
      name: `meter ${randomUUID()}`,
      device_type: 'energy_analyzer',
      device_source: 'manual',
      ...fields,
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow()

export interface TestSample {
  readonly device_id: string
  readonly timestamp: string
  readonly values: Readonly<Record<string, number>>
}

export const sample = (
  device: TestDevice,
  timestamp: string | number,
  values: TestSample['values'],
): TestSample => ({ device_id: device.id, timestamp: new Date(timestamp).toISOString(), values })

export const postSamples = (api: TestApi, tenant: TestTenant, samples: readonly TestSample[]) =>
  api.call('POST', '/api/measurements', { token: tenant.operator.token, body: { samples } })

export interface AggregatedTestRow {
  readonly timestamp: string
  readonly total_energy: number | null
  readonly is_estimated: boolean
  readonly [name: string]: unknown
}

/** The rows of the response; `path` is what follows /api/measurements. */
export async function readAggregated(
  api: TestApi,
  tenant: TestTenant,
  path: string,
): Promise<AggregatedTestRow[]> {
  const { status, body, text } = await api.call('GET', `/api/measurements${path}`, {
    token: tenant.viewer.token,
  })
  if (status !== 200) throw new Error(text)
  return body.data
}
