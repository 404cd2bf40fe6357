export interface BrokerMessage {
  readonly topic: string
  readonly payload: Buffer
  readonly isRetained: boolean
}

export interface PublishOptions {
  /** Default 1: resolves when the broker has acknowledged the message. */
  readonly qos?: 0 | 1
  /** With `in_memory`, the embedded broker retains the message until it stops, without storing it. */
  readonly retain?: boolean | 'in_memory'
}

/**
 * The service's own connection to the message broker, embedded or external: it carries messages to gateways
 * and to the other processes of the service.
 */
export interface Broker {
  publish(topic: string, payload: Buffer | string, options?: PublishOptions): Promise<void>
  /**
   * Subscribes to a filter, which may contain `+` and `#`. Returns the function that unsubscribes. A
   * handler that throws is logged.
   */
  subscribe(filter: string, handler: (message: BrokerMessage) => void): Promise<() => Promise<void>>
}

/**
 * Whether a topic matches an MQTT filter (MQTT 3.1.1, 4.7); wildcards never match a first level that begins
 * with $.
 */
export function matchesFilter(filter: string, topic: string): boolean {
  if (topic.startsWith('$') && !filter.startsWith('$')) return false
  const wanted = filter.split('/')
  const levels = topic.split('/')
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return true
    if (index >= levels.length || (level !== '+' && level !== levels[index])) return false
  }
  return wanted.length === levels.length
}

/** A broker within the process: for a process without a connection to a real one, and for tests. */
export function makeLocalBroker(): Broker {
  const subscriptions = new Set<{ filter: string; handler: (message: BrokerMessage) => void }>()
  const retained = new Map<string, Buffer>()
  return {
    async publish(topic, payload, { retain = false } = {}) {
      const bytes = Buffer.from(payload)
      if (retain && bytes.length > 0) retained.set(topic, bytes)
      else if (retain) retained.delete(topic)
      for (const { filter, handler } of subscriptions) {
        if (matchesFilter(filter, topic)) handler({ topic, payload: bytes, isRetained: false })
      }
    },
    async subscribe(filter, handler) {
      const subscription = { filter, handler }
      subscriptions.add(subscription)
      for (const [topic, payload] of retained) {
        if (matchesFilter(filter, topic)) handler({ topic, payload, isRetained: true })
      }
      return async () => void subscriptions.delete(subscription)
    },
  }
}
