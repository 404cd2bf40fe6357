import { randomUUID } from 'node:crypto'
import { DATA_PATHS, type DataType } from '../../../src/areas/insight/widgets/types.ts'
import { HOUR_MS, iso } from '../../../src/kernel/time.ts'
import type { ApiResponse, TestApi } from '../api.ts'
import { postSamples, type TestDevice, type TestSample } from '../metering/measurements.ts'
import { makeSubregion } from '../netting/netting.ts'
import type { TestTenant } from '../tenants.ts'

export interface MeterFields {
  readonly device_type?: string
  readonly reporting_interval_s?: number
  readonly offline_threshold_s?: number
}

/** A subregion of a tenant with a gateway for its devices. */
export interface DashboardFixture {
  readonly subregionId: string
  device(fields?: MeterFields): Promise<TestDevice>
  /** Creates a widget in the subregion and returns its id. */
  widget(widgetType: string, config?: object, more?: object): Promise<string>
  create(body: object): Promise<ApiResponse>
  data(id: string, path: string): Promise<ApiResponse>
  /** The data of a new widget. */
  dataOf(type: DataType, config?: object, query?: string): Promise<ApiResponse['body']>
  dashboard(query?: string): Promise<ApiResponse>
}

/** Created long before the current time of the test, so that all of its lifetime counts. */
const MADE = '2026-01-01T00:00:00Z'

export async function setUpDashboard(api: TestApi, tenant: TestTenant): Promise<DashboardFixture> {
  const { kysely } = api.deps.database
  const subregionId = await makeSubregion(api.deps, tenant)
  const gateway = await kysely
    .insertInto('gateway')
    .values({ tenant_id: tenant.id, name: randomUUID(), gateway_type: 'modbus', subregion_id: subregionId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const create = (body: object) => api.call('POST', '/api/widgets', { token: tenant.operator.token, body })
  const get = (path: string) => api.call('GET', path, { token: tenant.viewer.token })
  const data = (id: string, path: string) => get(`/api/widgets/${id}/data/${path}`)
  let deviceCount = 0
  const widget: DashboardFixture['widget'] = async (widget_type, config = {}, more = {}) => {
    const { status, text, body } = await create({
      subregion_id: subregionId,
      widget_type,
      title: widget_type,
      config,
      ...more,
    })
    if (status !== 201) throw new Error(text)
    return body.id
  }
  return {
    ...{ subregionId, create, widget, data },
    async dataOf(type, config = {}, query = '') {
      const { status, body, text } = await data(await widget(type, config), DATA_PATHS[type] + query)
      if (status !== 200) throw new Error(text)
      return body
    },
    device: (fields = {}) =>
      kysely
        .insertInto('device')
        .values({
          tenant_id: tenant.id,
          name: `meter ${String(++deviceCount).padStart(2, '0')}`,
          device_type: 'energy_analyzer',
          device_source: 'modbus',
          gateway_id: gateway.id,
          created_at: MADE,
          ...fields,
        })
        .returning(['id', 'key'])
        .executeTakeFirstOrThrow(),
    dashboard: (query = '') => get(`/api/subregions/${subregionId}/widgets/data${query}`),
  }
}

interface Flow {
  readonly from: string
  readonly to: string
  readonly kwhPerHour: number
}

/**
 * A register that grows evenly, read on every hour, both ends included; the reactive ones grow by a tenth of
 * it.
 */
export async function fillRegister(
  api: TestApi,
  tenant: TestTenant,
  device: TestDevice,
  { from, to, kwhPerHour }: Flow,
): Promise<void> {
  const samples: TestSample[] = []
  for (let at = Date.parse(from), hours = 0; at <= Date.parse(to); at += HOUR_MS, hours += 1) {
    const kwh = 1000 + hours * kwhPerHour
    samples.push({
      device_id: device.id,
      timestamp: iso(at),
      values: {
        import_active_energy: kwh,
        inductive_reactive_energy: kwh / 10,
        capacitive_reactive_energy: kwh / 20,
      },
    })
  }
  const { status, text } = await postSamples(api, tenant, samples)
  if (status !== 201) throw new Error(text)
}

/** The part of a dashboard's response with the data of a widget, as sent. */
export function rawData(text: string, widgetId: string): string {
  const start = text.indexOf('"data":', text.indexOf(`"widget_id":"${widgetId}"`)) + '"data":'.length
  const end = text.indexOf(',"error":', start)
  return text.slice(start, end)
}
