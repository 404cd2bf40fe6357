import { sql } from 'kysely'
import type { Message } from '../../../../kernel/messages.ts'
import type { JsonColumns, JsonText } from '../../../../platform/db/json-columns.ts'
import type { SystemDb, SystemTx, TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'

declare module '../../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'notification.details': JsonColumns['alarm_event.details']
  }
}

/** The kinds of delivery; `channel` is a channel of a messaging platform. */
export type Channel = 'email' | 'webhook' | 'channel'

export interface DeliveryCursor {
  readonly tenantId: number
  readonly id: string
  readonly userId: string | null
  readonly webhookId: string | null
  readonly channelId: string | null
  readonly doneThrough: string
  readonly batchId: string | null
  readonly batchThrough: string | null
  readonly attempts: number
  readonly lastSentAt: Date | null
}

const OWNERS = { email: 'user_id', webhook: 'webhook_id', channel: 'channel_id' } as const

/**
 * Returns the next due cursor of a channel of a tenant that has something to send, locked until the end of the
 * transaction.
 */
export async function lockDueCursor(
  { db, tenantId }: TenantTx,
  channel: Channel,
  now: Date,
): Promise<DeliveryCursor | undefined> {
  const owner = sql.ref(OWNERS[channel])
  const { rows } = await sql<DeliveryCursor>`
    select tenant_id as "tenantId", id, user_id as "userId", webhook_id as "webhookId",
      channel_id as "channelId", done_through::text as "doneThrough", batch_id as "batchId", batch_through::text as "batchThrough",
        attempts,
      last_sent_at as "lastSentAt"
    from notification_cursor where tenant_id = ${tenantId} and due_at <= ${now} and ${owner} is not null
    order by due_at limit 1 for update skip locked`.execute(db)
  return rows[0]
}

export interface PendingCounts {
  readonly event: number
  readonly email: number
  readonly webhook: number
  readonly channel: number
}

/**
 * Counts, over all tenants, the events without a notification yet and the cursors per channel with pending
 * ones.
 */
export async function countPendingByChannel({ db }: SystemDb): Promise<PendingCounts> {
  const { rows } = await sql<PendingCounts>`
    select sum(event)::int as event, sum(email)::int as email, sum(webhook)::int as webhook,
      sum(channel)::int as channel from (
      select count(*) as event, 0 as email, 0 as webhook, 0 as channel from alarm_event where not is_notified
      union all
      select 0, count(user_id), count(webhook_id), count(channel_id) from notification_cursor
      where due_at is not null) as pending`.execute(db)
  return rows[0] ?? { event: 0, email: 0, webhook: 0, channel: 0 }
}

/** Selects the notifications of a recipient. */
export interface NotificationFilter {
  readonly channel: Channel
  /** Exclusive. */
  readonly after: string
  /** Inclusive. */
  readonly through?: string | undefined
  readonly minSeverity: string
  /** Excludes events before this instant. */
  readonly since?: Date | undefined
}

const SEVERITIES = ['info', 'warning', 'critical']
const matches = (
  tenantId: number,
  { channel, after, through, minSeverity, since }: NotificationFilter,
) => sql`
  n.tenant_id = ${tenantId} and n.seq > ${after}::bigint
  and (${through ?? null}::bigint is null or n.seq <= ${through ?? null}::bigint)
  and ${sql.ref(`n.by_${channel}`)}
  and n.severity = any (${SEVERITIES.slice(SEVERITIES.indexOf(minSeverity))})
  and (${since ?? null}::timestamptz is null or n.occurred_at >= ${since ?? null}::timestamptz)`

export interface Pending {
  readonly total: number
  readonly critical: number
  readonly last: string | null
}

/** Counts pending notifications and returns the last sequence number; at most `limit` of them when given. */
export async function countPending(
  { db, tenantId }: TenantDb,
  filter: NotificationFilter,
  limit?: number,
): Promise<Pending> {
  const { rows } = await sql<Pending>`
    select count(*)::int as total, count(*) filter (where severity = 'critical')::int as critical,
      max(seq)::text as last
    from (select seq, severity from notification n where ${matches(tenantId, filter)}
      order by seq limit ${limit ?? null}::bigint) as pending`.execute(db)
  return rows[0] ?? { total: 0, critical: 0, last: null }
}

/** Returns the newest sequence number of a tenant; `0` before the first. */
export async function lastSeq(tenant: TenantDb): Promise<string> {
  const { last } = await selectRows(tenant, 'notification')
    .select(sql<string>`coalesce(max(seq), 0)::text`.as('last'))
    .executeTakeFirstOrThrow()
  return last
}

export interface WebhookEvent {
  readonly id: string
  readonly event_id: string | null
  readonly incident_id: string | null
  readonly device_id: string | null
  readonly device_name: string | null
  readonly event_type: string
  readonly severity: string
  readonly title: string
  readonly message: string
  readonly by_user: string | null
  readonly details: JsonColumns['notification.details']
  readonly occurred_at: Date
}

/** Returns the events of a webhook delivery in order. */
export async function readWebhookEvents(
  { db, tenantId }: TenantDb,
  filter: NotificationFilter,
  limit: number,
): Promise<WebhookEvent[]> {
  const { rows } = await sql<WebhookEvent>`
    select n.id, n.event_id, n.incident_id, n.device_id, d.name as device_name, n.event_type, n.severity,
      n.title,
      n.message, n.by_user, n.details, n.occurred_at
    from notification n left join device d on (d.tenant_id, d.id) = (n.tenant_id, n.device_id)
    where ${matches(tenantId, filter)}
    order by n.seq limit ${limit}`.execute(db)
  return rows
}

export interface MailItem
  extends Pick<
    WebhookEvent,
    'incident_id' | 'device_name' | 'event_type' | 'severity' | 'title' | 'message' | 'occurred_at'
  > {
  /**
   * The current payload of the incident, or the details of a notification without one, from which the message is
   * composed in other languages.
   */
  readonly payload: JsonColumns['alarm_incident.payload'] | null
}

/** Returns the items of a mail, the most severe first. */
export async function readMailItems(
  { db, tenantId }: TenantDb,
  filter: NotificationFilter,
  limit: number,
): Promise<MailItem[]> {
  const { rows } = await sql<MailItem>`
    with mailed as (
      select *, row_number() over (order by array_position(${SEVERITIES}::text[], n.severity) desc, n.seq) as
        rank
      from notification n where ${matches(tenantId, filter)}
      order by rank limit ${limit})
    select m.incident_id, d.name as device_name, m.event_type, m.severity, m.title, m.message, m.occurred_at,
      coalesce(i.payload, m.details) as payload
    from mailed m
    left join device d on (d.tenant_id, d.id) = (${tenantId}, m.device_id)
    left join alarm_incident i on (i.tenant_id, i.id) = (${tenantId}, m.incident_id)
    order by m.rank`.execute(db)
  return rows
}

export interface CursorChange {
  readonly done_through?: string
  readonly batch_id?: string | null
  readonly batch_through?: string | null
  readonly attempts?: number
  readonly due_at?: Date | null
  readonly last_sent_at?: Date
  readonly failing_since?: Date | null
  readonly last_error?: JsonText<Message> | null
}

/** Changes a locked cursor. */
export const updateCursor = (
  { db }: Pick<TenantTx | SystemTx, 'db'>,
  { tenantId, id }: Pick<DeliveryCursor, 'tenantId' | 'id'>,
  set: CursorChange,
) =>
  db
    .updateTable('notification_cursor')
    .set(set)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()

/** Locks the cursor of a batch; undefined when the cursor has another batch by now or no longer exists. */
export const lockBatch = (tx: TenantTx, id: string, batchId: string) =>
  selectRows(tx, 'notification_cursor')
    .select(['attempts', 'failing_since', 'batch_through', 'webhook_id', 'channel_id'])
    .where('id', '=', id)
    .where('batch_id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()

export const tenantUid = async ({ db, tenantId }: TenantDb): Promise<string> =>
  (await db.selectFrom('tenant').select('uid').where('id', '=', tenantId).executeTakeFirstOrThrow()).uid
