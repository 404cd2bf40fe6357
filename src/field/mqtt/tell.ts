import type { Unused } from '../../platform/mqtt-intake.ts'
import type { CalmLog } from '../../platform/observability/throttled-log.ts'
import type { MessageCounts } from './counts.ts'
import { dialectOf } from './dialects/index.ts'
import { type Decoded, type DecoderMemory, type Figures, type Reply, Undecodable } from './dialects/types.ts'
import { inReadableTimes } from './times.ts'

/** What a message says. */
export interface Told {
  readonly decoded: Decoded
  readonly failure: Unused | undefined
  readonly replies: readonly Reply[]
}

const NOTHING: Decoded = {}
const NO_REPLIES: readonly Reply[] = []
/** Readings and their number, and nothing besides. */
export const isPlain = ({ decoded, failure, replies }: Told): boolean =>
  !failure &&
  replies.length === 0 &&
  !decoded.refused?.length &&
  !decoded.status &&
  !decoded.firmware &&
  !decoded.availability &&
  !decoded.inventory
export const isNothing = ({ decoded, failure, replies }: Told): boolean =>
  decoded === NOTHING && !failure && replies.length === 0

export interface Teller {
  readonly log: Pick<CalmLog, 'error'>
  readonly counts: MessageCounts
  readonly memoryOf: (gatewayId: string) => DecoderMemory
}

interface Sent {
  readonly gatewayId: string
  readonly topic: string
  readonly payload: Buffer
  readonly isShared: boolean
}

/** What a message says, if it is one of those that look alike and have only numbers; counted by whoever uses it. */
export function glance({ memoryOf }: Teller, message: Sent, receivedAt: number): Figures | undefined {
  const { topic, payload, gatewayId, isShared } = message
  const dialect = dialectOf(topic)
  return dialect?.glance?.({ topic, payload, receivedAt, isShared, memory: memoryOf(gatewayId) })
}

/** Decodes a message by the dialect of its topic; whatever is wrong with it is in the answer. */
export function tell({ log, counts, memoryOf }: Teller, message: Sent, receivedAt: number): Told {
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
