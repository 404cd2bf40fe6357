import { randomBytes } from 'node:crypto'
import type { ApiResponse, TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'

const BASE = '/api/osos'

export interface TestInstallation {
  readonly id: string
  readonly installation_no: string
}

/** An installation, created over HTTP. */
export async function makeInstallation(
  api: TestApi,
  tenant: TestTenant,
  body: Record<string, unknown> = {},
): Promise<TestInstallation> {
  const response = await api.call('POST', `${BASE}/installations`, {
    token: tenant.admin.token,
    body: { installation_no: randomBytes(5).toString('hex'), ...body },
  })
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}

/** A reading of an hour by its end: [timestamp, import, export]. */
export type SentReading = readonly [timestamp: string, imported?: unknown, exported?: unknown]

export const postReadings = (
  api: TestApi,
  tenant: TestTenant,
  { id, readings, ...rest }: { id: string; readings: readonly SentReading[]; [key: string]: unknown },
): Promise<ApiResponse> =>
  api.call('POST', `${BASE}/installations/${id}/readings`, {
    token: tenant.admin.token,
    body: {
      label: 'hour_ending',
      multiplied: true,
      readings: readings.map(([timestamp, import_kwh, export_kwh]) => ({
        timestamp,
        import_kwh,
        export_kwh,
      })),
      ...rest,
    },
  })

/** A file for one installation, or without `id` for many. */
export function importFile(
  api: TestApi,
  tenant: TestTenant,
  { id, file, ...fields }: { id?: string; file: string | Buffer; label?: string; multiplied?: string },
): Promise<ApiResponse> {
  const form = new FormData()
  const { label = 'hour_ending', multiplied = 'true' } = fields
  form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), 'readings')
  form.append('label', label)
  form.append('multiplied', multiplied)
  const path = id === undefined ? 'readings/import' : `installations/${id}/readings/import`
  return api.call('POST', `${BASE}/${path}`, { token: tenant.admin.token, body: form })
}

/** An import of meter data with the given fields of the form. */
export function importMeterData(
  api: TestApi,
  tenant: TestTenant,
  {
    file,
    token = tenant.admin.token,
    ...fields
  }: { file: string | Buffer; token?: string; [field: string]: string | Buffer },
): Promise<ApiResponse> {
  const form = new FormData()
  form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), 'meter-data')
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  return api.call('POST', '/api/mahsuplasma/meter-data/import', { token: String(token), body: form })
}
