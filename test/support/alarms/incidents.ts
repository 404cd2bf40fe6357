import { randomUUID } from 'node:crypto'
import type { TestApi } from '../api.ts'
import type { TestTenant } from '../tenants.ts'

export interface PolicySpec {
  readonly severity?: string
  readonly notify?: readonly string[]
  readonly name?: string
}

/** A policy of the tenant, inserted directly, because these tests are about its incidents. */
export async function makePolicy(
  { deps }: Pick<TestApi, 'deps'>,
  tenant: Pick<TestTenant, 'id'>,
  { severity = 'critical', notify = ['in_app'], name = `policy ${randomUUID()}` }: PolicySpec = {},
): Promise<string> {
  const { rows } = await deps.database.pool.query<{ id: string }>(
    `insert into alarm_policy (tenant_id, name, alarm_type, severity, notify)
     values ($1, $2, 'threshold', $3, $4) returning id`,
    [tenant.id, name, severity, notify],
  )
  return rows[0]?.id ?? ''
}

export interface IncidentSpec {
  readonly count?: number
  readonly deviceId?: string
  readonly message?: string
  readonly severity?: string
  readonly at?: number
}

/** Opens incidents of a policy with their first events in one transaction; returns their ids. */
export async function openIncidents(
  { deps }: Pick<TestApi, 'deps'>,
  tenant: Pick<TestTenant, 'id'>,
  policyId: string,
  spec: IncidentSpec = {},
): Promise<string[]> {
  const { count = 1, deviceId = null, message = 'too hot', severity = 'critical' } = spec
  const at = new Date(spec.at ?? deps.clock.now())
  const { rows } = await deps.database.pool.query<{ id: string }>(
    `with opened as (
       insert into alarm_incident (tenant_id, policy_id, device_id, cause, severity, message, triggered_at, last_value)
       select $1, $2, $3, 'test:' || gen_random_uuid(), $4, $5 || case when $7 > 1 then ' ' || n else '' end, $6, 85.2
       from generate_series(1, $7::int) as n returning tenant_id, id, message)
     insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
     select tenant_id, id, 'raised', $6, jsonb_build_object('severity', $4::text, 'message', message) from opened
     returning incident_id as id`,
    [tenant.id, policyId, deviceId, severity, message, at, count],
  )
  return rows.map(({ id }) => id)
}
