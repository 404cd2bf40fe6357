import { randomUUID } from 'node:crypto'
import { makeConcurrencyLimit } from '../../../platform/async/concurrency-limit.ts'
import type { Upgrade } from '../../../platform/http/ws.ts'
import type { ProcessLink } from '../../../platform/messaging/process-link.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { ClientConnection } from './client-connection.ts'
import {
  type CrossProcessPublisher,
  LIVE_TOPICS,
  makeCrossProcessPublisher,
  makeCrossProcessReceiver,
} from './cross-process.ts'
import { makeHandshakeHandler, makeTokenAuthorizer, toRejected } from './handshake.ts'
import { Hub } from './hub.ts'
import { announceInterest } from './interest.ts'
import { LIVE_RECHECKS_CONCURRENT_MAX, LIVE_STATS_SOCKETS_MAX, LIVE_SWEEP_MS } from './limits.ts'
import { registerLiveMetrics } from './metrics.ts'
import {
  collectStats,
  makePeerStats,
  type PeerStats,
  type ProcessStats,
  STATS_TOPICS,
  startStatsPublisher,
} from './peer-stats.ts'
import type { Subscriber } from './subscriber.ts'
import { makeSubscriptions } from './subscriptions.ts'

/**
 * Live values: committed samples are pushed to WebSockets, in this process and in all others.
 *
 * Purpose. A dashboard shows a sample moments after its commit, and never one that is not stored. Intake
 * emits `samples_stored` on the bus after the commit; `startLive` connects that event to the sockets of
 * this process (Hub) and, over the link between processes, to those of the other processes (CrossProcessPublisher).
 *
 * Components, from the event to the wire:
 *   hub.ts                subscription index by tenant and device
 *   subscriber.ts         sending side of one socket: coalescing for slow clients, holding during a backfill
 *   latest-values.ts      the newest values that a slow client has not been sent yet
 *   client-connection.ts  receiving side of one socket: requests, flood control, liveness, token expiry
 *   subscriptions.ts      subscribe with backfill from `since`
 *   backfill.ts           selection of the backfill and memory of what it sent
 *   handshake.ts          origin, token, parameters, capacity
 *   cross-process.ts      samples between processes, over the link
 *   interest.ts           which tenants' samples a process wants, over a link that is a broadcast
 *   peer-stats.ts         statistics of all processes for GET /ws/stats
 *
 * Modes, by configuration:
 *   role realtime, no link       sockets, fed by this process alone
 *   role realtime and a link     sockets, fed by this process and by the others; stored samples are published
 *   a link only                  no sockets; stored samples are published for the others
 *   neither                      nothing runs
 *
 * Trade-offs:
 * - At most once between processes (QoS 0, batches of LIVE_PUBLISH_LINGER_MS). A lost live value is stored
 *   all the same, and a client reads it with `since`; a queue for it would grow while the link is away.
 * - Bounded memory for slow clients: they get the newest values instead of all samples, and `skipped`
 *   counts the rest.
 * - No gap and no duplicates after a reconnect: the socket subscribes first, then reads the store, and
 *   holds live samples meanwhile. Backfilled samples are remembered for LIVE_BACKFILL_REMEMBERED_MS,
 *   because an announcement of a commit may arrive after the read that has seen it.
 * - Permissions are verified again every LIVE_RECHECK_MS, so that a revoked permission closes an open
 *   socket.
 *
 * docs/integrate/live.md is the protocol; docs/adr/0031-live-values.md has the reasons.
 */
export interface Live {
  /** Undefined in a process without the role realtime. */
  readonly sockets: LiveSockets | undefined
  stop(): Promise<void>
}

export interface LiveSockets {
  /** Handles an upgrade of /ws/telemetry. */
  admit(upgrade: Upgrade): Promise<void>
  /** Statistics by process, this one first. */
  processes(): readonly ProcessStats[]
  /**
   * Open sockets of this process, those with the most dropped samples first, at most
   * LIVE_STATS_SOCKETS_MAX.
   */
  list(tenantId: number | undefined): readonly Subscriber[]
}

/** Starts live values in the mode that the configuration selects: see above. */
export function startLive(deps: Deps): Live {
  const { bus, config, link } = deps
  const processId = randomUUID()
  const publisher = link ? makeCrossProcessPublisher(deps, processId) : undefined
  const serving = config.roles.includes('realtime')
    ? startServing(deps, { processId, publisher: publisher })
    : undefined
  if (!publisher && !serving) return { sockets: undefined, stop: async () => {} }
  const stopListening = bus.on('samples_stored', (stored) => {
    const { tenantId } = stored
    if (serving?.hub.isWatched(tenantId)) serving.hub.deliver(tenantId, stored.samples)
    publisher?.publish(tenantId, stored.samples)
  })
  return {
    sockets: serving?.sockets,
    async stop() {
      stopListening()
      await publisher?.stop()
      await serving?.stop()
    },
  }
}

interface Serving {
  readonly hub: Hub
  readonly sockets: LiveSockets
  stop(): Promise<void>
}

interface ServingOptions {
  readonly processId: string
  readonly publisher: CrossProcessPublisher | undefined
}

function startServing(deps: Deps, { processId, publisher }: ServingOptions): Serving {
  const { clock, link } = deps
  const hub = new Hub()
  const subscriptions = makeSubscriptions({ ...deps, hub })
  const connections = new Set<ClientConnection>()
  const startedAt = clock.now()
  const localStats = () => collectStats(hub, { processId, startedAt, reportedAt: clock.now() })
  registerLiveMetrics(deps.metrics, { hub, publisher: publisher })
  const stopSweep = startSweep({ deps, hub, subscriptions: subscriptions, connections: connections })
  const peerLink = link ? startPeerLink(deps, link, { processId, hub, localStats: localStats }) : undefined
  return {
    hub,
    sockets: {
      admit: makeHandshakeHandler({
        deps,
        hub,
        subscriptions: subscriptions,
        onConnection: (connection) => void connections.add(connection),
      }),
      processes: () => [localStats(), ...(peerLink?.peers.list(clock.now()) ?? [])],
      list: (tenantId) =>
        [...hub.subscribers]
          .filter(({ owner }) => tenantId === undefined || owner.tenantId === tenantId)
          .sort((a, b) => b.counts.dropped - a.counts.dropped || a.owner.connectedAt - b.owner.connectedAt)
          .slice(0, LIVE_STATS_SOCKETS_MAX),
    },
    async stop() {
      stopSweep()
      await peerLink?.stop()
    },
  }
}

interface SweepOptions {
  readonly deps: Deps
  readonly hub: Hub
  readonly subscriptions: ReturnType<typeof makeSubscriptions>
  readonly connections: Set<ClientConnection>
}

/** Maintains all sockets every LIVE_SWEEP_MS; returns the function that stops it. */
function startSweep({ deps, hub, subscriptions, connections }: SweepOptions): () => void {
  const { clock, log } = deps
  const authorize = makeTokenAuthorizer(deps)
  const limiter = makeConcurrencyLimit({
    atOnce: LIVE_RECHECKS_CONCURRENT_MAX,
    waitingMax: Number.MAX_SAFE_INTEGER,
    refuse: () => new Error('too many sockets'),
  })

  /** Applies revoked permissions and deleted users or devices, after LIVE_RECHECK_MS at the latest. */
  async function recheck({ subscriber }: ClientConnection): Promise<void> {
    const { tenantId, token } = subscriber.owner
    try {
      await authorize(token)
      const { keys } = await subscriptions.findDevices(tenantId, [...subscriber.devices])
      const deleted = [...subscriber.devices].filter((id) => !keys.has(id))
      if (deleted.length === 0) return
      hub.unwatch(subscriber, deleted)
      subscriber.send({ type: 'unsubscribed', devices: deleted })
    } catch (error) {
      const { reason } = toRejected(error)
      if (reason !== 'tryAgain') return subscriber.close(reason)
      log.warn({ reason: (error as Error).message }, 'rechecking a live socket failed')
    }
  }

  const timer = setInterval(() => {
    const now = clock.now()
    subscriptions.expireBackfills(now)
    for (const connection of connections) {
      if (!hub.subscribers.has(connection.subscriber)) connections.delete(connection)
      else {
        connection.sweep(now)
        if (connection.isRecheckDue(now)) void limiter.run(() => recheck(connection))
      }
    }
  }, LIVE_SWEEP_MS).unref()
  return () => clearInterval(timer)
}

interface PeerLinkOptions {
  readonly processId: string
  readonly hub: Hub
  readonly localStats: () => ProcessStats
}

interface PeerLink {
  readonly peers: PeerStats
  stop(): Promise<void>
}

/** Subscribes to samples and statistics of the other processes, and publishes the statistics of this one. */
function startPeerLink(
  deps: Deps,
  link: ProcessLink,
  { processId, hub, localStats }: PeerLinkOptions,
): PeerLink {
  const { clock, log } = deps
  const stopAnnouncing = link.isBroadcast ? announceInterest(deps, hub, processId) : async () => {}
  const statsPublisher = startStatsPublisher(deps, localStats)
  const peers = makePeerStats(processId, () => clock.now(), statsPublisher.publish)
  const read = makeCrossProcessReceiver({
    processId,
    watchedTenant: (uid) => hub.watchedTenant(uid),
    deliver: (tenantId, samples) => hub.deliver(tenantId, samples),
  })
  const subscriptions = [link.subscribe(LIVE_TOPICS, read), link.subscribe(STATS_TOPICS, peers.receive)]
  for (const subscription of subscriptions) {
    subscription.catch((error: unknown) =>
      log.error({ err: error }, 'subscribing to the live values of other processes failed'),
    )
  }
  statsPublisher.publish()
  return {
    peers,
    async stop() {
      statsPublisher.stop()
      await stopAnnouncing()
      const settled = await Promise.allSettled(subscriptions)
      const ends = settled.map((end) => (end.status === 'fulfilled' ? end.value() : undefined))
      await Promise.allSettled(ends)
    },
  }
}
