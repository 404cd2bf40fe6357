import { sql } from 'kysely'
import type { JsonColumns } from '../../../platform/db/json-columns.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { tenantsWithRows } from '../../../platform/db/tenant-lists.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { NotificationQuery, Settings } from './schema.ts'

const isRead = (tenantId: number, userId: string) => sql<boolean>`(
  n.seq <= coalesce((select read_through from notification_reader r
    where r.tenant_id = ${tenantId} and r.user_id = ${userId}::uuid), 0)
  or exists (select 1 from notification_read r
    where r.tenant_id = ${tenantId} and r.user_id = ${userId}::uuid and r.notification_id = n.id))`

const columnsFor = (tenantId: number, userId: string) =>
  [
    ...(['n.id', 'n.incident_id', 'n.device_id', 'n.event_type', 'n.severity', 'n.title'] as const),
    ...(['n.message', 'n.occurred_at', 'n.created_at'] as const),
    isRead(tenantId, userId).as('is_read'),
    // The facts from which the message is composed in other languages.
    sql<JsonColumns['alarm_incident.payload']>`coalesce(i.payload, n.details)`.as('payload'),
  ] as const

const inApp = (tenant: TenantDb) =>
  selectRows(tenant, 'notification as n')
    .leftJoin('alarm_incident as i', (join) =>
      join.onRef('i.tenant_id', '=', 'n.tenant_id').onRef('i.id', '=', 'n.incident_id'),
    )
    .where('n.in_app', '=', true)

/** `created_at` sorts by `seq`, which also orders notifications of the same time. */
const SORT_KEYS = {
  created_at: sql`n.seq`,
  occurred_at: sql`n.occurred_at`,
  severity: sql`array_position(array['info', 'warning', 'critical'], n.severity)`,
} as const

export async function list(db: TenantDb, userId: string, query: NotificationQuery) {
  const { skip, limit, sort_by, sort_order } = query
  let rows = inApp(db).where(matchesSearch(query.search, ['n.title', 'n.message']))
  if (query.unread !== undefined) rows = rows.where(isRead(db.tenantId, userId), '=', !query.unread)
  if (query.severity !== undefined) rows = rows.where('n.severity', '=', query.severity)
  if (query.incident_id !== undefined) rows = rows.where('n.incident_id', '=', query.incident_id)
  const page = rows
    .select(columnsFor(db.tenantId, userId))
    .orderBy(SORT_KEYS[sort_by], sort_order)
    .orderBy('n.seq', sort_order)
    .offset(skip)
    .limit(limit)
  const counting = rows.select((eb) => eb.fn.countAll().as('total'))
  const [items, { total }] = await Promise.all([page.execute(), counting.executeTakeFirstOrThrow()])
  return { items, total: Number(total), skip, limit }
}

export const find = (db: TenantDb, userId: string, id: string) =>
  inApp(db).select(columnsFor(db.tenantId, userId)).where('n.id', '=', id).executeTakeFirst()

export async function countUnread(db: TenantDb, userId: string): Promise<number> {
  const { unread } = await inApp(db)
    .where(isRead(db.tenantId, userId), '=', false)
    .select((eb) => eb.fn.countAll().as('unread'))
    .executeTakeFirstOrThrow()
  return Number(unread)
}

export const markRead = ({ db, tenantId }: TenantTx, userId: string, id: string) =>
  db
    .insertInto('notification_read')
    .values({ tenant_id: tenantId, user_id: userId, notification_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Marks all notifications so far as read; single marks below that point become redundant. */
export async function markAllRead({ db, tenantId }: TenantTx, userId: string): Promise<void> {
  await sql`
    insert into notification_reader as r (tenant_id, user_id, read_through)
    select ${tenantId}::int, ${userId}::uuid, coalesce(max(seq), 0)
      from notification where tenant_id = ${tenantId}
    on conflict (tenant_id, user_id)
      do update set read_through = greatest(r.read_through, excluded.read_through)`.execute(db)
  await sql`
    delete from notification_read m using notification n, notification_reader r
    where m.tenant_id = ${tenantId} and m.user_id = ${userId}
      and (n.tenant_id, n.id) = (m.tenant_id, m.notification_id)
      and (r.tenant_id, r.user_id) = (m.tenant_id, m.user_id) and n.seq <= r.read_through`.execute(db)
}

/** Returns the stored settings of a user; undefined when there are none. */
export const findSettings = (tenant: TenantDb, userId: string): Promise<Settings | undefined> =>
  selectRows(tenant, 'notification_preference')
    .select(['email_enabled', 'email_min_severity', 'quiet_from', 'quiet_to', 'language'])
    .where('user_id', '=', userId)
    .$castTo<Settings>()
    .executeTakeFirst()

/** The language of a user; null when it is not set. */
export async function findUserLanguage(
  tenant: TenantDb,
  userId: string,
): Promise<Settings['language'] | null> {
  const row = await selectRows(tenant, 'app_user')
    .select('language')
    .where('id', '=', userId)
    .$narrowType<{ language: Settings['language'] | null }>()
    .executeTakeFirst()
  return row?.language ?? null
}

export const saveSettings = (
  { db, tenantId }: TenantTx,
  userId: string,
  settings: Settings & { readonly updated_at: Date },
) =>
  db
    .insertInto('notification_preference')
    .values({ tenant_id: tenantId, user_id: userId, ...settings })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(settings))
    .execute()

/** Deletes old notifications, and those beyond the newest `keep` of each tenant. */
export async function purge(
  system: SystemDb,
  { before, keep }: { readonly before: Date; readonly keep: number },
): Promise<void> {
  const { db } = system
  await sql`delete from notification where created_at < ${before}`.execute(db)
  await sql`delete from escalation_message where created_at < ${before}`.execute(db)
  for (const tenantId of await tenantsWithRows(system, 'notification'))
    await sql`
      delete from notification where tenant_id = ${tenantId} and seq <= (
        select seq from notification o where o.tenant_id = ${tenantId}
        order by seq desc offset ${keep} limit 1)`.execute(db)
}
