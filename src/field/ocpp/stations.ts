import {
  findCurrentConnections,
  recordActivity,
  recordDisconnections,
  type StationActivity,
} from '../../areas/charging/stations.ts'
import { OCPP_VERSIONS, type OcppVersion } from '../../kernel/ocpp.ts'
import { makeCoalescer } from '../../platform/async/coalesce.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import {
  OCPP_ACTIVITY_WRITES_PER_CHECK,
  OCPP_CONNECTION_CHECK_MS,
  OCPP_CONNECTIONS_PER_QUERY,
  OCPP_PING_EVERY_MS,
  OCPP_PINGS_MISSED_MAX,
} from './limits.ts'
import type { StationSocket } from './station.ts'
import { makeTakeovers } from './takeovers.ts'
import type { OcppDeps } from './types.ts'

const REPLACED = [1008, 'another connection of this station took its place'] as const
/**
 * The close code of a socket whose station connected to another process, or whose password, charger or
 * tenant changed or was deleted.
 */
const RELEASED = [1008, 'this connection does not hold the station any more'] as const

/** Activity of a station that is not written yet, epoch milliseconds. */
interface Activity {
  at: number
  heartbeatAt: number | undefined
}

export interface Stations {
  /** Makes this socket the current one of its station and closes the one before. */
  register(station: StationSocket): void
  /** The current socket of a charger in this process. */
  get(chargerId: string): StationSocket | undefined
  counts(): ReadonlyMap<OcppVersion, number>
  recordActivity(station: StationSocket): void
  recordHeartbeat(station: StationSocket): void
  /** Begins nothing new, and waits for the responses under way. */
  finish(): Promise<void>
  /** Stops the checks and writes the disconnections. */
  stop(): Promise<void>
}

export interface StationIntervals {
  readonly pingEveryMs: number
  readonly checkEveryMs: number
  /** Stations whose activity is written per check. */
  readonly writesPerCheck: number
}
const INTERVALS: StationIntervals = {
  pingEveryMs: OCPP_PING_EVERY_MS,
  checkEveryMs: OCPP_CONNECTION_CHECK_MS,
  writesPerCheck: OCPP_ACTIVITY_WRITES_PER_CHECK,
}

/**
 * The stations connected to this process: pings them, writes their activity in batches, and closes replaced
 * connections.
 */
export function makeStations(
  { database, clock, log }: Pick<OcppDeps, 'database' | 'clock' | 'log'>,
  { pingEveryMs, checkEveryMs: lookEveryMs, writesPerCheck: notesPerLook }: StationIntervals = INTERVALS,
): Stations {
  const registered = new Map<string, StationSocket>()
  const activities = new Map<StationSocket, Activity>()
  const db = systemDb(database.kysely)
  const writeDisconnections = makeCoalescer((gone: Parameters<typeof recordDisconnections>[1]) =>
    recordDisconnections(db, gone),
  )
  const takeovers = makeTakeovers({ database, clock, log })
  let checking: Promise<void> | undefined

  function release(station: StationSocket): void {
    const unwritten = activities.get(station)
    activities.delete(station)
    if (registered.get(station.chargerId) === station) registered.delete(station.chargerId)
    const heard = { messageAt: dateOf(unwritten?.at), heartbeatAt: dateOf(unwritten?.heartbeatAt) }
    writeDisconnections([{ ...idsOf(station), at: new Date(clock.now()), ...heard }]).catch((error: Error) =>
      log.warn({ reason: error.message }, 'the disconnection of a charging station was not written'),
    )
  }

  /**
   * Closes sockets whose station has a newer connection, in whichever process, or whose charger or tenant is
   * gone.
   */
  async function closeLost(suspects: readonly StationSocket[], holding: ReadonlySet<string>): Promise<void> {
    const lost = suspects.filter(({ connectionId, isOpen }) => isOpen && !holding.has(connectionId))
    for (const station of lost) station.close(...RELEASED)
    await takeovers.recordLost(lost)
  }

  /** Writes the oldest unwritten activity first, so that in a large fleet every station has its turn. */
  async function writeActivities(): Promise<ReadonlySet<StationSocket>> {
    const due = [...activities.keys()].slice(0, notesPerLook)
    const heard = due.map((station): StationActivity => {
      const { at, heartbeatAt } = activities.get(station) ?? { at: clock.now(), heartbeatAt: undefined }
      return { ...idsOf(station), at: new Date(at), heartbeatAt: dateOf(heartbeatAt) }
    })
    for (const station of due) activities.delete(station)
    await closeLost(due, await recordActivity(db, heard))
    return new Set(due)
  }

  async function checkConnections(): Promise<void> {
    keepAlive(registered.values(), pingEveryMs)
    try {
      const written = await writeActivities()
      const others = [...registered.values()].filter((station) => !written.has(station))
      for (const batch of batches(others)) await closeLost(batch, await findCurrentConnections(db, batch))
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the activity of charging stations was not written')
    }
  }

  const timer = setInterval(() => {
    checking ??= checkConnections().finally(() => {
      checking = undefined
    })
  }, lookEveryMs)

  return {
    register(station) {
      const before = registered.get(station.chargerId)
      registered.set(station.chargerId, station)
      station.onClose(() => release(station))
      if (before?.isOpen) takeovers.record(before, station)
      before?.close(...REPLACED)
    },
    get: (chargerId) => registered.get(chargerId),
    counts() {
      const counts = new Map<OcppVersion, number>(OCPP_VERSIONS.map((version) => [version, 0]))
      for (const { version } of registered.values()) counts.set(version, (counts.get(version) ?? 0) + 1)
      return counts
    },
    recordActivity(station) {
      const known = activities.get(station)
      if (known) known.at = clock.now()
      else activities.set(station, { at: clock.now(), heartbeatAt: undefined })
    },
    recordHeartbeat(station) {
      // Its activity may have been written meanwhile.
      const at = clock.now()
      const known = activities.get(station)
      if (known) known.heartbeatAt = at
      else activities.set(station, { at, heartbeatAt: at })
    },
    async finish() {
      await Promise.all([...registered.values()].map((station) => station.finish()))
    },
    async stop() {
      clearInterval(timer)
      await checking
      await takeovers.settled()
      await writeDisconnections([]).catch(() => {})
    },
  }
}

/**
 * Terminates a station by its unanswered pings and not by the clock alone: silence may also mean that we were
 * held up.
 */
function keepAlive(stations: Iterable<StationSocket>, pingEveryMs: number): void {
  const now = performance.now()
  for (const station of stations) {
    if (now - Math.max(station.lastActivityAt, station.pingedAt) <= pingEveryMs) continue
    if (station.unansweredPings + 1 >= OCPP_PINGS_MISSED_MAX) station.cut()
    else station.ping()
  }
}

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at))
const idsOf = ({ tenantId, chargerId, connectionId }: StationSocket) => ({
  tenantId,
  chargerId,
  connectionId,
})

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += OCPP_CONNECTIONS_PER_QUERY)
    yield items.slice(from, from + OCPP_CONNECTIONS_PER_QUERY)
}
