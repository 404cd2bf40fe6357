import { sql } from 'kysely'
import { invalidReference } from '../../../kernel/errors.ts'
import { refusing } from '../../../platform/db/constraints.ts'
import { readPage } from '../../../platform/db/list.ts'
import { matchesSearch } from '../../../platform/db/search.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { deleteRows, selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import type { MaintenanceQuery } from './schema.ts'

const columns = [
  'id',
  'policy_id',
  'device_id',
  'subregion_id',
  'from_at as from',
  'to_at as to',
  'note',
  'created_by',
  'created_at',
] as const
const constraints = {
  maintenance_window_policy_fkey: () => invalidReference('policy_id'),
  maintenance_window_device_fkey: () => invalidReference('device_id'),
  maintenance_window_subregion_fkey: () => invalidReference('subregion_id'),
}

const SORT = { from: 'from_at', to: 'to_at', created_at: 'created_at' } as const

export function listMaintenance(tenant: TenantDb, query: MaintenanceQuery, now: Date) {
  let rows = selectRows(tenant, 'maintenance_window').select(columns)
  for (const field of ['policy_id', 'device_id', 'subregion_id'] as const) {
    const wanted = query[field]
    if (wanted !== undefined) rows = rows.where(field, '=', wanted)
  }
  if (query.is_over !== undefined) rows = rows.where('to_at', query.is_over ? '<=' : '>', now)
  return readPage(rows.where(matchesSearch(query.search, ['note'])), {
    ...query,
    sort_by: SORT[query.sort_by],
  })
}

export const findMaintenance = (tenant: TenantDb, id: string) =>
  selectRows(tenant, 'maintenance_window').select(columns).where('id', '=', id).executeTakeFirst()

export async function countOpenMaintenance(tenant: TenantDb, now: Date): Promise<number> {
  const { count } = await selectRows(tenant, 'maintenance_window')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('to_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export interface NewMaintenance {
  readonly policy_id: string | null
  readonly device_id: string | null
  readonly subregion_id: string | null
  readonly from_at: Date
  readonly to_at: Date
  readonly note: string | null
  readonly created_by: string
  readonly created_at: Date
}

export const createMaintenance = ({ db, tenantId }: TenantTx, row: NewMaintenance) =>
  refusing(
    constraints,
    db
      .insertInto('maintenance_window')
      .values({ tenant_id: tenantId, ...row })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  )

/**
 * Deletes a window that has not begun and ends one that has. Returns false when the window does not exist.
 */
export async function endMaintenance(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const removed = await deleteRows(tx, 'maintenance_window')
    .where('id', '=', id)
    .where('from_at', '>=', now)
    .returning('id')
    .executeTakeFirst()
  if (removed) return true
  const ended = await updateRows(tx, 'maintenance_window')
    .set({ to_at: sql<Date>`least(to_at, ${now}::timestamptz)` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/**
 * The effect of a maintenance window on evaluation. `from` is never earlier than the instant at which the
 * window was created, so that late samples do not revoke incidents that were already published.
 */
export interface MaintenancePeriod {
  readonly policyId: string | null
  readonly deviceId: string | null
  readonly subregionId: string | null
  readonly from: number
  readonly to: number
}

export const readMaintenance = (tenant: TenantDb, since: number): Promise<MaintenancePeriod[]> =>
  selectRows(tenant, 'maintenance_window')
    .select([
      'policy_id as policyId',
      'device_id as deviceId',
      'subregion_id as subregionId',
      sql<number>`round(date_part('epoch', greatest(from_at, created_at)) * 1000)::float8`.as('from'),
      sql<number>`round(date_part('epoch', to_at) * 1000)::float8`.as('to'),
    ])
    .where('to_at', '>', new Date(since))
    .execute()
