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

/**
 * Records as events of a charger what could not be read of its messages: nothing else would show what is
 * lost.
 */
export interface ProtocolEvents {
  /** Records a refused message; OCPP_REFUSALS_RECORDED_PER_MINUTE at most. */
  recordRefused(station: StationSocket, call: Call, refusal: OcppCallError): Promise<void>
  /** Records dropped properties that OCPP does not know, once per action and set of names. */
  recordUnknown(station: StationSocket, action: string, names: readonly string[]): Promise<void>
}

/** The beginning of a payload as it was sent; empty for one that is nested too deep to be serialized. */
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

  /** Stores an event. A failure is logged and never stops the message itself. */
  async function record(station: StationSocket, type: string, details: object): Promise<void> {
    const event = { type, details, now: new Date(clock.now()) }
    try {
      await inStationTx(deps, station, (tx) => recordEvent(tx, station, event))
    } catch (error) {
      log.warn({ reason: (error as Error).message, type }, 'an event of a charging station was not stored')
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
      log.info(
        { cpid: station.cpid, action, properties },
        'a charging station sends properties that OCPP does not know',
      )
      await record(station, 'unknown_properties', { action, properties })
    },
  }
}
