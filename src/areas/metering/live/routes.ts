import { iso } from '../../../kernel/time.ts'
import { forAnyUser } from '../../../platform/http/access.ts'
import type { App, Principal } from '../../../platform/http/app-type.ts'
import type { UpgradeRouter } from '../../../platform/http/ws.ts'
import { addStats, emptyStats } from './hub.ts'
import { LIVE_MESSAGE_BYTES_MAX } from './limits.ts'
import type { LiveSockets } from './live.ts'
import type { ProcessStats } from './peer-stats.ts'
import { Stats } from './schema.ts'
import type { Subscriber } from './subscriber.ts'

/** Registers /ws/telemetry with the upgrade router: a WebSocket is no Fastify route. */
export function acceptTelemetry(upgrades: UpgradeRouter, sockets: LiveSockets): void {
  upgrades.add({
    path: /^\/ws\/telemetry$/,
    messageBytesMax: LIVE_MESSAGE_BYTES_MAX,
    handle: (upgrade) => sockets.admit(upgrade),
  })
}

export const realtimeRoutes =
  (sockets: LiveSockets) =>
  (app: App): void => {
    app.get(
      '/stats',
      {
        ...forAnyUser,
        schema: {
          tags: ['live values'],
          operationId: 'getLiveStats',
          summary: 'Get the number of sockets for live values and their statistics',
          description:
            'The socket is `/ws/telemetry?token=&devices=&since=` on the same port; `docs/integrate/live.md` ' +
            'describes messages and close codes. Counters begin with the start of each process.',
          response: { 200: Stats },
        },
      },
      ({ principal }) => toStatsResponse(sockets, principal),
    )
  }

function toStatsResponse(sockets: LiveSockets, { isSuperuser, tenantId, tenantUid }: Principal) {
  const visibleStats = ({ all, tenants }: ProcessStats) =>
    isSuperuser ? all : (tenants.get(tenantUid) ?? emptyStats())
  const sum = emptyStats()
  const processes = sockets.processes().map((process, index) => {
    const stats = visibleStats(process)
    addStats(sum, stats)
    return {
      process_id: process.processId,
      is_self: index === 0,
      started_at: iso(process.startedAt),
      told_at: iso(process.reportedAt),
      ...stats,
    }
  })
  return {
    scope: isSuperuser ? ('all' as const) : ('tenant' as const),
    ...sum,
    processes,
    connections: sockets.list(isSuperuser ? undefined : tenantId).map(toConnectionResponse),
  }
}

const toConnectionResponse = ({ id, owner, devices, bufferedBytes, counts }: Subscriber) => ({
  id,
  user_id: owner.userId,
  connected_at: iso(owner.connectedAt),
  expires_at: iso(owner.expiresAt),
  devices: devices.size,
  buffered_bytes: bufferedBytes,
  ...counts,
})
