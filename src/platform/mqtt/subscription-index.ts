import { matchesFilter } from '../messaging/broker.ts'
import type { GatewaySessions } from './gateway-sessions.ts'
import type { ResolvedTopic } from './session.ts'

/**
 * Who listens to what: hardly anybody to telemetry, which is for the service itself. What nobody listens to
 * need not be offered to subscribers, and that is most of what a broker does for a message.
 */
export class SubscriptionIndex {
  private readonly mounted: GatewaySessions
  /** Of the service's own parts, which hear everybody. */
  private readonly filters = new Set<string>()
  /** Increases with every change of subscriptions; it invalidates the results that topics cache. */
  private version = 0

  constructor(mounted: GatewaySessions) {
    this.mounted = mounted
  }

  readonly change = (): void => {
    this.version += 1
  }

  /** Returns how to stop. */
  add(filter: string): () => void {
    this.filters.add(filter)
    this.change()
    return () => {
      this.filters.delete(filter)
      this.change()
    }
  }

  /** Whether anybody but the intake receives the topic of a gateway. The result is cached in the topic. */
  hasSubscribers(gatewayId: string, topic: ResolvedTopic): boolean {
    if (topic.subscriptionsVersion === this.version) return topic.hasSubscribers
    topic.subscriptionsVersion = this.version
    topic.hasSubscribers = this.isWanted(gatewayId, topic.whole)
    return topic.hasSubscribers
  }

  private isWanted(gatewayId: string, topic: string): boolean {
    for (const filter of this.filters) if (matchesFilter(filter, topic)) return true
    return this.mounted.sessionsOf(gatewayId).some((session) => session.isSubscribedTo(topic))
  }
}
