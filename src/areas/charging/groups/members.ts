import type { TenantDb } from '../../../platform/db/tenant.ts'
import { NEED_READING_MAX_MS } from '../limits.ts'
import {
  type ChargingRow,
  type Draws,
  listCharging,
  listMembers,
  type MemberRow,
  readDraws,
} from './member-store.ts'
import type { Charging, Member } from './plan.ts'
import { needOf } from './share.ts'
import type { GroupRow } from './store.ts'

/** A member as the plan takes it, with its row. */
export interface KnownMember {
  readonly row: MemberRow
  readonly member: Member
}

function chargingOf(row: MemberRow, sessions: readonly ChargingRow[], draws: Draws | undefined): Charging[] {
  return sessions.map(({ session_id, started_at, device_key }) => {
    const drawn = draws?.get(device_key)
    const needW = needOf({
      drawnW: drawn ? drawn.kw * 1000 : null,
      drawnAt: drawn?.at ?? 0,
      // The station decides how its connectors divide its share; an equal part is assumed.
      shareW: (row.accepted_profile?.shareW ?? row.max_w) / sessions.length,
      sharedSince: Math.max(row.raised_at?.getTime() ?? 0, started_at.getTime()),
    })
    return { key: session_id, since: started_at.getTime(), needW }
  })
}

/** Reads the members of a group with their profiles and needs. */
export async function readMembers(db: TenantDb, group: GroupRow, now: Date): Promise<KnownMember[]> {
  const rows = await listMembers(db, group.id, now)
  const charging = await listCharging(db, group.id)
  const keys = [...new Set(charging.map((session) => session.device_key))]
  const since = new Date(now.getTime() - NEED_READING_MAX_MS)
  const draws = group.split === 'by_need' ? await readDraws(db, keys, since) : undefined
  return rows.map((row) => {
    const sessions = charging.filter(({ charger_id }) => charger_id === row.charger_id)
    const member: Member = {
      chargerId: row.charger_id,
      maxW: row.max_w,
      isReachable: row.is_online,
      isRestarted:
        row.booted_at !== null &&
        row.accepted_profile !== null &&
        row.booted_at.getTime() > row.accepted_profile.at,
      charging: chargingOf(row, sessions, draws),
      accepted: row.accepted_profile,
      pending: row.pending_profile,
      doubtfulW: row.doubtful_w,
      refusedAt: row.refused_at?.getTime() ?? null,
      raisedAt: row.raised_at?.getTime() ?? null,
    }
    return { row, member }
  })
}
