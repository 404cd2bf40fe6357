import { sql } from 'kysely'

/**
 * The part of the outbox statement that starts the escalation of incidents which were raised or woken, in the
 * transaction that marks their events. An escalation starts again when a snooze ends.
 */
export const startEscalations = (tenantId: number, now: Date) => sql`
  escalated as (
    insert into incident_escalation as s
      (tenant_id, incident_id, escalation_policy_id, started_at, level, repetition, due_at)
    select distinct on (c.incident_id) ${tenantId}::int, c.incident_id, e.id, ${now}::timestamptz, 0, 0,
      ${now}::timestamptz + (e.levels -> 0 ->> 'delay_minutes')::int * interval '1 minute'
    from classified c join escalation_policy e on e.tenant_id = ${tenantId} and e.is_active
      and (e.id = c.escalation_policy_id
        or c.escalation_policy_id is null and c.severity = any (e.default_severities))
    where c.escalates
    order by c.incident_id
    on conflict (tenant_id, incident_id) do update set escalation_policy_id = excluded.escalation_policy_id,
      started_at = excluded.started_at, level = 0, repetition = 0, due_at = excluded.due_at)`
