import { setTimeout as sleep } from 'node:timers/promises'
import type { MqttClient, Packet } from 'mqtt'
import { MQTT_PACKET_BYTES_MAX, MQTT_STOP_MAX_MS, OUTGOING_CALL_TIMEOUT_MS } from '../../kernel/limits.ts'
import { withTimeout } from '../async/with-timeout.ts'
import {
  MQTT_LINK_QUIET_MS,
  MQTT_LINK_SESSION_S,
  MQTT_LINK_WINDOW_BYTES,
  MQTT_LINK_WINDOW_MESSAGES,
} from './limits.ts'
import { dial, type LinkOptions } from './outside.ts'
import { ReceiveWindow, WindowPool } from './receive-window.ts'

export interface ReceivedMessage {
  readonly topic: string
  readonly payload: Buffer
}

export interface ReceiverOptions extends LinkOptions {
  /** The broker keeps messages for it while we are away. */
  readonly clientId: string
  readonly filters: readonly string[]
  /** As in the embedded broker: when it resolves the message is acknowledged. */
  readonly take: (message: ReceivedMessage) => Promise<void> | undefined
}

export interface Receiver {
  isConnected(): boolean
  /** What is received and not yet settled. */
  inFlight(): number
  /** Takes nothing new, lets what was received be stored and acknowledged, and leaves; the broker goes on keeping. */
  close(): Promise<void>
  /**
   * Takes what the broker has kept, while new messages go to the others of the share, and ends the session there.
   * False: it was not finished, because the broker went away or the service stops.
   */
  retire(): Promise<boolean>
}

const PUBACK = 0x40

/** A PUBACK of MQTT 3.1.1, which in MQTT 5 says success. */
const puback = (messageId: number): Buffer => Buffer.from([PUBACK, 2, messageId >> 8, messageId & 0xff])

/** What a message on its way needs for its acknowledgement: a number means something on its own connection only. */
interface Ticket {
  readonly messageId: number
  readonly stream: MqttClient['stream']
}

interface PublishPacket {
  cmd: 'publish'
  qos: 0 | 1 | 2
  messageId?: number
  topic: string
  payload: Buffer | string
}

/**
 * Receives gateways' messages from an outside broker and acknowledges each when it is committed. The client library
 * handles one QoS 1 message at a time when its acknowledgement has to wait, a commit for each. So we take the
 * acknowledging over: to the library every message is QoS 0, and what is received and not yet settled is bounded by a
 * window; beyond it the socket is not read.
 */
export function receive(order: ReceiverOptions): Receiver {
  const { clientId, filters, take, log } = order
  const client = dial(order, {
    clientId,
    clean: false,
    properties: {
      sessionExpiryInterval: MQTT_LINK_SESSION_S,
      receiveMaximum: MQTT_LINK_WINDOW_MESSAGES,
      maximumPacketSize: MQTT_PACKET_BYTES_MAX,
    },
  })
  const tickets = new WeakMap<object, Ticket>()
  let isClosing = false
  let isRetiring = false
  let lastAt = performance.now()
  let goOn: (() => void) | undefined
  const pool = new WindowPool(
    { messages: MQTT_LINK_WINDOW_MESSAGES, bytes: MQTT_LINK_WINDOW_BYTES },
    MQTT_LINK_WINDOW_BYTES,
  )
  const window = new ReceiveWindow(pool, {
    pause() {
      // `handleMessage` sees it.
    },
    resume() {
      goOn?.()
      goOn = undefined
    },
  })

  client.on('packetreceive', (packet: Packet) => {
    if (packet.cmd !== 'publish' || packet.qos !== 1 || packet.messageId === undefined) return
    tickets.set(packet, { messageId: packet.messageId, stream: client.stream })
    packet.qos = 0
  })

  const settle = (packet: object, error: Error | undefined): void => {
    const ticket = tickets.get(packet)
    if (error) log.warn({ reason: error.message }, 'a message of the broker was not stored')
    // Of a connection that is gone: the broker sends it again on the next one.
    if (error || !ticket || ticket.stream !== client.stream || !client.connected) return
    ticket.stream.write(puback(ticket.messageId))
  }

  client.handleMessage = (packet, done) => {
    const { topic, payload } = packet as PublishPacket
    if (isClosing) return
    lastAt = performance.now()
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    window.enter(bytes.length, take({ topic, payload: bytes }), (error) => settle(packet, error))
    if (window.isPaused) goOn = done
    else done()
  }

  client.on('connect', () => {
    lastAt = performance.now()
    if (isRetiring) return
    client.subscribe([...filters], { qos: 1 }, (error) => {
      if (error && !client.disconnecting)
        log.warn({ reason: error.message }, 'the subscription to gateways failed')
    })
  })

  return {
    isConnected: () => client.connected,
    inFlight: () => window.size,
    async close() {
      isClosing = true
      for (let waitedMs = 0; window.size > 0 && waitedMs < MQTT_STOP_MAX_MS; waitedMs += 10) await sleep(10)
      await client.endAsync(true)
    },
    async retire() {
      isRetiring = true
      if (!client.connected) await connected(client)
      await client.unsubscribeAsync([...filters])
      for (;;) {
        await sleep(MQTT_LINK_QUIET_MS / 10)
        if (isClosing || !client.connected) return false
        if (window.size === 0 && performance.now() - lastAt > MQTT_LINK_QUIET_MS) break
      }
      await client.endAsync(true)
      await endSession(order)
      return true
    },
  }
}

const connected = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => void client.once('connect', () => resolve()))

/** A clean session takes the place of the kept one, and ends with its connection. */
async function endSession({ clientId, ...order }: ReceiverOptions): Promise<void> {
  const client = dial(order, { clientId, clean: true, properties: { sessionExpiryInterval: 0 } })
  try {
    await withTimeout(
      OUTGOING_CALL_TIMEOUT_MS,
      connected(client),
      () => new Error('the broker does not answer'),
    )
  } finally {
    await client.endAsync()
  }
}
