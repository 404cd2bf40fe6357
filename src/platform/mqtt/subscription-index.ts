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
  /** Goes up with everything that may change an answer. */
  private changes = 0

  constructor(mounted: GatewaySessions) {
    this.mounted = mounted
  }

  readonly change = (): void => {
    this.changes += 1
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

  hears(gatewayId: string, topic: ResolvedTopic): boolean {
    if (topic.askedAt === this.changes) return topic.isHeard
    topic.askedAt = this.changes
    topic.isHeard = this.isWanted(gatewayId, topic.whole)
    return topic.isHeard
  }

  private isWanted(gatewayId: string, topic: string): boolean {
    for (const filter of this.filters) if (matchesFilter(filter, topic)) return true
    return this.mounted.of(gatewayId).some((session) => session.isSubscribedTo(topic))
  }
}
