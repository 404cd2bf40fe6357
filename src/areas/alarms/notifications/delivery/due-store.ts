import { sql } from 'kysely'
import type { SystemDb } from '../../../../platform/db/tenant.ts'
import { OUTBOX_TENANTS_MAX } from '../limits.ts'
import type { Channel } from './delivery-store.ts'

/** Deliveries by kind of recipient, and the messages of escalations. */
export type Lane = Channel | 'escalation'
export const LANES: readonly Lane[] = ['email', 'webhook', 'channel', 'escalation']

/** Events without notifications, steps of escalations, and what is to be sent. */
type Work = 'events' | 'steps' | Lane

/** The tables whose rows are events, steps and deliveries to be done. */
export const NOTIFICATION_WORK = {
  kind: 'notifications',
  tables: ['alarm_event', 'incident_escalation', 'notification_cursor', 'escalation_message'],
}

/** The tenants with due work of each kind, those that are due the longest first. */
export interface DueWork extends Readonly<Record<Work, readonly number[]>> {
  /** Epoch milliseconds of what becomes due next, as far as the caller looks ahead. */
  readonly nextDueAt: number | undefined
}

/**
 * Returns the active tenants with due work, and the instant of the next that is due within `aheadMs`. The only
 * statement of a poll that asks all tenants: partial indexes hold what is pending, so it costs little when nothing is
 * due (ADR 0128).
 */
export async function listDueWork({ db }: SystemDb, now: Date, aheadMs = 0): Promise<DueWork> {
  const until = new Date(now.getTime() + aheadMs)
  const { rows } = await sql<{ work: Work; tenantId: number; laterAt: number | null }>`
    select due.work, due.tenant_id as "tenantId",
      case when due.due_at > ${now}::timestamptz then date_part('epoch', due.due_at) * 1000 end as "laterAt" from (
      select tenant_id, 'events' as work, '-infinity'::timestamptz as due_at from alarm_event
      where not is_notified group by tenant_id
      union all
      select tenant_id, 'steps', min(due_at) from incident_escalation
      where due_at <= ${until}::timestamptz group by tenant_id
      union all
      select tenant_id, case when user_id is not null then 'email' when webhook_id is not null then 'webhook'
        else 'channel' end as receiver, min(due_at) from notification_cursor
      where due_at <= ${until}::timestamptz group by tenant_id, receiver
      union all
      select tenant_id, 'escalation', min(due_at) from escalation_message
      where status = 'waiting' and due_at <= ${until}::timestamptz group by tenant_id) as due
    where exists (select 1 from tenant t where t.id = due.tenant_id and t.is_active)
    order by due.due_at, due.tenant_id`.execute(db)
  const tenantsOf = (work: Work) =>
    rows
      .flatMap((row) => (row.work === work && row.laterAt === null ? [row.tenantId] : []))
      .slice(0, OUTBOX_TENANTS_MAX)
  return {
    events: tenantsOf('events'),
    steps: tenantsOf('steps'),
    email: tenantsOf('email'),
    webhook: tenantsOf('webhook'),
    channel: tenantsOf('channel'),
    escalation: tenantsOf('escalation'),
    nextDueAt: rows.find(({ laterAt }) => laterAt !== null)?.laterAt ?? undefined,
  }
}
