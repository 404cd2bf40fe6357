import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../../platform/observability/metrics.ts'
import type { CrossProcessPublisher } from './cross-process.ts'
import type { Hub } from './hub.ts'

/** Registers metrics that read the existing counters when they are collected. */
export function registerLiveMetrics(
  { registry }: Metrics,
  { hub, publisher }: { hub: Hub; publisher: CrossProcessPublisher | undefined },
) {
  const registers = [registry]
  new Gauge({
    name: 'netsaat_live_sockets',
    help: 'Open sockets for live values.',
    registers,
    collect() {
      this.set(hub.subscribers.size)
    },
  })
  new Counter({
    name: 'netsaat_live_samples_total',
    help:
      'Samples for sockets: sent; coalesced, because a client was slow; dropped, because newer ' +
      'ones took their place.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      const { sent, coalesced, dropped } = hub.stats()
      this.reset()
      for (const [outcome, count] of Object.entries({ sent, coalesced, dropped }))
        this.inc({ outcome }, count)
    },
  })
  new Counter({
    name: 'netsaat_live_rejected_total',
    help: 'Rejected sockets, by reason.',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of hub.rejectedByReason) this.inc({ reason }, count)
    },
  })
  new Counter({
    name: 'netsaat_live_crossing_samples_total',
    help: 'Samples published to other processes over the link, and those that could not be published in time.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset()
      if (!publisher) return
      this.inc({ outcome: 'told' }, publisher.counts.sent)
      this.inc({ outcome: 'lost' }, publisher.counts.dropped)
    },
  })
}
