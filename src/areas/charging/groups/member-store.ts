import { sql } from 'kysely'
import { toJson } from '../../../platform/db/json-columns.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { CHARGER_SILENT_MAX_MS } from '../limits.ts'
import type { ShareProfile } from './plan.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    'charging_group_member.accepted_profile': ShareProfile
    'charging_group_member.pending_profile': ShareProfile
  }
}

export interface MemberRow {
  readonly charger_id: string
  readonly max_w: number
  readonly unit: string
  readonly phases: number
  readonly accepted_profile: ShareProfile | null
  readonly pending_profile: ShareProfile | null
  readonly pending_command_id: string | null
  readonly doubtful_w: number | null
  readonly refused_at: Date | null
  readonly raised_at: Date | null
  readonly is_online: boolean
  /** The charger was taken out of service; it counts with its exposure. */
  readonly is_removed: boolean
  readonly booted_at: Date | null
}

/** The members of a group with their profiles, by id. */
export async function listMembers(
  { db, tenantId }: TenantDb,
  groupId: string,
  now: Date,
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.charger_id, m.max_w, m.unit, m.phases, m.accepted_profile, m.pending_profile, m.pending_command_id,
      m.doubtful_w, m.refused_at, m.raised_at, c.booted_at, c.deleted_at is not null as is_removed,
      c.connection_id is not null and c.last_message_at > ${new Date(now.getTime() - CHARGER_SILENT_MAX_MS)} as is_online
    from charging_group_member m join charger c on (c.tenant_id, c.id) = (m.tenant_id, m.charger_id)
    where m.tenant_id = ${tenantId} and m.group_id = ${groupId} order by m.charger_id`.execute(db)
  return rows
}

export interface ChargingRow {
  readonly session_id: string
  readonly charger_id: string
  readonly started_at: Date
  readonly device_key: number
}

/** The active sessions of a group's chargers. */
export const listCharging = (tenant: TenantDb, groupId: string): Promise<ChargingRow[]> =>
  selectRows(tenant, 'charging_group_member as m')
    .innerJoin('charging_session as s', (join) =>
      join.onRef('s.tenant_id', '=', 'm.tenant_id').onRef('s.charger_id', '=', 'm.charger_id'),
    )
    .innerJoin('device as d', (join) =>
      join.onRef('d.tenant_id', '=', 's.tenant_id').onRef('d.id', '=', 's.device_id'),
    )
    .select(['s.id as session_id', 's.charger_id', 's.started_at', 'd.key as device_key'])
    .where('m.group_id', '=', groupId)
    .where('s.state', '=', 'active')
    .orderBy('s.started_at')
    .orderBy('s.id')
    .execute()

/** The newest draw of each connector, by the key of its device. */
export type Draws = ReadonlyMap<number, { readonly at: number; readonly kw: number }>

export async function readDraws(
  { db, tenantId }: TenantDb,
  deviceKeys: readonly number[],
  since: Date,
): Promise<Draws> {
  const { rows } = await sql<{ key: number; at: Date; kw: number }>`
    select k.key, n.at, n.kw from unnest(${deviceKeys}::integer[]) as k (key)
    cross join lateral (
      select ts as at, active_power as kw from measurement m
      where m.tenant_id = ${tenantId} and m.device_key = k.key and ts >= ${since} and active_power is not null
      order by ts desc limit 1) n`.execute(db)
  return new Map(rows.map(({ key, at, kw }) => [key, { at: at.getTime(), kw }]))
}

interface RequestedShare {
  readonly profile: ShareProfile
  readonly commandId: string
  readonly raisedAt: Date | null
}

/** Stores the profile that is on its way to a charger. */
export const setRequested = (
  tx: TenantTx,
  chargerId: string,
  { profile, commandId, raisedAt }: RequestedShare,
) =>
  updateRows(tx, 'charging_group_member')
    .set({
      pending_profile: toJson(profile),
      pending_command_id: commandId,
      ...(raisedAt && { raised_at: raisedAt }),
    })
    .where('charger_id', '=', chargerId)
    .execute()

/** The member whose profile a command has sent; the group is locked. */
export const findByCommand = async (tx: TenantTx, chargerId: string, commandId: string) => {
  const row = await selectRows(tx, 'charging_group_member')
    .select(['accepted_profile', 'pending_profile', 'doubtful_w', 'refused_at'])
    .where('charger_id', '=', chargerId)
    .where('pending_command_id', '=', commandId)
    .executeTakeFirst()
  return (
    row && {
      accepted: row.accepted_profile,
      pending: row.pending_profile,
      doubtfulW: row.doubtful_w,
      refusedAt: row.refused_at?.getTime() ?? null,
    }
  )
}

interface SettledShare {
  readonly accepted: ShareProfile | null
  readonly doubtfulW: number | null
  readonly refusedAt: number | null
}

/** Stores the member after the end of its command. */
export const setSettled = (tx: TenantTx, chargerId: string, settled: SettledShare) =>
  updateRows(tx, 'charging_group_member')
    .set({
      accepted_profile: settled.accepted && toJson(settled.accepted),
      pending_profile: null,
      pending_command_id: null,
      doubtful_w: settled.doubtfulW,
      refused_at: settled.refusedAt === null ? null : new Date(settled.refusedAt),
    })
    .where('charger_id', '=', chargerId)
    .execute()
