import { findReplacedConnections, recordTakeover } from '../../areas/charging/stations.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import { OCPP_TAKEOVERS_QUEUED_MAX } from './limits.ts'
import type { StationSocket } from './station.ts'
import type { OcppDeps } from './types.ts'

export interface Takeovers {
  /**
   * Records that an open socket lost its station to another one; `by` is known when that one is of this
   * process.
   */
  record(lost: StationSocket, by?: StationSocket): void
  /** Of open sockets that are no longer current, records those that a newer connection replaced. */
  recordLost(lost: readonly StationSocket[]): Promise<void>
  /** Resolves when everything recorded is written. */
  settled(): Promise<void>
}

/**
 * Counts how often stations lose their connection to another one: two stations with one identity do so for
 * ever.
 */
export function makeTakeovers({
  database,
  clock,
  log,
}: Pick<OcppDeps, 'database' | 'clock' | 'log'>): Takeovers {
  let queued = 0
  let recording = Promise.resolve()

  function record({ tenantId, chargerId, address }: StationSocket, by?: StationSocket): void {
    if (queued >= OCPP_TAKEOVERS_QUEUED_MAX) return
    queued += 1
    const takeover = { tenantId, chargerId, addresses: by ? [address, by.address] : [address] }
    recording = recording
      .then(() => recordTakeover({ database, clock }, takeover))
      .catch((error: Error) =>
        log.warn({ reason: error.message }, 'the takeover of a charging station connection was not recorded'),
      )
      .finally(() => {
        queued -= 1
      })
  }

  return {
    record: record,
    async recordLost(lost) {
      const taken = await findReplacedConnections(systemDb(database.kysely), lost)
      for (const station of lost) if (taken.has(station.connectionId)) record(station)
    },
    settled: () => recording,
  }
}
