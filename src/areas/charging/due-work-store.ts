import { sql } from 'kysely'
import type { SystemDb } from '../../platform/db/tenant.ts'
import type { ChargerKey } from './commands/index.ts'
import { COMMAND_ANSWER_MAX_MS, GROUP_DUE_AHEAD_MAX_MS } from './limits.ts'

/** The tables whose rows are commands and groups to be handled. */
export const CHARGING_WORK = { kind: 'charging', tables: ['charger_command', 'charging_group'] }

/** What is to be done now in active tenants, the longest due first. */
export interface DueWork {
  /** Chargers with commands that were not sent yet. They are few: such a command expires soon. */
  readonly waiting: readonly ChargerKey[]
  /** Tenants with commands that will not be sent or answered any more. */
  readonly overdue: readonly number[]
  /** Tenants with groups whose shares are to be evaluated. */
  readonly groups: readonly number[]
  /** Epoch milliseconds of the group that is due next, as far as the caller looks ahead. */
  readonly nextDueAt: number | undefined
}

type Work = 'waiting' | 'overdue' | 'groups'

/**
 * The only statement of a poll that asks all tenants: partial indexes hold what is open, so it costs little when
 * nothing is due (ADR 0128).
 */
export async function listDueWork({ db }: SystemDb, now: Date, aheadMs = 0): Promise<DueWork> {
  const until = new Date(now.getTime() + aheadMs)
  const answeredUntil = new Date(now.getTime() - COMMAND_ANSWER_MAX_MS)
  const aheadMax = new Date(now.getTime() + GROUP_DUE_AHEAD_MAX_MS)
  const { rows } = await sql<{
    work: Work
    tenantId: number
    chargerId: string | null
    laterAt: number | null
  }>`
    select due.work, due.tenant_id as "tenantId", due.charger_id as "chargerId",
      case when due.due_at > ${now}::timestamptz then date_part('epoch', due.due_at) * 1000 end as "laterAt" from (
      select tenant_id, charger_id, 'waiting' as work, min(created_at) as due_at from charger_command
      where state = 'pending' group by tenant_id, charger_id
      union all
      select tenant_id, null::uuid, 'overdue', min(created_at) from charger_command
      where (state = 'pending' and expires_at <= ${now}::timestamptz)
        or (state = 'sent' and sent_at <= ${answeredUntil}::timestamptz) group by tenant_id
      union all
      select tenant_id, null::uuid, 'groups',
        min(case when due_at > ${aheadMax}::timestamptz then ${now}::timestamptz else due_at end) from charging_group
      where due_at <= ${until}::timestamptz or due_at > ${aheadMax}::timestamptz group by tenant_id) as due
    where exists (select 1 from tenant t where t.id = due.tenant_id and t.is_active)
    order by due.due_at, due.tenant_id`.execute(db)
  const tenantsOf = (work: Work) =>
    rows.flatMap((row) => (row.work === work && row.laterAt === null ? [row.tenantId] : []))
  return {
    waiting: rows.flatMap(({ work, tenantId, chargerId }) =>
      work === 'waiting' && chargerId !== null ? [{ tenantId, chargerId }] : [],
    ),
    overdue: tenantsOf('overdue'),
    groups: tenantsOf('groups'),
    nextDueAt: rows.find(({ laterAt }) => laterAt !== null)?.laterAt ?? undefined,
  }
}
