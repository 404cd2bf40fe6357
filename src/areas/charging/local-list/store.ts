import { sql } from 'kysely'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { ID_TAG_DEPTH_MAX, LOCAL_LIST_ENTRIES_MAX } from '../limits.ts'
import type { Held } from './entries.ts'
import type { ListState } from './schema.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'charger_local_list.held_entries': Held
  }
}

const columns = [
  ...([
    'is_chosen',
    'reason',
    'command_id',
    'is_uncertain',
    'synced_at',
    'sent_version',
    'held_entries as held',
  ] as const),
  sql<ListState>`state`.as('state'),
] as const

const lists = (tenant: TenantDb, chargerId: string) =>
  selectRows(tenant, 'charger_local_list').select(columns).where('charger_id', '=', chargerId)

export const find = (tenant: TenantDb, chargerId: string) => lists(tenant, chargerId).executeTakeFirst()
export type ListRow = NonNullable<Awaited<ReturnType<typeof find>>>

/** Locks the list of a charger; creates it where there is none. */
export async function lock(tx: TenantTx, chargerId: string, now: Date): Promise<ListRow> {
  await tx.db
    .insertInto('charger_local_list')
    .values({ tenant_id: tx.tenantId, charger_id: chargerId, updated_at: now })
    .onConflict((on) => on.columns(['tenant_id', 'charger_id']).doNothing())
    .execute()
  return lists(tx, chargerId).forUpdate().executeTakeFirstOrThrow()
}

export interface Change {
  readonly is_chosen?: boolean
  readonly held?: Held
  readonly sent_version?: number
  readonly state?: ListState
  readonly reason?: string | null
  readonly command_id?: string
  readonly is_uncertain?: boolean
  readonly synced_at?: Date
}

export const update = (
  tx: TenantTx,
  chargerId: string,
  { held, ...set }: Change & { readonly updated_at: Date },
) =>
  updateRows(tx, 'charger_local_list')
    .set({ ...set, ...(held && { held_entries: toJson(held) }) })
    .where('charger_id', '=', chargerId)
    .execute()

/** The version that the station reported last; null where it has reported none. */
export async function findVersion(tenant: TenantDb, chargerId: string): Promise<number | null> {
  const row = await selectRows(tenant, 'charger')
    .select('local_list_version')
    .where('id', '=', chargerId)
    .executeTakeFirst()
  return row?.local_list_version ?? null
}

export const setVersion = (tx: TenantTx, chargerId: string, version: number) =>
  updateRows(tx, 'charger').set({ local_list_version: version }).where('id', '=', chargerId).execute()

export async function listChosen(tenant: TenantDb, chargerId: string): Promise<string[]> {
  const rows = await selectRows(tenant, 'charger_local_list_tag')
    .select('tag_id')
    .where('charger_id', '=', chargerId)
    .orderBy('tag_id')
    .execute()
  return rows.map((row) => row.tag_id)
}

/** Replaces the chosen tags of a list. False when one does not exist: the caller rolls back. */
export async function replaceChosen(
  tx: TenantTx,
  chargerId: string,
  tagIds: readonly string[],
): Promise<boolean> {
  await deleteRows(tx, 'charger_local_list_tag').where('charger_id', '=', chargerId).execute()
  const { numAffectedRows } = await sql`
    insert into charger_local_list_tag (tenant_id, charger_id, tag_id)
    select tenant_id, ${chargerId}, id from id_tag where tenant_id = ${tx.tenantId} and id = any(${tagIds}::uuid[])`.execute(
    tx.db,
  )
  return Number(numAffectedRows ?? 0) === tagIds.length
}

export interface TagOfList {
  readonly tag: string
  readonly parent_tag: string | null
  readonly is_blocked: boolean
  readonly expires_at: Date | null
}

/** The tags of a list, at most one more than it may hold. A blocked or expired group applies to its tags. */
export async function readTags(
  { db, tenantId }: TenantDb,
  chargerId: string,
  isChosen: boolean,
): Promise<TagOfList[]> {
  const chosen = isChosen
    ? sql`and t.id in (select tag_id from charger_local_list_tag
        where tenant_id = ${tenantId} and charger_id = ${chargerId})`
    : sql``
  const { rows } = await sql<TagOfList>`
    with recursive mine as (
      select t.id, t.tag, t.status, t.expires_at, t.parent_id from id_tag t
      where t.tenant_id = ${tenantId} ${chosen} order by lower(t.tag) limit ${LOCAL_LIST_ENTRIES_MAX + 1}
    ), up as (
      select id as of_id, status, expires_at, parent_id, 0 as depth from mine
      union all
      select up.of_id, p.status, p.expires_at, p.parent_id, up.depth + 1
      from up join id_tag p on p.tenant_id = ${tenantId} and p.id = up.parent_id
      where up.depth < ${ID_TAG_DEPTH_MAX})
    select mine.tag, parent.tag as parent_tag, bool_or(up.status = 'blocked') as is_blocked,
      min(up.expires_at) as expires_at
    from mine join up on up.of_id = mine.id
    left join id_tag parent on parent.tenant_id = ${tenantId} and parent.id = mine.parent_id
    group by mine.tag, parent.tag order by lower(mine.tag)`.execute(db)
  return rows
}

export interface Sizes {
  /** Entries of one message; null where the station has not reported it. */
  readonly piece: number | null
  readonly whole: number | null
}

/**
 * The sizes that the station has reported: as configuration of 1.6 in a response, or as variables of 2.0.1.
 */
export async function readSizes({ db, tenantId }: TenantDb, chargerId: string): Promise<Sizes> {
  const key = (name: string) => sql`(
    select k ->> 'value' from charger_command c
    cross join lateral jsonb_array_elements(
      case jsonb_typeof(c.answer -> 'configurationKey') when 'array' then c.answer -> 'configurationKey' else '[]' end) k
    where c.tenant_id = ${tenantId} and c.charger_id = ${chargerId} and c.action = 'get_configuration'
      and k ->> 'key' = ${name}
    order by c.seq desc limit 1)`
  const variable = (column: 'value' | 'max_limit', name: string) => sql`(
    select ${sql.ref(column)}::text from charger_variable
    where tenant_id = ${tenantId} and charger_id = ${chargerId} and lower(component) = 'localauthlistctrlr'
      and lower(variable) = ${name} and ${sql.ref(column)} is not null order by reported_at desc limit 1)`
  const { rows } = await sql<{ piece: string | null; whole: string | null }>`
    select coalesce(${key('SendLocalListMaxLength')}, ${variable('value', 'itemspermessage')}) as piece,
      coalesce(${key('LocalAuthListMaxLength')}, ${variable('max_limit', 'entries')}) as whole`.execute(db)
  return { piece: positive(rows[0]?.piece), whole: positive(rows[0]?.whole) }
}

const positive = (text: string | null | undefined): number | null => {
  const number = Math.floor(Number(text ?? Number.NaN))
  return number > 0 ? number : null
}
