import { sql } from 'kysely'
import { iso } from '../../../kernel/time.ts'
import type { SystemDb } from '../../../platform/db/tenant.ts'

/** Tenants that have anything watched. */
export async function watchingTenants({ db }: SystemDb): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select distinct tenant_id as id from sample_watch`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Tenants with samples that wait to be judged. */
export async function markedTenants({ db }: SystemDb): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct tenant_id as id from sample_mark order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Policies that began to watch within a span of time. */
export async function newPolicies(
  { db }: SystemDb,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ tenantId: number; id: string; watchedFrom: number }[]> {
  const { rows } = await sql<{ tenantId: number; id: string; watchedFrom: number }>`
    select tenant_id as "tenantId", id, round(date_part('epoch', watched_from) * 1000)::float8 as "watchedFrom"
    from alarm_policy where not is_system and deleted_at is null and is_active
      and watched_from >= ${iso(from)}::timestamptz and watched_from < ${iso(to)}::timestamptz
    order by tenant_id, id`.execute(db)
  return rows
}
