import { Counter, Gauge, type Registry } from 'prom-client'
import type { BrokerStats } from '../../platform/mqtt/broker-hooks.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'

export interface MessageCounts {
  /** Counts a message of a dialect. */
  message(dialect: string): void
  deadLetter(reason: string): void
}

interface Sources {
  readonly waiting: () => { readonly live: number; readonly backfill: number }
  /** The number of messages that the fast path took. */
  readonly fastPath: () => number
  /** The clock skews of the gateways, milliseconds. */
  readonly skews: () => number[]
  /** The statistics of the embedded broker; undefined without one. */
  readonly broker: () => BrokerStats | undefined
}

/** The dialect of the messages that the fast path takes. */
const FAST_PATH_DIALECT = 'canonical'
/** The metric counts clocks that differ by more than each of these, seconds. */
const SKEW_STEPS_S = [1, 10, 60, 300, 3600]

export function countMessages(
  { registry }: Metrics,
  { waiting, fastPath, skews, broker }: Sources,
): MessageCounts {
  const registers = [registry]
  showBroker(registry, broker)
  /**
   * Counted in a map and exported when the metrics are read: a counter of the library would cost more than
   * all other look-ups of a message.
   */
  const byDialect = new Map<string, number>()
  new Counter({
    name: 'netsaat_mqtt_messages_total',
    help: 'Messages of gateways, by the dialect that reads them.',
    labelNames: ['dialect'] as const,
    registers,
    collect() {
      this.reset()
      for (const [dialect, count] of byDialect) this.inc({ dialect }, count)
      if (fastPath() > 0) this.inc({ dialect: FAST_PATH_DIALECT }, fastPath())
    },
  })
  const deadLetters = new Counter({
    name: 'netsaat_mqtt_dead_letters_total',
    help: 'Messages of gateways that became dead letters, by reason.',
    labelNames: ['reason'] as const,
    registers,
  })
  new Gauge({
    name: 'netsaat_mqtt_waiting_messages',
    help: 'Messages of gateways that wait to be stored: live ones, and those from a store.',
    labelNames: ['lane'] as const,
    registers,
    collect() {
      const { live, backfill } = waiting()
      this.set({ lane: 'live' }, live)
      this.set({ lane: 'backfill' }, backfill)
    },
  })
  new Gauge({
    name: 'netsaat_gateway_clocks_off',
    help: 'Gateways whose clock is off by more than so many seconds.',
    labelNames: ['over_seconds'] as const,
    registers,
    collect() {
      const off = skews().map(Math.abs)
      for (const step of SKEW_STEPS_S) {
        this.set({ over_seconds: String(step) }, off.filter((ms) => ms > step * 1000).length)
      }
    },
  })
  return {
    message: (dialect) => void byDialect.set(dialect, (byDialect.get(dialect) ?? 0) + 1),
    deadLetter: (reason) => deadLetters.inc({ reason }),
  }
}

function showBroker(registry: Registry, broker: Sources['broker']): void {
  const registers = [registry]
  new Counter({
    name: 'netsaat_mqtt_refused_connections_total',
    help: 'Connections that the embedded broker refused, by reason.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of broker()?.refused ?? []) this.inc({ reason }, count)
    },
  })
  new Gauge({
    name: 'netsaat_mqtt_sessions',
    help: 'Connections to the embedded broker: all, and those that are not read because too much of theirs waits.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { sessions = 0, heldUp = 0 } = broker() ?? {}
      this.set({ state: 'open' }, sessions)
      this.set({ state: 'held_up' }, heldUp)
    },
  })
  new Gauge({
    name: 'netsaat_mqtt_in_flight_bytes',
    help: 'Messages of gateways at the embedded broker that are received and not yet acknowledged.',
    registers,
    collect() {
      this.set(broker()?.inFlightBytes ?? 0)
    },
  })
}
