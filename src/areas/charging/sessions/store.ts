import { sql } from 'kysely'
import type { AboneGrubu, VoltageLevel } from '../../../core/netting/types.ts'
import { parseValidInstant } from '../../../kernel/time.ts'
import { readPage } from '../../../platform/db/list.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { selectRows } from '../../../platform/db/tenant-rows.ts'
import type { Intervals } from './intervals.ts'
import type { SessionQuery } from './schema.ts'

const columns = [
  ...([
    'id',
    'transaction_number',
    'ocpp_transaction_id',
    'charger_id',
    'connector_id',
    'device_id',
  ] as const),
  ...(['id_tag', 'parent_tag', 'authorization_status', 'state', 'charging_state'] as const),
  ...(['started_at', 'ended_at', 'stop_reason', 'stop_id_tag', 'reservation_number'] as const),
  ...(['command_id', 'flags', 'missing_seq_nos', 'created_at', 'updated_at'] as const),
  sql<number | null>`meter_start_wh::float8`.as('meter_start_wh'),
  sql<number | null>`meter_stop_wh::float8`.as('meter_stop_wh'),
  sql<number | null>`interval_wh::float8`.as('interval_wh'),
  'interval_last_at',
] as const

const sessions = (tenant: TenantDb) => selectRows(tenant, 'charging_session').select(columns)

export const find = (tenant: TenantDb, id: string) => sessions(tenant).where('id', '=', id).executeTakeFirst()
export type SessionRow = NonNullable<Awaited<ReturnType<typeof find>>>

function filtered(tenant: TenantDb, query: SessionQuery) {
  let rows = sessions(tenant)
  if (query.charger_id !== undefined) rows = rows.where('charger_id', '=', query.charger_id)
  if (query.connector_id !== undefined) rows = rows.where('connector_id', '=', query.connector_id)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.id_tag !== undefined) rows = rows.where(sql`lower(id_tag)`, '=', sql`lower(${query.id_tag})`)
  if (query.from !== undefined) rows = rows.where('started_at', '>=', parseValidInstant(query.from))
  if (query.to !== undefined) rows = rows.where('started_at', '<', parseValidInstant(query.to))
  return rows
}

export const list = (tenant: TenantDb, query: SessionQuery) => readPage(filtered(tenant, query), query)

export interface SessionSums {
  readonly sessions_active: number
  readonly sessions_without_energy: number
  readonly energy_wh: string
}

/** Sums over all sessions that match. The energy of an ended session is the one of its response. */
export function sum(tenant: TenantDb, query: SessionQuery): Promise<SessionSums> {
  const energy = sql`case when meter_start_wh is null and interval_wh >= 0 then interval_wh
    when meter_start_wh >= 0 and meter_stop_wh >= meter_start_wh then meter_stop_wh - meter_start_wh end`
  const ended = sql`ended_at is not null`
  return filtered(tenant, query)
    .clearSelect()
    .select([
      sql<number>`(count(*) filter (where ended_at is null))::int`.as('sessions_active'),
      sql<number>`(count(*) filter (where ${ended} and ${energy} is null))::int`.as(
        'sessions_without_energy',
      ),
      sql<string>`coalesce(sum(${energy}) filter (where ${ended}), 0)::text`.as('energy_wh'),
    ])
    .executeTakeFirstOrThrow()
}

/** Name of each charger for people: its own name, else the id that it connects with. */
export async function readChargerNames(
  tenant: TenantDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await selectRows(tenant, 'charger')
    .select(['id', 'name', 'cpid'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, name, cpid }) => [id, name ?? cpid]))
}

/** The intervals of sessions that have no register, by their ids. */
export async function readIntervals(
  tenant: TenantDb,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, Intervals>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await selectRows(tenant, 'charging_session')
    .select(['id', sql<Intervals | null>`merged_state -> 'intervals'`.as('intervals')])
    .where('id', 'in', sessionIds)
    .execute()
  return new Map(rows.map(({ id, intervals }) => [id, intervals ?? {}]))
}

export interface SessionFacility {
  readonly session_id: string
  readonly facility_id: string
  readonly abone_grubu: AboneGrubu | null
  readonly is_multi_time: boolean
  readonly voltage_level: VoltageLevel | null
}

/**
 * The facility that each session is billed by: that of its connector at the start, else that of its charger,
 * else that of the charger's subregion.
 */
export async function readFacilities(
  { db, tenantId }: TenantDb,
  sessionIds: readonly string[],
): Promise<SessionFacility[]> {
  const holds = (table: string) => {
    const [from, to] = [sql.ref(`${table}.valid_from`), sql.ref(`${table}.valid_to`)]
    return sql`${from} <= s.started_at and (${to} is null or ${to} > s.started_at)`
  }
  const { rows } = await sql<SessionFacility>`
    select s.id as session_id, b.facility_id, b.abone_grubu, b.is_multi_time, b.voltage_level
    from charging_session s
    join charger c on c.tenant_id = s.tenant_id and c.id = s.charger_id
    join lateral (
      (select case a.device_id when s.device_id then 1 else 2 end as rank, a.valid_from,
          f.id as facility_id, f.abone_grubu, f.is_multi_time, f.voltage_level
        from meter_assignment a join facility f on f.tenant_id = a.tenant_id and f.id = a.facility_id
        where a.tenant_id = ${tenantId} and a.device_id in (s.device_id, c.device_id) and ${holds('a')})
      union all
      (select 3, f.valid_from, f.id, f.abone_grubu, f.is_multi_time, f.voltage_level from facility f
        where f.tenant_id = ${tenantId} and f.subregion_id = c.subregion_id and ${holds('f')})
      order by 1, 2 desc, 3 limit 1
    ) b on true
    where s.tenant_id = ${tenantId} and s.id = any(${[...sessionIds]}::uuid[])`.execute(db)
  return rows
}

/** The remote stop that ended a session: the newest one that the station accepted. */
export async function findRemoteStop(
  tenant: TenantDb,
  { id, charger_id }: Pick<SessionRow, 'id' | 'charger_id'>,
): Promise<string | null> {
  const row = await selectRows(tenant, 'charger_command')
    .select('id')
    .where('charger_id', '=', charger_id)
    .where('action', '=', 'remote_stop')
    .where('state', '=', 'accepted')
    .where(sql`request ->> 'session_id'`, '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
