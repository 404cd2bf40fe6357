import { sql } from 'kysely'
import type { Message } from '../../../../kernel/messages.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { recipients } from '../delivery/outbox-store.ts'

export interface DueStep {
  readonly incident_id: string
  readonly escalation_policy_id: string
  readonly started_at: Date
  readonly level: number
  readonly repetition: number
  readonly status: string
}

/**
 * Locks due steps with their incidents, so that an acknowledgement comes either before the step, which then ends
 * the escalation, or after its messages.
 */
export async function lockDueSteps(
  { db, tenantId }: TenantTx,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DueStep[]> {
  const { rows } = await sql<DueStep>`
    select s.incident_id, s.escalation_policy_id, s.started_at, s.level, s.repetition, i.status
    from incident_escalation s join alarm_incident i on (i.tenant_id, i.id) = (s.tenant_id, s.incident_id)
    where s.tenant_id = ${tenantId} and s.due_at <= ${now}
    order by s.due_at, s.incident_id limit ${limit}
    for update of s skip locked for share of i`.execute(db)
  return rows
}

export interface EligibleUser {
  readonly id: string
  readonly is_email_verified: boolean
  readonly language: string
  readonly role_ids: readonly string[]
}

/** Active users who may see alarms, with their roles. */
export async function eligibleUsers({ db, tenantId }: TenantDb): Promise<EligibleUser[]> {
  const { rows } = await sql<EligibleUser>`
    select r.id, r.is_email_verified, r.language, array_agg(ur.role_id::text) as role_ids
    from (${recipients(tenantId)}) as r
    join user_role ur on ur.tenant_id = ${tenantId} and ur.user_id = r.id
    group by r.id, r.is_email_verified, r.language order by r.id`.execute(db)
  return rows
}

export interface NewMessage {
  readonly incident_id: string
  readonly started_at: Date
  readonly level: number
  readonly repetition: number
  readonly target: string
  readonly user_id: string | null
  readonly channel_id: string | null
  readonly email: string | null
  readonly language: string
  readonly status: 'waiting' | 'skipped'
  readonly error: Message | null
}

/** Adds messages; those that exist already are unchanged, so a repeated step adds none twice. */
export async function insertMessages(
  { db, tenantId }: TenantTx,
  messages: readonly NewMessage[],
  now: Date,
): Promise<void> {
  await sql`
    insert into escalation_message (tenant_id, incident_id, started_at, level, repetition, target, user_id,
      channel_id, email, language, status, error, due_at, created_at)
    select ${tenantId}::int, incident_id, started_at, level, repetition, target, user_id, channel_id, email,
      language, status, error, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m(incident_id uuid, started_at timestamptz,
      level int, repetition int, target text, user_id uuid, channel_id uuid, email text, language text,
      status text, error jsonb)
    on conflict do nothing`.execute(db)
}

export interface NextStep {
  readonly incident_id: string
  readonly level: number
  readonly repetition: number
  readonly due_at: Date
}

export async function scheduleNext({ db, tenantId }: TenantTx, steps: readonly NextStep[]): Promise<void> {
  await sql`
    update incident_escalation s set level = n.level, repetition = n.repetition, due_at = n.due_at
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as n(incident_id uuid, level int, repetition int, due_at timestamptz)
    where s.tenant_id = ${tenantId} and s.incident_id = n.incident_id`.execute(db)
}

export async function endEscalations(
  { db, tenantId }: TenantTx,
  incidentIds: readonly string[],
): Promise<void> {
  await sql`
    delete from incident_escalation
    where tenant_id = ${tenantId} and incident_id = any (${[...incidentIds]}::uuid[])`.execute(db)
}
