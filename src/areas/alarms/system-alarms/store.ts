import { sql } from 'kysely'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { updateRows } from '../../../platform/db/tenant-rows.ts'
import { reasonDetails } from '../incidents/index.ts'
import type { Clear, OpenIncident, Raise, Update } from './plan.ts'
import { SYSTEM_POLICIES } from './system-policies.ts'

type Policies = typeof SYSTEM_POLICIES

function rowsOf(policies: Policies) {
  const column = (name: 'name' | 'alarmType' | 'severity') =>
    sql`${policies.map((policy) => policy[name])}::text[]`
  return sql`unnest(${column('name')}, ${column('alarmType')}, ${column('severity')})
  as system (name, alarm_type, severity)`
}

/** Creates the system policies that a tenant lacks. */
export const createSystemPolicies = ({ db, tenantId }: TenantTx, policies: Policies = SYSTEM_POLICIES) =>
  sql`insert into alarm_policy (tenant_id, name, alarm_type, severity, is_system)
    select ${tenantId}::int, name, alarm_type, severity, true from ${rowsOf(policies)}
    on conflict (tenant_id, name) where is_system do nothing`.execute(db)

/** Creates or updates the system policies of all tenants; called at every start of the service. */
export const ensureSystemPolicies = ({ db }: SystemDb) =>
  sql`insert into alarm_policy as old (tenant_id, name, alarm_type, severity, is_system)
    select tenant.id, system.name, system.alarm_type, system.severity, true
    from tenant cross join ${rowsOf(SYSTEM_POLICIES)}
    order by tenant.id, system.name
    on conflict (tenant_id, name) where is_system do update
      set alarm_type = excluded.alarm_type, severity = excluded.severity
      where (old.alarm_type, old.severity) <> (excluded.alarm_type, excluded.severity)`.execute(db)

type Key = Pick<Clear, 'policy' | 'cause'>

/**
 * Returns the open incidents of policies and causes. With `lock` they are locked until the end of the
 * transaction, ordered by id.
 */
export async function readOpen(
  { db, tenantId }: TenantDb,
  keys: readonly Key[],
  lock: 'lock' | 'no lock',
): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    select i.id, p.name as policy, p.severity as "policySeverity", i.cause, i.severity, i.message,
      i.last_value as "lastValue", i.payload
    from alarm_incident i
    join alarm_policy p on (p.tenant_id, p.id) = (i.tenant_id, i.policy_id)
    join unnest(${keys.map((key) => key.policy)}::text[], ${keys.map((key) => key.cause)}::text[])
      as wanted (policy, cause) on wanted.policy = p.name and wanted.cause = i.cause
    where i.tenant_id = ${tenantId} and i.status <> 'closed' and p.is_system
    order by i.id ${lock === 'lock' ? sql`for no key update of i` : sql``}`.execute(db)
  return rows
}

const payloads = (list: readonly Raise[]) =>
  sql`${list.map(({ payload }) => toJson<JsonColumns['alarm_incident.payload']>(payload))}::text[]`

/**
 * Opens incidents with their first event. The unique index prevents a second open incident of the same cause.
 */
export async function openIncidents(
  { db, tenantId }: TenantTx,
  raises: readonly Raise[],
  at: number,
): Promise<void> {
  if (raises.length === 0) return
  await sql`
    with opened as (
      insert into alarm_incident (tenant_id, policy_id, cause, severity, message, triggered_at, last_value,
        payload)
      select ${tenantId}::int, p.id, raised.cause, coalesce(raised.severity, p.severity), raised.message,
        ${new Date(at)}::timestamptz, raised.last_value, raised.payload::jsonb
      from unnest(
        ${raises.map((raise) => raise.policy)}::text[], ${raises.map((raise) => raise.cause)}::text[],
        ${raises.map((raise) => raise.severity ?? null)}::text[],
          ${raises.map((raise) => raise.message)}::text[],
        ${raises.map((raise) => raise.lastValue ?? null)}::numeric[], ${payloads(raises)})
        as raised (policy, cause, severity, message, last_value, payload)
      join alarm_policy p on p.tenant_id = ${tenantId} and p.is_system and p.name = raised.policy
      on conflict (tenant_id, policy_id, cause) where status <> 'closed' do nothing
      returning id, severity, message, payload)
    insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
    select ${tenantId}::int, id, 'raised', ${new Date(at)}::timestamptz,
      jsonb_build_object('severity', severity, 'message', message,
        'message_code', payload -> 'message_code', 'message_parameters', payload -> 'message_parameters')
    from opened`.execute(db)
}

/** Updates locked incidents. Only a change of severity writes an event. */
export async function updateIncidents(
  { db, tenantId }: TenantTx,
  updates: readonly Update[],
  at: number,
): Promise<void> {
  if (updates.length === 0) return
  await sql`
    update alarm_incident i set severity = changed.severity, message = changed.message,
      last_value = changed.last_value, payload = changed.payload::jsonb
    from unnest(
      ${updates.map((update) => update.id)}::uuid[], ${updates.map((update) => update.severity)}::text[],
      ${updates.map((update) => update.message)}::text[],
      ${updates.map((update) => update.lastValue ?? null)}::numeric[], ${payloads(updates)})
      as changed (id, severity, message, last_value, payload)
    where i.tenant_id = ${tenantId} and i.id = changed.id`.execute(db)
  const changed = updates.filter(({ severity, severityBefore }) => severity !== severityBefore)
  await appendEvents({ db, tenantId }, changed, {
    at,
    type: 'severity_changed',
    details: ({ severity, severityBefore }) => ({ severity, severity_before: severityBefore }),
  })
}

/** Closes locked incidents whose condition no longer holds. */
export async function closeIncidents(
  tx: TenantTx,
  closes: readonly (Pick<Clear, 'reason'> & { readonly id: string })[],
  at: number,
): Promise<void> {
  if (closes.length === 0) return
  await updateRows(tx, 'alarm_incident')
    .set({ status: 'closed', closed_at: new Date(at) })
    .where(
      'id',
      'in',
      closes.map(({ id }) => id),
    )
    .execute()
  const details = ({ reason }: Pick<Clear, 'reason'>) => reasonDetails(reason)
  await appendEvents(tx, closes, { at, type: 'closed', details })
}

interface EventOf<T> {
  readonly at: number
  readonly type: 'severity_changed' | 'closed'
  readonly details: (incident: T) => JsonColumns['alarm_event.details']
}

/** Appends events without a user to the trail. */
async function appendEvents<T extends { readonly id: string }>(
  { db, tenantId }: TenantTx,
  incidents: readonly T[],
  { at, type, details }: EventOf<T>,
): Promise<void> {
  if (incidents.length === 0) return
  const values = incidents.map((incident) => ({
    tenant_id: tenantId,
    incident_id: incident.id,
    event_type: type,
    occurred_at: new Date(at),
    details: toJson(details(incident)),
  }))
  await db.insertInto('alarm_event').values(values).execute()
}

/** Locks the open incidents of a subject: their cause is the subject, or begins with it and a bar. */
export async function lockOpenOf({ db, tenantId }: TenantTx, subject: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from alarm_incident where tenant_id = ${tenantId} and status <> 'closed'
      and (cause = ${subject} or starts_with(cause, ${`${subject}|`}))
    order by id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}
