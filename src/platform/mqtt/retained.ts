import { MQTT_RETAINED_BYTES_PER_GATEWAY_MAX, MQTT_RETAINED_PER_GATEWAY_MAX } from './limits.ts'

interface Kept {
  readonly topics: Map<string, number>
  bytes: number
}

/** Counts what gateways ask the broker to retain, so that nobody fills its memory. */
export class RetainedBudget {
  private readonly gateways = new Map<string, Kept>()

  /** Whether a message may be retained; an empty one takes its topic's away. */
  allows(gatewayId: string, topic: string, bytes: number): boolean {
    const kept = this.gateways.get(gatewayId) ?? { topics: new Map<string, number>(), bytes: 0 }
    const before = kept.topics.get(topic) ?? 0
    if (bytes === 0) {
      kept.topics.delete(topic)
      kept.bytes -= before
      if (kept.topics.size === 0) this.gateways.delete(gatewayId)
      return true
    }
    const isNew = !kept.topics.has(topic)
    if (isNew && kept.topics.size >= MQTT_RETAINED_PER_GATEWAY_MAX) return false
    if (kept.bytes - before + bytes > MQTT_RETAINED_BYTES_PER_GATEWAY_MAX) return false
    kept.topics.set(topic, bytes)
    kept.bytes += bytes - before
    this.gateways.set(gatewayId, kept)
    return true
  }
}
