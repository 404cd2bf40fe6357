import { sql } from 'kysely'
import type { Message } from '../../../../kernel/messages.ts'
import type { JsonText } from '../../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { updateRows } from '../../../../platform/db/tenant-rows.ts'
import type { DigestItem } from '../delivery/mails.ts'

/** Returns the recipient of the oldest due message of a tenant, locked until the end of the transaction. */
export async function lockDueTarget({ db, tenantId }: TenantTx, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ target: string }>`
    select target from escalation_message where tenant_id = ${tenantId} and status = 'waiting' and due_at <= ${now}
    order by due_at limit 1 for update skip locked`.execute(db)
  return rows[0]?.target
}

export interface WaitingMessage extends DigestItem {
  readonly id: string
  readonly user_id: string | null
  readonly channel_id: string | null
  readonly email: string | null
  readonly language: 'tr' | 'en'
  readonly attempts: number
  readonly incident_status: string
}

/** Locks the due messages to a recipient and returns them with their incidents, the most severe first. */
export async function lockMessages(
  { db, tenantId }: TenantDb,
  { target, now, limit }: { readonly target: string; readonly now: Date; readonly limit: number },
): Promise<WaitingMessage[]> {
  const { rows } = await sql<WaitingMessage>`
    select m.id, m.user_id, m.channel_id, m.email, m.language, m.attempts, m.incident_id, i.severity, i.message,
      i.payload, i.triggered_at as occurred_at, i.status as incident_status, p.name as title, d.name as device_name,
      'escalated' as event_type
    from escalation_message m
    join alarm_incident i on (i.tenant_id, i.id) = (m.tenant_id, m.incident_id)
    join alarm_policy p on (p.tenant_id, p.id) = (i.tenant_id, i.policy_id)
    left join device d on (d.tenant_id, d.id) = (i.tenant_id, i.device_id)
    where m.tenant_id = ${tenantId} and m.target = ${target} and m.status = 'waiting' and m.due_at <= ${now}
    order by array_position(array['critical', 'warning', 'info'], i.severity), m.due_at, m.id
    limit ${limit} for update of m skip locked`.execute(db)
  return rows
}

export interface MessageChange {
  readonly status?: 'sent' | 'failed' | 'skipped'
  readonly attempts?: number
  readonly due_at?: Date
  readonly claim_id?: string
  readonly error?: JsonText<Message> | null
  readonly sent_at?: Date
}

export const changeMessages = (tx: TenantTx | TenantDb, ids: readonly string[], set: MessageChange) =>
  updateRows(tx as TenantTx, 'escalation_message')
    .set(set)
    .where('id', 'in', [...ids, '00000000-0000-0000-0000-000000000000'])
    .execute()

/** Records the result of a claim; messages that another process has claimed meanwhile are unchanged. */
export const settleMessages = (tx: TenantTx, claimId: string, set: MessageChange) =>
  updateRows(tx, 'escalation_message')
    .set(set)
    .where('claim_id', '=', claimId)
    .where('status', '=', 'waiting')
    .execute()
