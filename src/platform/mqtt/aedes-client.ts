import { strict as assert } from 'node:assert'
import type { EventEmitter } from 'node:events'
import type { Client, PublishPacket } from 'aedes'
import { MQTT_EARLY_PACKETS_MAX } from './limits.ts'

/**
 * What we use of an aedes client beyond its declared interface. aedes reads on when the packets of one chunk are
 * done, or, by a quirk, at every further chunk: neither bounds what is in flight, and waiting for a commit would stop
 * pings as well. `meet` fails loudly at the first connection when another version of aedes looks different.
 */
interface Inside extends EventEmitter {
  connackSent: boolean
  _parser: EventEmitter & { parse(bytes: Buffer): number; packet?: { length?: number } }
  _parsingBatch: number
  _nextBatch(): void
  _keepaliveTimer: NodeJS.Timeout | null
  waitForDrain(done: () => void): void
  pause(): void
  resume(): void
}

interface TopicPacket {
  cmd: string
  subscriptions?: { topic: string }[]
  unsubscriptions?: string[]
}

export interface ClientHooks {
  /** The size of the packet that is arriving may not be above this. */
  readonly bytesMax: () => number
  readonly tooLarge: (bytes: number) => void
  /** Sees SUBSCRIBE and UNSUBSCRIBE before aedes does, and may change their topics. */
  readonly onTopics: (packet: TopicPacket) => void
}
export type { TopicPacket }

export interface ClientControl {
  /** Takes the next packets although the last ones are not settled. */
  readOn(): void
  pause(): void
  resume(): void
  /** Called when the other side has taken all that was written; aedes ends the connection when that takes too long. */
  onDrained(done: () => void): void
  /** The sender is held up by us, not silent. */
  keepAlive(): void
  /**
   * Reads nothing until aedes has answered the login. Aedes would handle a packet of a second segment before the
   * answer, and would end the connection at a FIN with everything that waits for the answer.
   */
  holdUntilConnack(): void
  /** The PUBLISHes that arrived before the answer to the login and that aedes has not handled. */
  takeEarly(): PublishPacket[]
}

export function controlClient(client: Client, { bytesMax, tooLarge, onTopics }: ClientHooks): ClientControl {
  const inside = client as unknown as Inside
  const parser = inside._parser
  assert.equal(typeof parser?.parse, 'function', 'aedes: the parser is not where it was')
  assert.equal(typeof inside._nextBatch, 'function', 'aedes: _nextBatch is not where it was')
  assert.equal(typeof inside.waitForDrain, 'function', 'aedes: waitForDrain is not where it was')
  assert.equal(typeof inside._parsingBatch, 'number', 'aedes: _parsingBatch is not where it was')
  let early: PublishPacket[] = []
  // Registered after aedes' own listener, which handles what has arrived early, unless the client is closed.
  inside.once('connected', () => {
    if (!client.closed) early = []
  })
  client.conn.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') parseRest()
  })
  /** Parses what the socket had received when the other side reset the connection. */
  function parseRest(): void {
    // Above zero, so that aedes queues packets until the login is answered.
    inside._parsingBatch = Math.max(1, inside._parsingBatch)
    for (let bytes = client.conn.read(); bytes !== null && !client.closed; bytes = client.conn.read())
      parser.parse(bytes)
  }
  const parse = parser.parse.bind(parser)
  parser.parse = (bytes) => {
    const left = parse(bytes)
    // The header of a packet whose rest is still to come.
    const announced = parser.packet?.length ?? 0
    if (announced > bytesMax()) tooLarge(announced)
    return left
  }
  parser.prependListener('packet', (packet: TopicPacket) => {
    if (packet.cmd === 'subscribe' || packet.cmd === 'unsubscribe') onTopics(packet)
    else if (packet.cmd === 'publish' && !inside.connackSent && early.length < MQTT_EARLY_PACKETS_MAX)
      early.push(packet as unknown as PublishPacket)
  })
  let isScheduled = false
  let isPaused = false
  const go = () => {
    isScheduled = false
    if (isPaused || client.closed) return
    inside._parsingBatch = 1
    inside._nextBatch()
  }
  return {
    readOn() {
      if (isScheduled) return
      isScheduled = true
      // Never from within the parser, which is not made to be called by itself.
      process.nextTick(go)
    },
    pause() {
      isPaused = true
      inside.pause()
    },
    resume() {
      isPaused = false
      inside._parsingBatch = 1
      process.nextTick(() => {
        if (!isPaused && !client.closed) inside.resume()
      })
    },
    onDrained: (done) => inside.waitForDrain(done),
    keepAlive: () => void inside._keepaliveTimer?.refresh(),
    holdUntilConnack: () => inside.pause(),
    takeEarly: () => early.splice(0),
  }
}
