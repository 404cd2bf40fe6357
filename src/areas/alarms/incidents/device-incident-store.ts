import { sql } from 'kysely'
import type { StoredIncident } from '../../../core/alarms/reconcile.ts'
import type { Message } from '../../../kernel/messages.ts'
import { iso } from '../../../kernel/time.ts'
import { type JsonColumns, toJson } from '../../../platform/db/json-columns.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { IncidentSummary } from './events.ts'
import { type AlarmPayload, reasonDetails } from './messages.ts'

/** The JSON text of a reason, for the details of an event. */
export const reasonJson = (reason: Message) =>
  toJson<JsonColumns['alarm_event.details']>(reasonDetails(reason))

/** A policy and a device, and the instant from which its incidents are read. */
export interface IncidentKey {
  readonly policyId: string
  readonly deviceId: string
  /** Epoch milliseconds: incidents that had ended by then are left out. */
  readonly since: number
}

export interface DeviceIncident extends StoredIncident {
  readonly policyId: string
  readonly deviceId: string
  readonly severity: string
  readonly message: string
}

/** The `cause` of a device's incident. */
const deviceCause = (deviceId: string): string => `device:${deviceId}`
export const pairKey = (policyId: string, deviceId: string): string => `${policyId} ${deviceId}`

const epochMs = (column: string) => sql.raw(`round(date_part('epoch', ${column}) * 1000)::float8`)
/** An instant as the API writes it, independent of the time zone of the connection; null stays null. */
const utcText = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const instantArray = (instants: readonly (number | null)[]) =>
  sql`${instants.map((at) => (at === null ? null : iso(at)))}::timestamptz[]`
const payloads = (list: readonly { readonly payload: AlarmPayload }[]) =>
  sql`${list.map(({ payload }) => toJson<JsonColumns['alarm_incident.payload']>(payload))}::text[]`

/**
 * Returns the incidents of each pair by `pairKey`, in ascending order. Withdrawn incidents, whose end equals
 * their start, are excluded.
 */
export async function readIncidents(
  { db, tenantId }: TenantTx,
  keys: readonly IncidentKey[],
): Promise<Map<string, DeviceIncident[]>> {
  const read = new Map<string, DeviceIncident[]>()
  if (keys.length === 0) return read
  const { rows } = await sql<DeviceIncident>`
    select i.id, k.policy_id as "policyId", k.device_id as "deviceId", ${epochMs('i.triggered_at')} as "from",
      ${epochMs('i.cleared_at')} as "to", i.status = 'closed' as "isClosed", i.severity, i.message,
      round(date_part('epoch', (i.payload ->> 'since')::timestamptz) * 1000)::float8 as since,
      (i.payload ->> 'peak')::float8 as peak
    from unnest(${keys.map(({ policyId }) => policyId)}::uuid[],
      ${keys.map(({ deviceId }) => deviceId)}::uuid[],
      ${instantArray(keys.map(({ since }) => since))}) as k (policy_id, device_id, since)
    cross join lateral (
      select * from alarm_incident
      where tenant_id = ${tenantId} and policy_id = k.policy_id and cause = 'device:' || k.device_id::text
        and (cleared_at is null or cleared_at > k.since and cleared_at > triggered_at)
      offset 0
    ) i order by i.triggered_at`.execute(db)
  for (const row of rows) {
    const key = pairKey(row.policyId, row.deviceId)
    const list = read.get(key) ?? []
    if (list.length === 0) read.set(key, list)
    list.push(row)
  }
  return read
}

/** An incident to open. With `to` it has already ended. Times are those of the samples. */
export interface Opening {
  readonly policyId: string
  readonly deviceId: string
  readonly severity: string
  readonly message: string
  readonly from: number
  readonly to: number | null
  readonly reason: Message
  readonly lastValue: string | null
  readonly payload: AlarmPayload
}

/**
 * Opens incidents with their events. An event has the time of writing; its details have the time of the
 * samples. An incident that another transaction has opened meanwhile is not changed. Returns the opened
 * incidents.
 */
export async function openDeviceIncidents(
  { db, tenantId }: TenantTx,
  openings: readonly Opening[],
  at: number,
): Promise<IncidentSummary[]> {
  if (openings.length === 0) return []
  const { rows } = await sql<IncidentSummary>`
    with opening as (
      select * from unnest(
        ${openings.map((opening) => opening.policyId)}::uuid[],
        ${openings.map((opening) => opening.deviceId)}::uuid[],
        ${openings.map((opening) => deviceCause(opening.deviceId))}::text[],
        ${openings.map((opening) => opening.severity)}::text[],
        ${openings.map((opening) => opening.message)}::text[],
        ${instantArray(openings.map((opening) => opening.from))},
        ${instantArray(openings.map((opening) => opening.to))},
        ${openings.map((opening) => reasonJson(opening.reason))}::text[],
        ${openings.map((opening) => opening.lastValue)}::numeric[],
        ${payloads(openings)})
        as o (policy_id, device_id, cause, severity, message, began, ended, reason, last_value, payload)
    ), opened as (
      insert into alarm_incident (tenant_id, policy_id, device_id, cause, severity, message, status, triggered_at,
        cleared_at, closed_at, last_value, payload)
      select ${tenantId}::int, policy_id, device_id, cause, severity, message,
        case when ended is null then 'active' else 'closed' end, began, ended, ended, last_value,
          payload::jsonb
      from opening
      on conflict (tenant_id, policy_id, cause) where status <> 'closed' do nothing
      returning id, policy_id, device_id, severity, message, triggered_at, cleared_at
    ), logged as (
      insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
      select ${tenantId}::int, id, event_type, ${iso(at)}::timestamptz, details from (
        select id, 1 as step, 'raised' as event_type,
          jsonb_build_object('severity', severity, 'message', message,
          'at', ${utcText('triggered_at')}, 'is_over', cleared_at is not null) as details
        from opened
        union all
        select o.id, 2, 'closed',
          opening.reason::jsonb || jsonb_build_object('at', ${utcText('o.cleared_at')})
        from opened o join opening on (opening.policy_id, opening.device_id, opening.began)
          = (o.policy_id, o.device_id, o.triggered_at)
        where o.cleared_at is not null
      ) event order by id, step
    )
    select id, policy_id as "policyId", device_id as "deviceId", severity, message from opened`.execute(db)
  return rows
}

/**
 * Joins the incidents `i` of rows with an id and locks them in the order of the rows, each by a lookup of its
 * key.
 */
const lockIncidents = (tenantId: number, rows: 'e' | 'a') => sql`lateral (
    select status, triggered_at, cleared_at from alarm_incident
    where tenant_id = ${tenantId} and id = ${sql.ref(`${rows}.id`)} for no key update
  ) i`

/**
 * The end of an incident's condition. For an incident that a user has already closed, only the end time is
 * stored.
 */
export interface Ending {
  readonly id: string
  readonly to: number
  /** The time of closing: `to`, or the present for an incident that is withdrawn. */
  readonly closedAt: number
  readonly reason: Message
  readonly lastValue: string | null
  /** Added to the payload. */
  readonly payload: AlarmPayload
}

export async function endDeviceIncidents(
  { db, tenantId }: TenantTx,
  endings: readonly Ending[],
  at: number,
): Promise<void> {
  if (endings.length === 0) return
  await sql`
    with ending as (
      select * from unnest(${endings.map(({ id }) => id)}::uuid[],
        ${instantArray(endings.map(({ to }) => to))},
        ${instantArray(endings.map(({ closedAt }) => closedAt))},
        ${endings.map(({ reason }) => reasonJson(reason))}::text[],
        ${endings.map(({ lastValue }) => lastValue)}::numeric[],
        ${payloads(endings)})
        as e (id, ended, closed_at, reason, last_value, payload)
    ), before as (
      select i.status, e.*
      from (select * from ending order by id) e cross join ${lockIncidents(tenantId, 'e')}
    ), ended as (
      update alarm_incident i set cleared_at = b.ended, status = 'closed',
        closed_at = coalesce(i.closed_at, b.closed_at), snoozed_until = null,
        last_value = coalesce(b.last_value, i.last_value), payload = i.payload || b.payload::jsonb
      from before b where (i.tenant_id, i.id) = (${tenantId}, b.id)
      returning i.id, b.reason, b.ended, b.status as status_before
    )
    insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
    select ${tenantId}::int, e.id, 'closed', ${iso(at)}::timestamptz,
      e.reason::jsonb || jsonb_build_object('at', ${utcText('e.ended')})
    from ended e where status_before <> 'closed'`.execute(db)
}

export interface Amendment {
  readonly id: string
  readonly from: number
  readonly to: number | null
  /** Null leaves it unchanged, like `lastValue`. */
  readonly message: string | null
  readonly lastValue: string | null
  /** Merged into the payload, and into the details of the event. */
  readonly payload: AlarmPayload
  /** Part of the event's details. */
  readonly reason: Message | null
}

/** The details of an amendment, to which the statement adds the times. */
const detailsOf = ({ payload, reason }: Amendment) =>
  toJson<JsonColumns['alarm_event.details']>({ ...payload, ...(reason && reasonDetails(reason)) })

/** Corrects incidents by late samples; the event has the times before and after. */
export async function amendDeviceIncidents(
  { db, tenantId }: TenantTx,
  amendments: readonly Amendment[],
  at: number,
): Promise<void> {
  if (amendments.length === 0) return
  await sql`
    with amendment as (
      select * from unnest(${amendments.map(({ id }) => id)}::uuid[],
        ${instantArray(amendments.map(({ from }) => from))},
        ${instantArray(amendments.map(({ to }) => to))}, ${amendments.map(({ message }) => message)}::text[],
        ${amendments.map(({ lastValue }) => lastValue)}::numeric[],
        ${payloads(amendments)}, ${amendments.map(detailsOf)}::text[])
        as a (id, began, ended, message, last_value, payload, details)
    ), before as (
      select i.triggered_at, i.cleared_at, a.*
      from (select * from amendment order by id) a cross join ${lockIncidents(tenantId, 'a')}
    ), amended as (
      update alarm_incident i set triggered_at = b.began, cleared_at = b.ended,
        closed_at = case when i.closed_at = i.cleared_at then b.ended else i.closed_at end,
        message = coalesce(b.message, i.message), last_value = coalesce(b.last_value, i.last_value),
        payload = i.payload || b.payload::jsonb
      from before b where (i.tenant_id, i.id) = (${tenantId}, b.id)
      returning i.id, b.began, b.ended, b.details, b.triggered_at as began_before,
        b.cleared_at as ended_before
    )
    insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
    select ${tenantId}::int, id, 'amended', ${iso(at)}::timestamptz, details::jsonb || jsonb_build_object(
      'from', ${utcText('began')}, 'to', ${utcText('ended')}, 'from_before', ${utcText('began_before')},
      'to_before', ${utcText('ended_before')})
    from amended`.execute(db)
}

/**
 * Closes the open incidents of a policy that was changed or deleted. Returns the closed incidents, which the
 * caller publishes.
 */
export async function closePolicyIncidents(
  { db, tenantId }: TenantTx,
  policyId: string,
  { reason, at }: { readonly reason: Message; readonly at: number },
): Promise<IncidentSummary[]> {
  const { rows } = await sql<IncidentSummary>`
    with before as (
      select id, status from alarm_incident where tenant_id = ${tenantId} and policy_id = ${policyId}
        and cleared_at is null order by id for no key update
    ), closed as (
      update alarm_incident i set status = 'closed',
        closed_at = coalesce(i.closed_at, ${iso(at)}::timestamptz),
        cleared_at = ${iso(at)}::timestamptz, snoozed_until = null
      from before b where i.tenant_id = ${tenantId} and i.id = b.id
      returning i.id, i.device_id, i.severity, i.message, b.status as status_before
    ), logged as (
      insert into alarm_event (tenant_id, incident_id, event_type, occurred_at, details)
      select ${tenantId}::int, id, 'closed', ${iso(at)}::timestamptz,
        ${reasonJson(reason)}::jsonb
      from closed where status_before <> 'closed'
    )
    select id, ${policyId}::text as "policyId", device_id as "deviceId", severity, message
    from closed where status_before <> 'closed' order by id`.execute(db)
  return rows
}
