import { randomUUID } from 'node:crypto'
import { makeTurns } from '../../../platform/async/concurrency-limit.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Upgrade } from '../../../platform/http/ws.ts'
import { makeAdmission, makeEntry, reasonOf } from './admission.ts'
import { type CrossingOut, LIVE_TOPICS, makeCrossingOut, makeCrossingReader } from './crossing.ts'
import { Hub } from './hub.ts'
import { LIVE_RECHECKS_AT_ONCE, LIVE_STATS_SOCKETS_MAX, LIVE_SWEEP_MS } from './limits.ts'
import { measureLive } from './live-metrics.ts'
import {
  makePeers,
  NUMBER_TOPICS,
  ownNumbers,
  type Peers,
  type ProcessNumbers,
  tellNumbers,
} from './peers.ts'
import type { Session } from './session.ts'
import type { Subscriber } from './subscriber.ts'
import { makeWatching } from './watching.ts'

/** Live values of one process. */
export interface Live {
  /** Of a process with the role realtime. */
  readonly sockets: LiveSockets | undefined
  stop(): Promise<void>
}

export interface LiveSockets {
  /** The handshake of /ws/telemetry. */
  admit(upgrade: Upgrade): Promise<void>
  /** This process first. */
  processes(): readonly ProcessNumbers[]
  /** Open sockets of this process, those that lost most first, at most LIVE_STATS_SOCKETS_MAX. */
  list(tenantId: number | undefined): readonly Subscriber[]
}

/**
 * Samples from the bus to the sockets. With an outside broker there may be several processes: each tells the others over it
 * what it stored, whether or not it has sockets itself.
 */
export function startLive(deps: Deps): Live {
  const { bus, config } = deps
  const processId = randomUUID()
  const crossing = config.mqttUrl ? makeCrossingOut(deps, processId) : undefined
  const serving = config.roles.includes('realtime') ? serve(deps, { processId, crossing }) : undefined
  if (!crossing && !serving) return { sockets: undefined, stop: async () => {} }
  const stopListening = bus.on('samples_stored', (stored) => {
    const { tenantId } = stored
    if (serving?.hub.isWatched(tenantId)) serving.hub.deliver(tenantId, stored.samples)
    crossing?.tell(tenantId, stored.samples)
  })
  return {
    sockets: serving?.sockets,
    async stop() {
      stopListening()
      crossing?.stop()
      await serving?.stop()
    },
  }
}

interface Serving {
  readonly hub: Hub
  readonly sockets: LiveSockets
  stop(): Promise<void>
}

interface Own {
  readonly processId: string
  readonly crossing: CrossingOut | undefined
}

function serve(deps: Deps, { processId, crossing }: Own): Serving {
  const { clock, config } = deps
  const hub = new Hub()
  const watching = makeWatching({ ...deps, hub })
  const sessions = new Set<Session>()
  const startedAt = clock.now()
  const own = () => ownNumbers(hub, { processId, startedAt, toldAt: clock.now() })
  measureLive(deps.metrics, { hub, crossing })
  const stopSweep = sweep({ deps, hub, watching, sessions })
  const linked = config.mqttUrl ? link(deps, { processId, hub, own }) : undefined
  return {
    hub,
    sockets: {
      admit: makeAdmission({ deps, hub, watching, onSession: (session) => void sessions.add(session) }),
      processes: () => [own(), ...(linked?.peers.list(clock.now()) ?? [])],
      list: (tenantId) =>
        [...hub.subscribers]
          .filter(({ owner }) => tenantId === undefined || owner.tenantId === tenantId)
          .sort((a, b) => b.counts.dropped - a.counts.dropped || a.owner.connectedAt - b.owner.connectedAt)
          .slice(0, LIVE_STATS_SOCKETS_MAX),
    },
    async stop() {
      stopSweep()
      await linked?.stop()
    },
  }
}

interface SweepOrder {
  readonly deps: Deps
  readonly hub: Hub
  readonly watching: ReturnType<typeof makeWatching>
  readonly sessions: Set<Session>
}

/** Looks after all sockets, every LIVE_SWEEP_MS. */
function sweep({ deps, hub, watching, sessions }: SweepOrder): () => void {
  const { clock, log } = deps
  const enter = makeEntry(deps)
  const turns = makeTurns({
    atOnce: LIVE_RECHECKS_AT_ONCE,
    waitingMax: Number.MAX_SAFE_INTEGER,
    refuse: () => new Error('too many sockets'),
  })

  /** A right that was taken away, a user or a device that is gone: known after LIVE_RECHECK_MS at the latest. */
  async function recheck({ subscriber }: Session): Promise<void> {
    const { tenantId, token } = subscriber.owner
    try {
      await enter(token)
      const { keys } = await watching.findDevices(tenantId, [...subscriber.devices])
      const gone = [...subscriber.devices].filter((id) => !keys.has(id))
      if (gone.length === 0) return
      hub.unwatch(subscriber, gone)
      subscriber.say({ type: 'unsubscribed', devices: gone })
    } catch (error) {
      const { reason } = reasonOf(error)
      if (reason !== 'tryAgain') return subscriber.close(reason)
      log.warn({ reason: (error as Error).message }, 'a socket could not be looked after')
    }
  }

  const timer = setInterval(() => {
    const now = clock.now()
    watching.forget(now)
    for (const session of sessions) {
      if (!hub.subscribers.has(session.subscriber)) sessions.delete(session)
      else {
        session.sweep(now)
        if (session.isRecheckDue(now)) void turns.take(() => recheck(session))
      }
    }
  }, LIVE_SWEEP_MS).unref()
  return () => clearInterval(timer)
}

interface LinkOrder {
  readonly processId: string
  readonly hub: Hub
  readonly own: () => ProcessNumbers
}

interface Linked {
  readonly peers: Peers
  stop(): Promise<void>
}

/** Listens to the other processes and tells them this one's numbers. */
function link(deps: Deps, { processId, hub, own }: LinkOrder): Linked {
  const { broker, clock, log } = deps
  const telling = tellNumbers(deps, own)
  const peers = makePeers(processId, () => clock.now(), telling.tell)
  const read = makeCrossingReader({
    processId,
    watchedTenant: (uid) => hub.watchedTenant(uid),
    deliver: (tenantId, samples) => hub.deliver(tenantId, samples),
  })
  const subscriptions = [broker.subscribe(LIVE_TOPICS, read), broker.subscribe(NUMBER_TOPICS, peers.hear)]
  for (const subscription of subscriptions) {
    subscription.catch((error: unknown) => log.error({ err: error }, 'other processes cannot be heard'))
  }
  telling.tell()
  return {
    peers,
    async stop() {
      telling.stop()
      const settled = await Promise.allSettled(subscriptions)
      const ends = settled.map((end) => (end.status === 'fulfilled' ? end.value() : undefined))
      await Promise.allSettled(ends)
    },
  }
}
