import { startLiveEvaluation } from '../../../src/areas/alarms/evaluation/index.ts'
import type { TestApi } from '../api.ts'
import type { TestDevice } from '../metering/measurements.ts'
import type { TestTenant } from '../tenants.ts'

/** A policy of active power above 10 kW, clear at 8, unless given otherwise. */
export async function createPolicy(
  api: TestApi,
  tenant: TestTenant,
  body: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const level = { metric: 'active_power', operator: 'gt', threshold: 10, clear_threshold: 8 }
  const isLevel = (body['alarm_type'] ?? 'threshold') === 'threshold'
  const response = await api.call('POST', '/api/alarms', {
    token: tenant.operator.token,
    body: { name: 'power', alarm_type: 'threshold', severity: 'warning', ...(isLevel && level), ...body },
  })
  if (response.status !== 201) throw new Error(response.text)
  return response.body.id
}

/** Starts live evaluation; `send` resolves when the samples are evaluated. */
export function startEvaluation(
  api: TestApi,
  suppressor?: Parameters<typeof startLiveEvaluation>[0]['suppressor'],
) {
  const evaluator = startLiveEvaluation({ ...api.deps, suppressor })
  return {
    /** `[seconds after the base, values]`. */
    async send(
      tenant: TestTenant,
      device: TestDevice,
      samples: readonly (readonly [at: number, power: number | Readonly<Record<string, number>>])[],
    ): Promise<void> {
      const response = await api.deps.ingest.submit(
        tenant.id,
        samples.map(([at, power]) => ({
          deviceId: device.id,
          at,
          values: typeof power === 'number' ? { active_power: power } : power,
        })),
      )
      if (response.setAside.length > 0) throw new Error(JSON.stringify(response))
      await evaluator.settle()
    },
    settle: () => evaluator.settle(),
    stop: () => evaluator.stop(),
  }
}

export interface DeviceIncidentRow {
  readonly id: string
  readonly status: string
  readonly severity: string
  readonly message: string
  readonly last_value: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly triggered_at: Date
  readonly cleared_at: Date | null
  readonly closed_at: Date | null
}

/** Ordered by the time of their samples, including withdrawn ones. */
export async function deviceIncidents(
  { deps }: TestApi,
  tenant: TestTenant,
  { policy, device }: { readonly policy?: string; readonly device?: TestDevice },
): Promise<DeviceIncidentRow[]> {
  const { rows } = await deps.database.pool.query(
    `select id, status, severity, message, last_value, payload, triggered_at, cleared_at, closed_at
     from alarm_incident where tenant_id = $1 and device_id is not null
       and ($2::uuid is null or policy_id = $2) and ($3::uuid is null or device_id = $3)
     order by triggered_at, id`,
    [tenant.id, policy ?? null, device?.id ?? null],
  )
  return rows
}
