import { type ExpressionBuilder, sql } from 'kysely'
import { conflict, invalidReference } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { DB } from '../../../platform/db/types.ts'
import { GROUP_DUE_AHEAD_MAX_MS } from '../limits.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { GroupQuery } from './schema.ts'

const columns = [
  ...(['id', 'name', 'subregion_id', 'limit_w', 'min_w_per_connector', 'split'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const
const constraints = {
  charging_group_name_key: () => conflict('DUPLICATE_ENTRY', CHARGING_TEXTS.CHARGING_GROUP_NAME_EXISTS()),
  charging_group_subregion_fkey: () => invalidReference('subregion_id'),
}

const groups = (tenant: TenantDb) => selectRows(tenant, 'charging_group').select(columns)

export function list(tenant: TenantDb, query: GroupQuery) {
  let rows = groups(tenant).select(
    sql<number>`(select count(*)::int from charging_group_member m
      where (m.tenant_id, m.group_id) = (${tenant.tenantId}, charging_group.id))`.as('member_count'),
  )
  if (query.subregion_id !== undefined) rows = rows.where('subregion_id', '=', query.subregion_id)
  return readPage(rows.where(matchesSearch(query.search, ['name'])), query)
}

export const find = (tenant: TenantDb, id: string) => groups(tenant).where('id', '=', id).executeTakeFirst()
export type GroupRow = NonNullable<Awaited<ReturnType<typeof find>>>

/** Locks a group: it is planned and changed by one transaction at a time. */
export const lock = (tx: TenantTx, id: string) =>
  groups(tx).where('id', '=', id).forUpdate().executeTakeFirst()

export interface GroupFields {
  readonly name?: string
  readonly subregion_id?: string | null
  readonly limit_w?: number
  readonly min_w_per_connector?: number
  readonly split?: string
}

export const create = (
  { db, tenantId }: TenantTx,
  fields: GroupFields & Pick<GroupRow, 'name' | 'limit_w' | 'min_w_per_connector'>,
  now: Date,
) =>
  refusing(
    constraints,
    db
      .insertInto('charging_group')
      .values({ tenant_id: tenantId, ...fields, due_at: now, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

export const update = (tx: TenantTx, id: string, fields: GroupFields, now: Date) =>
  refusing(
    constraints,
    updateRows(tx, 'charging_group')
      .set({ ...fields, due_at: now, updated_at: now })
      .where('id', '=', id)
      .execute(),
  )

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'charging_group').where('id', '=', id).execute()

export interface GroupKey {
  readonly tenantId: number
  readonly id: string
}

/**
 * Due, also where the instant lies further ahead than any group waits: it was written before the clock was set back,
 * and the shares of the group would not be renewed until the clock reaches it.
 */
const isDue = (now: Date) => (eb: ExpressionBuilder<DB, 'charging_group'>) =>
  eb.or([eb('due_at', '<=', now), eb('due_at', '>', new Date(now.getTime() + GROUP_DUE_AHEAD_MAX_MS))])

export async function listDue(tenant: TenantDb, now: Date, limit: number): Promise<GroupKey[]> {
  const rows = await selectRows(tenant, 'charging_group')
    .select('id')
    .where(isDue(now))
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => ({ tenantId: tenant.tenantId, id }))
}

/** Locks a group that is still due; undefined when another process has it. */
export const lockDue = (tx: TenantTx, id: string, now: Date) =>
  groups(tx).where('id', '=', id).where(isDue(now)).forUpdate().skipLocked().executeTakeFirst()

export const setDue = (tx: TenantTx, id: string, at: Date) =>
  updateRows(tx, 'charging_group').set({ due_at: at }).where('id', '=', id).execute()

/** Makes the group of a charger due now; does nothing where it has none. */
export const markGroupDue = (tx: TenantTx, chargerId: string, now: Date) =>
  updateRows(tx, 'charging_group as g')
    .set((eb) => ({ due_at: eb.fn('least', ['g.due_at', eb.val(now)]) }))
    .where('g.id', '=', (eb) =>
      eb
        .selectFrom('charging_group_member')
        .select('group_id')
        .where('tenant_id', '=', tx.tenantId)
        .where('charger_id', '=', chargerId),
    )
    .execute()

export interface NewMember {
  readonly charger_id: string
  readonly max_w: number
  readonly unit: string
  readonly phases: number
}

/**
 * Inserts a member or updates its settings; its profiles stay. 409 CHARGER_IN_GROUP for a member of another
 * group.
 */
export async function upsertMember(
  { db, tenantId }: TenantTx,
  groupId: string,
  member: NewMember,
): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into charging_group_member as m (tenant_id, group_id, charger_id, max_w, unit, phases)
    values (${tenantId}, ${groupId}, ${member.charger_id}, ${member.max_w}, ${member.unit}, ${member.phases})
    on conflict (tenant_id, charger_id) do update
      set max_w = excluded.max_w, unit = excluded.unit, phases = excluded.phases
      where m.group_id = excluded.group_id`.execute(db)
  if (numAffectedRows === 0n) throw conflict('CHARGER_IN_GROUP', CHARGING_TEXTS.CHARGER_IN_ONE_GROUP())
}

export const listMemberIds = async (tenant: TenantDb, groupId: string): Promise<string[]> => {
  const rows = await selectRows(tenant, 'charging_group_member')
    .select('charger_id')
    .where('group_id', '=', groupId)
    .execute()
  return rows.map((row) => row.charger_id)
}

/** The members that were taken out of service. */
export const listRemovedMembers = async (tenant: TenantDb, groupId: string): Promise<string[]> => {
  const rows = await selectRows(tenant, 'charging_group_member as m')
    .innerJoin('charger as c', (join) =>
      join.onRef('c.tenant_id', '=', 'm.tenant_id').onRef('c.id', '=', 'm.charger_id'),
    )
    .select('m.charger_id')
    .where('m.group_id', '=', groupId)
    .where('c.deleted_at', 'is not', null)
    .execute()
  return rows.map((row) => row.charger_id)
}

export const hasEverConnected = async (tenant: TenantDb, chargerId: string): Promise<boolean> =>
  (await selectRows(tenant, 'charger')
    .select('id')
    .where('id', '=', chargerId)
    .where('connected_at', 'is not', null)
    .executeTakeFirst()) !== undefined

export const removeMembers = (tx: TenantTx, chargerIds: readonly string[]) =>
  deleteRows(tx, 'charging_group_member').where('charger_id', 'in', chargerIds).execute()

/** The group of a charger; undefined where it has none. */
export async function findGroupOf(tenant: TenantDb, chargerId: string): Promise<string | undefined> {
  const row = await selectRows(tenant, 'charging_group_member')
    .select('group_id')
    .where('charger_id', '=', chargerId)
    .executeTakeFirst()
  return row?.group_id
}
