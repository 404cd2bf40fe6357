import { sql } from 'kysely'
import { invalidReference } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { readList } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { WIDGETS_PER_SUBREGION_MAX } from './limits.ts'
import type { Position, WidgetQuery } from './schema.ts'
import type { Config, WidgetRow, WidgetType } from './types.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'widget.config': Config
    'widget.position': Position
  }
}

const columns = [
  'id',
  'subregion_id',
  'widget_type',
  'title',
  'position',
  'config',
  'is_active',
  'created_at',
] as const
const constraints = { widget_subregion_fkey: () => invalidReference('subregion_id') }

/** The table's checks hold the words and shapes. */
export interface StoredWidget extends WidgetRow {
  readonly position: Position | null
  readonly is_active: boolean
  readonly created_at: Date
}

export const hasSubregion = async (tenant: TenantDb, id: string): Promise<boolean> =>
  (await selectRows(tenant, 'subregion').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export function list(tenant: TenantDb, subregionId: string, query: WidgetQuery) {
  let rows = selectRows(tenant, 'widget').select(columns).where('subregion_id', '=', subregionId)
  if (query.widget_type !== undefined) rows = rows.where('widget_type', '=', query.widget_type)
  if (query.is_active !== undefined) rows = rows.where('is_active', '=', query.is_active)
  return readList(
    rows
      .where(matchesSearch(query.search, ['title']))
      .orderBy('created_at')
      .orderBy('id')
      .$castTo<StoredWidget>(),
    query,
  )
}

/**
 * The active widgets of a subregion, as its dashboard shows them; undefined when there is no such subregion.
 */
export async function readDashboard(tenant: TenantDb, subregionId: string): Promise<WidgetRow[] | undefined> {
  const rows = await selectRows(tenant, 'subregion as s')
    .leftJoin('widget as w', (join) =>
      join
        .onRef('w.tenant_id', '=', 's.tenant_id')
        .onRef('w.subregion_id', '=', 's.id')
        .on('w.is_active', '=', true),
    )
    .select(['w.id', 's.id as subregion_id', 'w.widget_type', 'w.title', 'w.config'])
    .where('s.id', '=', subregionId)
    .orderBy('w.created_at')
    .orderBy('w.id')
    .limit(WIDGETS_PER_SUBREGION_MAX)
    .execute()
  if (rows.length === 0) return undefined
  return rows.filter(({ id }) => id !== null) as WidgetRow[]
}

export const find = (tenant: TenantDb, id: string): Promise<StoredWidget | undefined> =>
  selectRows(tenant, 'widget').select(columns).where('id', '=', id).$castTo<StoredWidget>().executeTakeFirst()

/**
 * Locks a subregion until the end of the transaction, so that additions are serialized, and counts its
 * widgets; undefined when there is no such subregion.
 */
export async function countInLocked(tx: TenantTx, subregionId: string): Promise<number | undefined> {
  const { rows } = await sql`select 1 from subregion where tenant_id = ${tx.tenantId} and id = ${subregionId}
    for no key update`.execute(tx.db)
  if (rows.length === 0) return undefined
  const counted = await selectRows(tx, 'widget')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('subregion_id', '=', subregionId)
    .executeTakeFirstOrThrow()
  return Number(counted.count)
}

export interface WidgetChange {
  readonly subregion_id?: string
  readonly widget_type?: WidgetType
  readonly title?: string
  readonly position?: Position | null
  readonly config?: Config
  readonly is_active?: boolean
}

const jsonColumns = ({ position, config, ...rest }: WidgetChange) => ({
  ...rest,
  ...(position !== undefined && { position: position && toJson(position) }),
  ...(config !== undefined && { config: toJson(config) }),
})

export const insert = (
  { db, tenantId }: TenantTx,
  widget: WidgetChange & Pick<StoredWidget, 'subregion_id' | 'widget_type' | 'title' | 'created_at'>,
): Promise<StoredWidget> => {
  const { subregion_id, widget_type, title, created_at } = widget
  return refusing(
    constraints,
    db
      .insertInto('widget')
      .values({ ...jsonColumns(widget), tenant_id: tenantId, subregion_id, widget_type, title, created_at })
      .returning(columns)
      .$castTo<StoredWidget>()
      .executeTakeFirstOrThrow(),
  )
}

export function update(tx: TenantTx, id: string, change: WidgetChange): Promise<StoredWidget | undefined> {
  if (Object.values(change).every((value) => value === undefined)) return find(tx, id)
  return refusing(
    constraints,
    updateRows(tx, 'widget')
      .set(jsonColumns(change))
      .where('id', '=', id)
      .returning(columns)
      .$castTo<StoredWidget>()
      .executeTakeFirst(),
  )
}

/** Sets the positions of widgets of a subregion; returns the ids of those that exist there. */
export async function setPositions(
  { db, tenantId }: TenantTx,
  subregionId: string,
  positions: ReadonlyMap<string, Position>,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update widget w set position = p.position
    from unnest(${[...positions.keys()]}::uuid[], ${[...positions.values()].map(toJson)}::jsonb[]) as p (id, position)
    where w.tenant_id = ${tenantId} and w.subregion_id = ${subregionId} and w.id = p.id
    returning w.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export const remove = (tx: TenantTx, id: string) =>
  deleteRows(tx, 'widget').where('id', '=', id).returning('id').executeTakeFirst()

/** The ones of these devices that the tenant has. */
export async function knownDevices(tenant: TenantDb, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await selectRows(tenant, 'device')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whether the installation and the group that a config names exist; a name that is absent does. */
export async function knownSources(
  { db, tenantId }: TenantDb,
  { installationId, groupId }: { readonly installationId: string | null; readonly groupId: string | null },
) {
  const { rows } = await sql<{ installation: boolean; netting_group: boolean }>`select
    ${installationId}::uuid is null or exists (
      select 1 from osos_installation where tenant_id = ${tenantId} and id = ${installationId}) as installation,
    ${groupId}::uuid is null or exists (
      select 1 from netting_group where tenant_id = ${tenantId} and id = ${groupId}) as netting_group`.execute(
    db,
  )
  return { hasInstallation: rows[0]?.installation === true, hasGroup: rows[0]?.netting_group === true }
}
