import { recordEvent, redactPasswords } from '../../areas/charging/stations.ts'
import type { OcppCallError } from './errors.ts'
import { inStationTx } from './fields.ts'
import {
  OCPP_REFUSALS_RECORDED_PER_MINUTE,
  OCPP_UNKNOWN_NAMES_MAX,
  OCPP_UNKNOWN_RECORDED_MAX,
} from './limits.ts'
import { storable } from './normalize-payload.ts'
import type { Call, StationSocket } from './station.ts'
import type { OcppDeps } from './types.ts'

const MINUTE_MS = 60_000
const PAYLOAD_NOTED_MAX = 1_000
const ACTION_NOTED_MAX = 50

/** What was not, or not wholly, understood of a station's messages, among its events: nobody else could tell what is lost. */
export interface ProtocolEvents {
  /** A message that was refused; a few a minute. */
  recordRefused(station: StationSocket, call: Call, refusal: OcppCallError): Promise<void>
  /** Properties that are not of OCPP and were left out: each kind of message that has them once. */
  recordUnknown(station: StationSocket, action: string, names: readonly string[]): Promise<void>
}

/** As it was sent, from its beginning. One that is nested so deep that it cannot be written has no beginning worth keeping. */
function excerpt(payload: unknown): string {
  try {
    return storable(JSON.stringify(redactPasswords(payload)).slice(0, PAYLOAD_NOTED_MAX))
  } catch {
    return ''
  }
}

export function makeProtocolEvents(deps: OcppDeps): ProtocolEvents {
  const { clock, log } = deps
  const recent = new WeakMap<StationSocket, { from: number; count: number }>()
  const reported = new WeakMap<StationSocket, Set<string>>()

  /** A note that cannot be kept stands in no message's way. */
  async function record(station: StationSocket, type: string, details: object): Promise<void> {
    const event = { type, details, now: new Date(clock.now()) }
    try {
      await inStationTx(deps, station, (tx) => recordEvent(tx, station, event))
    } catch (error) {
      log.warn({ reason: (error as Error).message, type }, 'what a station sent was not noted')
    }
  }

  return {
    async recordRefused(station, { action, payload }, { code, description }) {
      const now = clock.now()
      const minute = recent.get(station)
      const current = minute && now - minute.from < MINUTE_MS ? minute : { from: now, count: 0 }
      current.count += 1
      recent.set(station, current)
      if (current.count > OCPP_REFUSALS_RECORDED_PER_MINUTE) return
      const about = { action: storable(action.slice(0, ACTION_NOTED_MAX)), code, description }
      await record(station, 'message_refused', { ...about, payload: excerpt(payload) })
    },

    async recordUnknown(station, action, names) {
      const known = reported.get(station) ?? new Set()
      reported.set(station, known)
      const properties = names.slice(0, OCPP_UNKNOWN_NAMES_MAX).toSorted()
      const kind = `${action} ${properties.join(' ')}`
      if (known.has(kind) || known.size >= OCPP_UNKNOWN_RECORDED_MAX) return
      known.add(kind)
      log.info({ cpid: station.cpid, action, properties }, 'a charging station sends what is not of OCPP')
      await record(station, 'unknown_properties', { action, properties })
    },
  }
}
