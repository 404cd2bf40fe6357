import type { Unused } from '../../areas/equipment/gateway-link/index.ts'
import { isAnyInstant } from '../../kernel/time.ts'
import type { GatewayMessage } from '../../platform/mqtt/broker-hooks.ts'
import type { ThrottledLog } from '../../platform/observability/throttled-log.ts'
import { dialectOf } from './dialects/index.ts'
import { type Decoded, type DecoderMemory, type Reading, type Reply, Undecodable } from './dialects/types.ts'
import type { MessageCounts } from './metrics.ts'

/** The result of decoding a message, whatever it is. */
export interface DecodedMessage {
  readonly decoded: Decoded
  readonly failure: Unused | undefined
  readonly replies: readonly Reply[]
}

const NOTHING: Decoded = {}
const NO_REPLIES: readonly Reply[] = []

/** Whether there is nothing to store and nothing to send. */
export const isNothing = ({ decoded, failure, replies }: DecodedMessage): boolean =>
  decoded === NOTHING && !failure && replies.length === 0

export interface DecoderDeps {
  readonly log: Pick<ThrottledLog, 'error'>
  readonly counts: MessageCounts
  readonly memoryOf: (gatewayId: string) => DecoderMemory
}

type Message = Pick<GatewayMessage, 'gatewayId' | 'topic' | 'payload' | 'isShared'>

/** Decodes a message by the dialect of its topic. Never throws: an error is part of the result. */
export function decodeMessage(
  { log, counts, memoryOf }: DecoderDeps,
  message: Message,
  receivedAt: number,
): DecodedMessage {
  const { topic, payload, gatewayId, isShared } = message
  const dialect = dialectOf(topic)
  if (!dialect) {
    counts.message('none')
    const detail = 'no dialect that is understood has this topic'
    return { decoded: NOTHING, failure: { reason: 'unknown_topic', detail }, replies: NO_REPLIES }
  }
  counts.message(dialect.name)
  try {
    const memory = memoryOf(gatewayId)
    const decoded = inReadableTimes(dialect.decode({ topic, payload, receivedAt, isShared, memory }))
    const { replies = NO_REPLIES } = decoded
    for (const _anything in decoded) return { decoded, failure: undefined, replies }
    return { decoded: NOTHING, failure: undefined, replies }
  } catch (error) {
    if (error instanceof Undecodable) {
      const { reason, message: detail, replies } = error
      return { decoded: NOTHING, failure: { reason, detail }, replies }
    }
    log.error({ err: error, dialect: dialect.name, topic }, 'a decoder failed')
    const failure = { reason: 'decoder_failed', detail: `the decoder of ${dialect.name} failed` }
    return { decoded: NOTHING, failure, replies: NO_REPLIES }
  }
}

const isReadable = ({ at }: Reading): boolean => at === undefined || isAnyInstant(at)

/**
 * The message without readings of a year that cannot be written: they could neither be stored nor shown in the
 * quarantine, so they become a dead letter. This holds for every dialect.
 */
function inReadableTimes(decoded: Decoded): Decoded {
  const { readings, refused = [] } = decoded
  if (!readings || readings.every(isReadable)) return decoded
  const unreadable = readings.filter((reading) => !isReadable(reading))
  const detail = (device: string | null): string =>
    `${device?.slice(0, 100) ?? 'the sender'}: the time is beyond all years that can be written`
  return {
    ...decoded,
    readings: readings.filter(isReadable),
    refused: [
      ...refused,
      ...unreadable.map(({ device }) => ({ reason: 'bad_time' as const, detail: detail(device) })),
    ],
  }
}
