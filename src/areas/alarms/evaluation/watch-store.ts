import { sql } from 'kysely'
import type { Message } from '../../../kernel/messages.ts'
import { iso } from '../../../kernel/time.ts'
import type { SystemDb, TenantTx } from '../../../platform/db/tenant.ts'
import { subregionWithJoinedGateway } from '../../metering/device-lookup/index.ts'
import { type IncidentSummary, reasonJson } from '../incidents/index.ts'

/** Returns the active tenants with watched devices. */
export async function watchedTenants({ db }: SystemDb): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select distinct w.tenant_id as id from sample_watch w join tenant t on t.id = w.tenant_id and t.is_active`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns the active tenants with marks. */
export async function markedTenants({ db }: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct b.tenant_id as id from unevaluated_batch b
    join tenant t on t.id = b.tenant_id and t.is_active order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the active policies whose evaluation began in [from, to). */
export async function newPolicies(
  { db }: SystemDb,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ tenantId: number; id: string; watchedFrom: number }[]> {
  const { rows } = await sql<{ tenantId: number; id: string; watchedFrom: number }>`
    select tenant_id as "tenantId", id,
      round(date_part('epoch', watched_from) * 1000)::float8 as "watchedFrom"
    from alarm_policy where not is_system and deleted_at is null and is_active
      and watched_from >= ${iso(from)}::timestamptz and watched_from < ${iso(to)}::timestamptz
    order by tenant_id, id`.execute(db)
  return rows
}

interface LeftDevice {
  readonly policyId: string
  readonly deviceId: string
}

/** Deletes the states of devices that have left the subregion of a policy. */
async function deleteOutOfScope({ db, tenantId }: TenantTx, at: number): Promise<LeftDevice[]> {
  const { rows } = await sql<{ policy_id: string; device_key: number }>`
    delete from alarm_state s using alarm_policy p
    where s.tenant_id = ${tenantId} and (p.tenant_id, p.id) = (s.tenant_id, s.policy_id)
      and p.subregion_id is not null
      and not exists (
        select 1 from device d
        left join gateway g on g.tenant_id = d.tenant_id
          and g.id = coalesce(d.gateway_id, d.mqtt_gateway_id)
        where d.tenant_id = ${tenantId} and d.key = s.device_key
          and ${subregionWithJoinedGateway(tenantId, new Date(at))} = p.subregion_id)
    returning s.policy_id, s.device_key`.execute(db)
  if (rows.length === 0) return []
  const keys = [...new Set(rows.map(({ device_key }) => device_key))]
  const devices = await db
    .selectFrom('device')
    .select(['id', 'key'])
    .where('tenant_id', '=', tenantId)
    .where('key', 'in', keys)
    .execute()
  const idOf = new Map(devices.map(({ id, key }) => [key, id]))
  return rows.flatMap(({ policy_id: policyId, device_key }) => {
    const deviceId = idOf.get(device_key)
    return deviceId === undefined ? [] : [{ policyId, deviceId }]
  })
}

/**
 * Deletes the states of devices that have left the subregion of a policy and closes their open incidents.
 * Their samples are no longer evaluated for that policy, and a device that returns starts without a state.
 * Returns the incidents that were closed.
 */
export async function closeOutOfScope(
  tx: TenantTx,
  { reason, at }: { readonly reason: Message; readonly at: number },
): Promise<IncidentSummary[]> {
  const { db, tenantId } = tx
  const left = await deleteOutOfScope(tx, at)
  if (left.length === 0) return []
  const causes = left.map(({ deviceId }) => `device:${deviceId}`)
  // The level that locks has one table: Citus 13.2 cannot read what a query of WITH returns that locks one of several.
  const { rows } = await sql<IncidentSummary>`
    with before as (
      select id, status from alarm_incident where tenant_id = ${tenantId} and cleared_at is null
        and policy_id = any(${left.map(({ policyId }) => policyId)}::uuid[]) and cause = any(${causes}::text[])
        and policy_id::text || cause = any(${left.map(({ policyId }, index) => policyId + causes[index])}::text[])
      order by id for no key update
    ), closed as (
      update alarm_incident i set status = 'closed',
        closed_at = coalesce(i.closed_at, ${iso(at)}::timestamptz),
        cleared_at = ${iso(at)}::timestamptz, snoozed_until = null
      from before b where i.tenant_id = ${tenantId} and i.id = b.id
      returning i.id, i.policy_id, i.device_id, i.severity, i.message, b.status as status_before
    ), logged as (
      insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
      select ${tenantId}::int, id, 'closed', ${iso(at)}::timestamptz,
        ${reasonJson(reason)}::jsonb
      from closed where status_before <> 'closed'
    )
    select id, policy_id as "policyId", device_id as "deviceId", severity, message
    from closed where status_before <> 'closed'`.execute(db)
  return rows
}
