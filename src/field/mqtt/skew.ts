import { floatAt } from '../../kernel/checked.ts'
import { CLOCK_SKEW_MESSAGES } from './limits.ts'

/**
 * The difference between a gateway's clock and ours: the median over its last messages, so that single delays
 * do not count. For a message without sent_at the time of its newest reading is used, if it is newer than all
 * before, because readings sent from memory say nothing about the clock.
 */
export class ClockSkew {
  private readonly last = new Float64Array(CLOCK_SKEW_MESSAGES)
  private count = 0
  private newestAt = Number.NEGATIVE_INFINITY

  /** All epoch milliseconds; `newestAt` is that of the message's newest reading. */
  note(receivedAt: number, sentAt: number | undefined, newestAt: number | undefined): void {
    const at = sentAt ?? (newestAt !== undefined && newestAt > this.newestAt ? newestAt : undefined)
    if (newestAt !== undefined) this.newestAt = Math.max(this.newestAt, newestAt)
    if (at === undefined) return
    this.last[this.count % CLOCK_SKEW_MESSAGES] = at - receivedAt
    this.count += 1
  }

  /** Milliseconds, positive when the gateway is ahead; null while nothing is known. */
  median(): number | null {
    const known = this.last.slice(0, Math.min(this.count, CLOCK_SKEW_MESSAGES)).sort()
    const { length } = known
    if (length === 0) return null
    const upper = floatAt(known, length >> 1)
    return Math.round(length % 2 === 1 ? upper : (upper + floatAt(known, (length >> 1) - 1)) / 2)
  }
}
