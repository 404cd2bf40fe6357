import { Counter, Gauge, type Registry } from 'prom-client'
import { systemDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { type Channel, countPendingByChannel } from './delivery-store.ts'

export interface NotificationMetrics {
  readonly sent: Counter<'channel'>
  readonly failed: Counter<'channel'>
}

/**
 * The metrics of each registry. A registry accepts a metric name only once, so several notifiers share its
 * metrics.
 */
const metricsByRegistry = new WeakMap<Registry, NotificationMetrics>()

export function metricsOf({
  metrics: { registry },
  database,
  log,
}: Pick<Deps, 'metrics' | 'database' | 'log'>) {
  const before = metricsByRegistry.get(registry)
  if (before) return before
  const common = { labelNames: ['channel'] as const, registers: [registry] }
  new Gauge({
    ...common,
    name: 'netsaat_notifications_waiting',
    help:
      'Events of incidents that were not turned into notifications yet; users, webhooks and channels ' +
      'with pending notifications.',
    async collect() {
      // An unreachable database must not prevent the export of the other metrics.
      const waiting = await countPendingByChannel(systemDb(database.kysely)).catch((error: Error) =>
        log.warn({ reason: error.message }, 'the waiting notifications were not counted'),
      )
      for (const [channel, count] of Object.entries(waiting ?? {})) this.set({ channel }, count)
    },
  })
  const counters: NotificationMetrics = {
    sent: new Counter({
      ...common,
      name: 'netsaat_notifications_sent_total',
      help: 'Mails, deliveries to webhooks and messages to channels that were taken.',
    }),
    failed: new Counter({
      ...common,
      name: 'netsaat_notifications_failed_total',
      help: 'Attempts at them that failed; they are made again.',
    }),
  }
  for (const channel of ['email', 'webhook', 'channel', 'escalation'] satisfies (Channel | 'escalation')[])
    for (const counter of [counters.sent, counters.failed]) counter.inc({ channel }, 0)
  metricsByRegistry.set(registry, counters)
  return counters
}
