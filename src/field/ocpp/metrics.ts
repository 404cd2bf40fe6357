import { Counter, Gauge, Histogram } from 'prom-client'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'

export interface OcppMetrics {
  /** Messages of stations by action (`other` for an unhandled one) and outcome. */
  readonly messages: Counter<'action' | 'outcome'>
  /** Seconds from a station's message until its response is ready. */
  readonly answerSeconds: Histogram<'action'>
  /** Seconds of our calls to stations. */
  readonly callSeconds: Histogram<'action' | 'outcome'>
  readonly handshakes: Counter<'outcome'>
}

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

export function makeOcppMetrics(
  { registry }: Metrics,
  countStations: () => ReadonlyMap<OcppVersion, number>,
): OcppMetrics {
  const registers = [registry]
  new Gauge({
    name: 'netsaat_ocpp_stations',
    help: 'Charging stations that are connected to this process, by version.',
    labelNames: ['version'] as const,
    registers,
    collect() {
      for (const [version, count] of countStations()) this.set({ version }, count)
    },
  })
  return {
    messages: new Counter({
      name: 'netsaat_ocpp_messages_total',
      help: 'Messages of charging stations, by action and what became of them.',
      labelNames: ['action', 'outcome'] as const,
      registers,
    }),
    answerSeconds: new Histogram({
      name: 'netsaat_ocpp_answer_seconds',
      help: 'How long the answer to a message of a charging station took, by action.',
      labelNames: ['action'] as const,
      buckets: BUCKETS,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'netsaat_ocpp_call_seconds',
      help: 'How long charging stations took for our calls, by action and outcome.',
      labelNames: ['action', 'outcome'] as const,
      buckets: BUCKETS,
      registers,
    }),
    handshakes: new Counter({
      name: 'netsaat_ocpp_handshakes_total',
      help: 'Handshakes of charging stations, by what became of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
  }
}
