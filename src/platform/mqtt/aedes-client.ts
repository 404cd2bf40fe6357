import { strict as assert } from 'node:assert'
import type { EventEmitter } from 'node:events'
import type { Client } from 'aedes'

/**
 * What we use of an aedes client beyond its declared interface. aedes reads on when the packets of one chunk are
 * done, or, by a quirk, at every further chunk: neither bounds what is in flight, and waiting for a commit would stop
 * pings as well. `meet` fails loudly at the first connection when another version of aedes looks different.
 */
interface Inside {
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
}

export function controlClient(client: Client, { bytesMax, tooLarge, onTopics }: ClientHooks): ClientControl {
  const inside = client as unknown as Inside
  const parser = inside._parser
  assert.equal(typeof parser?.parse, 'function', 'aedes: the parser is not where it was')
  assert.equal(typeof inside._nextBatch, 'function', 'aedes: _nextBatch is not where it was')
  assert.equal(typeof inside.waitForDrain, 'function', 'aedes: waitForDrain is not where it was')
  assert.equal(typeof inside._parsingBatch, 'number', 'aedes: _parsingBatch is not where it was')
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
  }
}
