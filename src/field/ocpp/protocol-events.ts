import { recordEvent, redactPasswords } from '../../areas/charging/stations.ts'
import type { OcppCallError } from './errors.ts'
import { inStationTx } from './fields.ts'
import { type Call, payloadOf } from './frames.ts'
import {
  OCPP_MESSAGES_PER_SECOND,
  OCPP_REFUSALS_RECORDED_PER_MINUTE,
  OCPP_UNKNOWN_NAMES_MAX,
  OCPP_UNKNOWN_RECORDED_MAX,
} from './limits.ts'
import { storable } from './normalize-payload.ts'
import type { ChangedProperties } from './schemas.ts'
import type { StationSocket } from './station.ts'
import type { OcppDeps } from './types.ts'

const MINUTE_MS = 60_000
const PAYLOAD_NOTED_MAX = 1_000
const ACTION_NOTED_MAX = 50

interface ActionProperties {
  readonly action: string
  readonly names: readonly string[]
}

/**
 * Records unreadable parts of messages as events of the charger; otherwise their loss would not be visible.
 */
export interface ProtocolEvents {
  /** Records a refused message; OCPP_REFUSALS_RECORDED_PER_MINUTE at most. */
  recordRefused(station: StationSocket, call: Call, refusal: OcppCallError): Promise<void>
  /**
   * Records dropped properties that OCPP does not know, and descriptive texts that were cut: once per connection for
   * each action and set of names.
   */
  recordChanged(station: StationSocket, action: string, changed: ChangedProperties): Promise<void>
  /** Records that the messages of a connection are delayed: once per connection. */
  recordThrottled(station: StationSocket): Promise<void>
  /** Records that a connection was closed because of what the station sent. */
  recordExpelled(station: StationSocket, reason: string): Promise<void>
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
  const throttled = new WeakSet<StationSocket>()

  /** Stores an event. A failure is logged and never stops the message itself. */
  async function record(station: StationSocket, type: string, details: object): Promise<void> {
    const event = { type, details, now: new Date(clock.now()) }
    try {
      await inStationTx(deps, station, (tx) => recordEvent(tx, station, event))
    } catch (error) {
      log.warn({ reason: (error as Error).message, type }, 'an event of a charging station was not stored')
    }
  }

  async function recordOnce(station: StationSocket, type: string, { action, names }: ActionProperties) {
    if (names.length === 0) return
    const known = reported.get(station) ?? new Set()
    reported.set(station, known)
    const properties = names.slice(0, OCPP_UNKNOWN_NAMES_MAX).toSorted()
    const kind = [type, action, ...properties].join(' ')
    if (known.has(kind) || known.size >= OCPP_UNKNOWN_RECORDED_MAX) return
    known.add(kind)
    log.info({ cpid: station.cpid, type, action, properties }, 'a charging station deviates from OCPP')
    await record(station, type, { action, properties })
  }

  return {
    async recordRefused(station, call, { code, description }) {
      const now = performance.now()
      const minute = recent.get(station)
      const current = minute && now - minute.from < MINUTE_MS ? minute : { from: now, count: 0 }
      current.count += 1
      recent.set(station, current)
      if (current.count > OCPP_REFUSALS_RECORDED_PER_MINUTE) return
      const about = { action: storable(call.action.slice(0, ACTION_NOTED_MAX)), code, description }
      await record(station, 'message_refused', { ...about, payload: excerpt(payloadOf(call)) })
    },

    async recordThrottled(station) {
      if (throttled.has(station)) return
      throttled.add(station)
      await record(station, 'messages_throttled', { messages_per_second: OCPP_MESSAGES_PER_SECOND })
    },

    recordExpelled: (station, reason) => record(station, 'connection_closed', { reason }),

    async recordChanged(station, action, { unknown, truncated }) {
      await recordOnce(station, 'unknown_properties', { action, names: unknown })
      await recordOnce(station, 'truncated_properties', { action, names: truncated })
    },
  }
}
