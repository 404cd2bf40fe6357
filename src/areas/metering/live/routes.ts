import { iso } from '../../../kernel/time.ts'
import { forAnyUser } from '../../../platform/http/access.ts'
import type { App, Principal } from '../../../platform/http/app-type.ts'
import type { UpgradeRouter } from '../../../platform/http/ws.ts'
import { addNumbers, noNumbers } from './hub.ts'
import { LIVE_MESSAGE_BYTES_MAX } from './limits.ts'
import type { LiveSockets } from './live.ts'
import type { ProcessNumbers } from './peers.ts'
import { Stats } from './schema.ts'
import type { Subscriber } from './subscriber.ts'

/** Sockets are no routes: they are hung up beside them, on the same server. */
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
          summary: 'Sockets for live values: how many, and what they were sent',
          description:
            'The socket itself is `/ws/telemetry?token=&devices=&since=` on the same port: messages and close codes ' +
            'are told in `docs/live.md`. Counts begin with the start of each process.',
          response: { 200: Stats },
        },
      },
      ({ principal }) => describe(sockets, principal),
    )
  }

function describe(sockets: LiveSockets, { isSuperuser, tenantId, tenantUid }: Principal) {
  const numbersOf = ({ all, tenants }: ProcessNumbers) =>
    isSuperuser ? all : (tenants.get(tenantUid) ?? noNumbers())
  const sum = noNumbers()
  const processes = sockets.processes().map((process, place) => {
    const numbers = numbersOf(process)
    addNumbers(sum, numbers)
    return {
      process_id: process.processId,
      is_self: place === 0,
      started_at: iso(process.startedAt),
      told_at: iso(process.toldAt),
      ...numbers,
    }
  })
  return {
    scope: isSuperuser ? ('all' as const) : ('tenant' as const),
    ...sum,
    processes,
    connections: sockets.list(isSuperuser ? undefined : tenantId).map(describeConnection),
  }
}

const describeConnection = ({ id, owner, devices, bufferedBytes, counts }: Subscriber) => ({
  id,
  user_id: owner.userId,
  connected_at: iso(owner.connectedAt),
  expires_at: iso(owner.expiresAt),
  devices: devices.size,
  buffered_bytes: bufferedBytes,
  ...counts,
})
