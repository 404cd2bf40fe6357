import { noteTakeover, takenOver } from '../../areas/charging/index.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import { OCPP_TAKEOVERS_WAITING_MAX } from './limits.ts'
import type { StationSocket } from './station.ts'
import type { OcppDeps } from './types.ts'

export interface Takeovers {
  /** A socket that was open lost its station to another one, which is known when it is of this process. */
  note(lost: StationSocket, by?: StationSocket): void
  /** Of open sockets that hold their stations no more, notes those that lost them to a newer one. */
  look(lost: readonly StationSocket[]): Promise<void>
  /** What is being noted is written. */
  settled(): Promise<void>
}

/** Counts how often stations lose their connection to another one: two of one identity do so for ever. */
export function makeTakeovers({
  database,
  clock,
  log,
}: Pick<OcppDeps, 'database' | 'clock' | 'log'>): Takeovers {
  let waiting = 0
  let noting = Promise.resolve()

  function note({ tenantId, chargerId, address }: StationSocket, by?: StationSocket): void {
    if (waiting >= OCPP_TAKEOVERS_WAITING_MAX) return
    waiting += 1
    const takeover = { tenantId, chargerId, addresses: by ? [address, by.address] : [address] }
    noting = noting
      .then(() => noteTakeover({ database, clock }, takeover))
      .catch((error: Error) =>
        log.warn({ reason: error.message }, 'that a station was taken over was not noted'),
      )
      .finally(() => {
        waiting -= 1
      })
  }

  return {
    note,
    async look(lost) {
      const taken = await takenOver(systemDb(database.kysely), lost)
      for (const station of lost) if (taken.has(station.connectionId)) note(station)
    },
    settled: () => noting,
  }
}
