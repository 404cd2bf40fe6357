import type { Aedes, PublishPacket } from 'aedes'
import type { BrokerMessage, PublishOptions } from '../messaging/broker.ts'
import type { BrokerLog } from './broker-log.ts'
import { isReserved } from './gateway-root.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** Of aedes' memory, which its types do not show. */
interface Memory {
  createRetainedStream(filter: string): AsyncIterable<PublishPacket>
}

export const asBuffer = (payload: Buffer | string): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

type Deliver = Parameters<Aedes['subscribe']>[1]

export interface ServiceLink {
  /** The delivery to slow subscribers is not waited for. */
  emit(topic: string, payload: Buffer, options: PublishOptions): void
  listen(filter: string, handler: (message: BrokerMessage) => void): Promise<() => Promise<void>>
}

/** The service's own client of the embedded broker: within the process, without a socket, above all roots. */
export function makeServiceLink(aedes: Aedes, log: BrokerLog, audience: SubscriptionIndex): ServiceLink {
  return {
    emit(topic, payload, { qos = 1, retain = false }) {
      aedes.publish(
        { cmd: 'publish', topic, payload, retain: retain !== false, qos, dup: false },
        (error) => {
          if (error) log.warn({ reason: error.message, topic }, 'a message could not be published')
        },
      )
    },
    async listen(filter, handler) {
      const forward = (message: BrokerMessage): void => {
        try {
          handler(message)
        } catch (error) {
          log.warn({ err: error, topic: message.topic }, 'a listener of the broker failed')
        }
      }
      const deliver: Deliver = ({ topic, payload }, done) => {
        if (!isReserved(topic)) forward({ topic, payload: asBuffer(payload), isRetained: false })
        done()
      }
      const leave = audience.add(filter)
      await new Promise<void>((resolve) => aedes.subscribe(filter, deliver, resolve))
      const { persistence } = aedes as unknown as { persistence: Memory }
      for await (const { topic, payload } of persistence.createRetainedStream(filter))
        forward({ topic, payload: asBuffer(payload), isRetained: true })
      return () => {
        leave()
        return new Promise<void>((resolve) => aedes.unsubscribe(filter, deliver, resolve))
      }
    },
  }
}
