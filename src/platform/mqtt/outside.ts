import { randomUUID } from 'node:crypto'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { OUTGOING_CALL_TIMEOUT_MS } from '../../kernel/limits.ts'
import { withTimeout } from '../async/with-timeout.ts'
import { type Broker, type BrokerMessage, matchesFilter } from '../messaging/broker.ts'
import type { BrokerLog } from './broker-log.ts'
import {
  MQTT_CONNECT_TIMEOUT_MS,
  MQTT_LINK_KEEPALIVE_S,
  MQTT_LINK_PUBLISHES_MAX,
  MQTT_LINK_RECONNECT_MS,
} from './limits.ts'

export interface OutsideBroker extends Broker {
  isConnected(): boolean
  close(): Promise<void>
}

export interface LinkOptions {
  readonly url: string
  readonly log: BrokerLog
}

const UNSUPPORTED_VERSION = new Set([1, 132])

/** A connection that comes back by itself. Speaks MQTT 5, or 3.1.1 with a broker that knows nothing newer. */
export function dial({ url, log }: LinkOptions, options: IClientOptions): MqttClient {
  const client = mqtt.connect(url, {
    protocolVersion: 5,
    keepalive: MQTT_LINK_KEEPALIVE_S,
    reconnectPeriod: MQTT_LINK_RECONNECT_MS,
    connectTimeout: MQTT_CONNECT_TIMEOUT_MS,
    reconnectOnConnackError: true,
    resubscribe: true,
    queueQoSZero: false,
    ...options,
  })
  let wasAway = false
  client.on('connect', () => {
    if (wasAway) log.info('the message broker is back')
    wasAway = false
  })
  client.on('close', () => {
    if (!wasAway && !client.disconnecting) log.warn('the message broker is out of reach')
    wasAway = true
  })
  client.on('error', (error) => {
    log.warn({ reason: error.message }, 'MQTT_URL: the link to the message broker reports an error')
    const code = 'code' in error ? Number(error.code) : 0
    if (client.options.protocolVersion === 5 && UNSUPPORTED_VERSION.has(code))
      client.options.protocolVersion = 4
  })
  return client
}

/** The service's own link to an outside broker: for what its parts say, not for what gateways send. */
export function linkOutside(order: LinkOptions): OutsideBroker {
  const { log } = order
  // The library reports a subscription from before the first connection as failed, and makes it all the same.
  const client = dial(order, { clientId: `netsaat-link-${randomUUID()}`, clean: true, resubscribe: false })
  const subscriptions = new Set<{ filter: string; handler: (message: BrokerMessage) => void }>()
  const ask = (filter: string): void => {
    client.subscribe(filter, { qos: 1 }, (error) => {
      if (error && !client.disconnecting) log.warn({ reason: error.message, filter }, 'a subscription failed')
    })
  }
  client.on('connect', () => {
    for (const filter of new Set([...subscriptions].map((one) => one.filter))) ask(filter)
  })
  let publishing = 0
  client.on('message', (topic, payload, { retain }) => {
    for (const { filter, handler } of subscriptions) {
      if (!matchesFilter(filter, topic)) continue
      try {
        handler({ topic, payload, isRetained: retain })
      } catch (error) {
        log.warn({ err: error, topic }, 'a listener of the broker failed')
      }
    }
  })
  return {
    isConnected: () => client.connected,
    async publish(topic, payload, { qos = 1, retain = false } = {}) {
      if (!client.connected) throw new Error('the message broker is out of reach')
      if (publishing >= MQTT_LINK_PUBLISHES_MAX) throw new Error('the message broker takes too little')
      publishing += 1
      try {
        const sent = client.publishAsync(topic, payload, { qos, retain: retain !== false })
        await withTimeout(
          OUTGOING_CALL_TIMEOUT_MS,
          sent,
          () => new Error('the message broker does not answer'),
        )
      } finally {
        publishing -= 1
      }
    },
    async subscribe(filter, handler) {
      const subscription = { filter, handler }
      subscriptions.add(subscription)
      if (client.connected) ask(filter)
      return async () => {
        subscriptions.delete(subscription)
        if ([...subscriptions].some((other) => other.filter === filter)) return
        if (client.connected) client.unsubscribe(filter)
      }
    },
    close: () => client.endAsync(true),
  }
}
