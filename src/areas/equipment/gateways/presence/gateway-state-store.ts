import { byTenant } from '../../../../platform/db/by-tenant.ts'
import type { Database } from '../../../../platform/db/pool.ts'

export interface GatewayActivity {
  readonly tenantId: number
  readonly gatewayId: string
  /** Receipt time of the newest message, epoch milliseconds. */
  readonly at: number
  /** Null leaves it unchanged. */
  readonly clockSkewMs: number | null
}

// Locked rows are skipped until the next call, so that this statement never waits and cannot deadlock.
const UPDATE_LAST_SEEN = `
  with seen as (
    select * from unnest($2::uuid[], $3::float8[], $4::float8[]) as seen (id, at, skew)
  ), due as (
    select g.id, to_timestamp(seen.at / 1000) as at, seen.skew
    from gateway g join seen on g.id = seen.id where g.tenant_id = $1
    for no key update of g skip locked
  )
  update gateway g
  set last_seen = greatest(g.last_seen, due.at), clock_skew_ms = coalesce(due.skew, g.clock_skew_ms)
  from due where g.tenant_id = $1 and g.id = due.id`

/** Advances last_seen and stores the clock skew; one statement for each tenant. */
export async function updateLastSeen(
  { pool }: Database,
  activities: readonly GatewayActivity[],
): Promise<void> {
  for (const [tenantId, own] of byTenant(activities))
    await pool.query(UPDATE_LAST_SEEN, [
      tenantId,
      own.map(({ gatewayId }) => gatewayId),
      own.map(({ at }) => at),
      own.map(({ clockSkewMs }) => clockSkewMs),
    ])
}

export interface GatewayState {
  readonly isOnline: boolean
  /** Epoch milliseconds. */
  readonly at: number
  readonly firmwareVersion?: string | undefined
}

export const updateGatewayState = (
  { kysely }: Database,
  { tenantId, gatewayId }: { tenantId: number; gatewayId: string },
  { isOnline, at, firmwareVersion }: GatewayState,
) =>
  kysely
    .updateTable('gateway')
    .set((eb) => ({
      is_online: isOnline,
      // A later message shows that the gateway is back.
      offline_at: isOnline ? null : new Date(at),
      last_seen: eb.fn('greatest', ['last_seen', eb.val(new Date(at))]),
      ...(firmwareVersion !== undefined && { firmware_version: firmwareVersion }),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', gatewayId)
    .execute()

/** Sessions of the embedded broker end with its process, also after a crash. */
export const markAllOffline = ({ kysely }: Database, at: number) =>
  kysely
    .updateTable('gateway')
    .set({ is_online: false, offline_at: new Date(at) })
    .where('gateway_type', '<>', 'modbus')
    .where('is_online', '=', true)
    .execute()
