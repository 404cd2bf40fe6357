import { sql } from 'kysely'
import { contentFields, type Message, textOf } from '../../../../kernel/messages.ts'
import { type JsonColumns, toJson } from '../../../../platform/db/json-columns.ts'
import { lockResource } from '../../../../platform/db/locks.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { MAILED_POLICIES } from '../../system-alarms/index.ts'
import { startEscalations } from '../escalation/start-store.ts'

/** Types of events that notify users; actions of users are excluded. Webhooks receive all events. */
const FOR_PEOPLE = ['raised', 'severity_changed', 'woken', 'closed']

/** Lowest severity for users with manage:alarm and without settings; others without settings get no mail. */
export const DEFAULT_MIN_SEVERITY = 'warning'
export const DEFAULT_LANGUAGE = 'tr'

/**
 * Every writer of notifications holds this lock of the tenant, so that sequence numbers grow with the
 * commits.
 */
export const lockNotifications = (tx: TenantTx) => lockResource(tx, `notifications of tenant ${tx.tenantId}`)

export interface CreatedNotifications {
  /** Number of processed events; less than the limit when no more are pending. */
  readonly processed: number
  /** The first written sequence number minus one; null when none was written. */
  readonly before: string | null
  readonly byEmail: boolean
  readonly byWebhook: boolean
  readonly byChannel: boolean
}

/** Sets a planner option until the end of the transaction. */
const setNestedLoops = ({ db }: TenantTx, value: 'on' | 'off') =>
  sql`select set_config('enable_nestloop', ${value}, true)`.execute(db)

/**
 * Turns the next pending events of a tenant into notifications, as their policies require. The caller holds
 * lockNotifications(). Until the next ANALYZE the planner expects few rows of a young tenant and would choose
 * a nested loop over events and incidents, which is quadratic; without nested loops it uses a hash join.
 */
export async function createNotifications(
  tx: TenantTx,
  limit: number,
  now: Date,
): Promise<CreatedNotifications> {
  await setNestedLoops(tx, 'off')
  const created = await writeNotifications(tx, limit, now)
  await setNestedLoops(tx, 'on')
  return created
}

async function writeNotifications(
  { db, tenantId }: TenantTx,
  limit: number,
  now: Date,
): Promise<CreatedNotifications> {
  const { rows } = await sql<CreatedNotifications>`
    with fresh as (
      select id, seq, incident_id, event_type, occurred_at, by_user, details from alarm_event
      where tenant_id = ${tenantId} and not is_notified order by seq limit ${limit}),
    marked as (
      update alarm_event e set is_notified = true from fresh
      where e.tenant_id = ${tenantId} and e.id = fresh.id returning e.id),
    classified as (
      select fresh.*, i.device_id, coalesce((fresh.details ->> 'at')::timestamptz, fresh.occurred_at) as
        happened_at, p.name as title, p.escalation_policy_id,
        p.notify || case when p.is_system and p.name = any (${MAILED_POLICIES}) then array['email'] else '{}' end
          as notify,
        not p.is_system and i.status = 'active' and fresh.event_type in ('raised', 'woken')
          and coalesce(fresh.details ->> 'is_over', '') <> 'true' as escalates,
        coalesce(fresh.details ->> 'severity', i.severity) as severity,
        coalesce(fresh.details ->> 'message', i.message) as message,
        fresh.event_type = any (${FOR_PEOPLE})
          and not (fresh.event_type = 'severity_changed' and i.status = 'snoozed') as for_people
      from fresh
      join alarm_incident i on i.tenant_id = ${tenantId} and i.id = fresh.incident_id
      join alarm_policy p on p.tenant_id = ${tenantId} and p.id = i.policy_id),
    ${startEscalations(tenantId, now)},
    created as (
      insert into notification (tenant_id, event_id, incident_id, device_id, event_type, severity, title,
        message,
        by_user, details, occurred_at, created_at, in_app, by_email, by_webhook, by_channel)
      select ${tenantId}::int, id, incident_id, device_id, event_type, severity, title, message, by_user,
        details,
        happened_at, ${now}::timestamptz, for_people and 'in_app' = any (notify),
        for_people and 'email' = any (notify), 'webhook' = any (notify),
        for_people and 'channel' = any (notify)
      from classified
      where for_people and notify && array['in_app', 'email', 'channel'] or 'webhook' = any (notify)
      order by seq
      returning seq, by_email, by_webhook, by_channel)
    select (select count(*)::int from marked) as processed, (min(seq) - 1)::text as before,
      coalesce(bool_or(by_email), false) as "byEmail", coalesce(bool_or(by_webhook), false) as "byWebhook",
      coalesce(bool_or(by_channel), false) as "byChannel"
    from created`.execute(db)
  return rows[0] ?? { processed: 0, before: null, byEmail: false, byWebhook: false, byChannel: false }
}

export interface ServiceNotification {
  readonly type: 'webhook_disabled' | 'channel_disabled'
  readonly title: string
  readonly content: Message
  readonly at: Date
}

/**
 * Adds a notification of the service about its own delivery. The caller holds the lock of the tenant. Returns
 * the value of `CreatedNotifications.before`.
 */
export async function addServiceNotification(
  { db, tenantId }: TenantTx,
  note: ServiceNotification,
): Promise<string> {
  const { seq } = await db
    .insertInto('notification')
    .values({
      tenant_id: tenantId,
      event_type: note.type,
      severity: 'critical',
      title: note.title,
      message: textOf(note.content),
      details: toJson<JsonColumns['notification.details']>(contentFields(note.content)),
      occurred_at: note.at,
      created_at: note.at,
      in_app: true,
      by_email: true,
      by_webhook: false,
    })
    .returning('seq')
    .executeTakeFirstOrThrow()
  return String(BigInt(seq) - 1n)
}

/** Users who may see alarms, with their settings: `wants` has the default of users who manage alarms. */
export const recipients = (tenantId: number) => sql`
  select u.tenant_id, u.id, u.email, u.is_email_verified, coalesce(p.email_enabled, rights.manages) as wants,
    coalesce(p.email_min_severity, ${DEFAULT_MIN_SEVERITY}) as min_severity,
    p.quiet_from, p.quiet_to, coalesce(p.language, u.language, ${DEFAULT_LANGUAGE}) as language
  from app_user u
  cross join lateral (
    select coalesce(bool_or('read:alarm' = any (r.permissions)), false) as reads,
      coalesce(bool_or('manage:alarm' = any (r.permissions)), false) as manages
    from user_role ur join role r on (r.tenant_id, r.id) = (ur.tenant_id, ur.role_id)
    where (ur.tenant_id, ur.user_id) = (${tenantId}, u.id)) as rights
  left join notification_preference p on (p.tenant_id, p.user_id) = (u.tenant_id, u.id)
  where u.tenant_id = ${tenantId} and u.is_active and rights.reads`

/**
 * Schedules a delivery at `due` for every user who wants mail and has none scheduled. The cursor of a new
 * user starts at `before`.
 */
export async function scheduleMails({ db, tenantId }: TenantTx, before: string, due: Date): Promise<void> {
  await sql`
    insert into notification_cursor as o (tenant_id, user_id, done_through, due_at)
    select tenant_id, id, ${before}::bigint, ${due}::timestamptz
    from (${recipients(tenantId)}) as recipient where wants
    order by id
    on conflict (tenant_id, user_id) where user_id is not null
      do update set due_at = coalesce(o.due_at, excluded.due_at)`.execute(db)
}

/**
 * Schedules a delivery at `due` for all webhooks. All cursors are locked first, including those with a
 * delivery in flight: a concurrent sender that finds no more notifications must either commit before, or see
 * the new ones.
 */
export async function scheduleWebhooks({ db, tenantId }: TenantTx, due: Date): Promise<void> {
  await sql`
    select id from notification_cursor where tenant_id = ${tenantId} and webhook_id is not null
    order by id for update`.execute(db)
  await sql`
    update notification_cursor o set due_at = ${due}
    from notification_webhook w
    where o.tenant_id = ${tenantId} and o.due_at is null
      and (w.tenant_id, w.id) = (o.tenant_id, o.webhook_id) and w.is_active`.execute(db)
}

/** Schedules a delivery at `due` for all channels, with the locks of scheduleWebhooks(). */
export async function scheduleChannels({ db, tenantId }: TenantTx, due: Date): Promise<void> {
  await sql`
    select id from notification_cursor where tenant_id = ${tenantId} and channel_id is not null
    order by id for update`.execute(db)
  await sql`
    update notification_cursor o set due_at = ${due}
    from notification_channel c
    where o.tenant_id = ${tenantId} and o.due_at is null
      and (c.tenant_id, c.id) = (o.tenant_id, o.channel_id) and c.is_active`.execute(db)
}

export interface Recipient {
  readonly id: string
  readonly email: string
  readonly is_email_verified: boolean
  readonly wants: boolean
  readonly min_severity: string
  readonly quiet_from: string | null
  readonly quiet_to: string | null
  readonly language: 'tr' | 'en'
}

/** Returns the current settings of a recipient; undefined when the user may not, or no longer, see alarms. */
export async function findRecipient(
  { db, tenantId }: TenantDb,
  userId: string,
): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select id, email, is_email_verified, wants, min_severity, quiet_from, quiet_to, language
    from (${recipients(tenantId)}) as recipient where id = ${userId}`.execute(db)
  return rows[0]
}
