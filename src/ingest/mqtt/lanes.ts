import {
  MQTT_BACKFILL_BLOCK_SAMPLES,
  MQTT_BACKFILL_EVERY,
  MQTT_LIVE_BLOCK_SAMPLES,
  MQTT_LIVE_BLOCKS_MAX,
  MQTT_LIVE_BLOCKS_PER_TENANT,
} from '../../kernel/mqtt-limits.ts'
import type { Sample } from '../../platform/ingest.ts'

/** The sender has gone before its message was stored. */
export class SenderGone extends Error {}

/** What became of a block that was not stored. */
export type Verdict = 'again' | 'singly' | 'failed'

export interface LaneOrder {
  /** Resolves when the samples are committed. */
  readonly store: (tenantId: number, samples: readonly Sample[]) => Promise<unknown>
  /** `singly`: one of the messages is at fault and must not take others with it. */
  readonly judge: (error: unknown) => Verdict
  /** Until a block is tried again. */
  readonly pause: () => Promise<void>
}

/** The samples of one message. */
interface Waiting {
  readonly tenantId: number
  readonly samples: readonly Sample[]
  /** Nobody waits for it any more: it was not acknowledged, so it comes again. */
  readonly isGone: () => boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** First in, first out, without moving everything at each turn. */
class Queue {
  private items: Waiting[] = []
  private head = 0
  get length(): number {
    return this.items.length - this.head
  }
  push(item: Waiting): void {
    this.items.push(item)
  }
  peek(): Waiting | undefined {
    return this.items[this.head]
  }
  shift(): void {
    this.head += 1
    if (this.head > 1_000 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head)
      this.head = 0
    }
  }
}

/** The messages of one lane, by tenant: tenants take turns, so that nobody waits behind another's flood. */
class Lane {
  private readonly tenants = new Map<number, Queue>()
  readonly underWay = new Map<number, number>()
  waiting = 0

  push(item: Waiting): void {
    const queue = this.tenants.get(item.tenantId) ?? new Queue()
    queue.push(item)
    this.tenants.set(item.tenantId, queue)
    this.waiting += 1
  }

  /** The next block of a tenant that may have one more under way; samples of whole messages, at least one message. */
  take(samplesMax: number, perTenant: number): Waiting[] {
    for (const [tenantId, queue] of this.tenants) {
      if ((this.underWay.get(tenantId) ?? 0) >= perTenant) continue
      const block = this.fill(queue, samplesMax)
      // To the end of the turn.
      this.tenants.delete(tenantId)
      if (queue.length > 0) this.tenants.set(tenantId, queue)
      if (block.length > 0) return block
    }
    return []
  }

  private fill(queue: Queue, samplesMax: number): Waiting[] {
    const block: Waiting[] = []
    let size = 0
    for (let next = queue.peek(); next; next = queue.peek()) {
      if (size > 0 && size + next.samples.length > samplesMax) break
      queue.shift()
      this.waiting -= 1
      if (next.isGone()) {
        next.reject(new SenderGone('the sender has gone'))
        continue
      }
      block.push(next)
      size += next.samples.length
    }
    return block
  }
}

/**
 * Puts the samples of many messages together into blocks. What is live goes first: samples from a gateway's store have
 * a lane of their own, in small blocks, one at a time, and while live ones wait only one for every so many of theirs.
 */
export class Lanes {
  private readonly order: LaneOrder
  private readonly live = new Lane()
  private readonly old = new Lane()
  private blocks = 0
  private oldBlocks = 0
  private sinceOld = 0
  private isScheduled = false

  constructor(order: LaneOrder) {
    this.order = order
  }

  /** Messages that no block has taken yet. */
  get waiting(): { readonly live: number; readonly old: number } {
    return { live: this.live.waiting, old: this.old.waiting }
  }

  /** Resolves when the message's samples are committed; rejects with SenderGone, or with what is wrong with them. */
  add(
    tenantId: number,
    samples: readonly Sample[],
    isOld: boolean,
    isGone: Waiting['isGone'],
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const lane = isOld ? this.old : this.live
      lane.push({ tenantId, samples, isGone, resolve, reject })
      this.schedule()
    })
  }

  /** Messages that arrive together go together. */
  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      this.dispatch()
    })
  }

  private dispatch(): void {
    while (this.dispatchOld() || this.dispatchLive()) {
      // Until nothing more may be under way.
    }
  }

  private dispatchLive(): boolean {
    if (this.live.waiting === 0 || this.blocks >= MQTT_LIVE_BLOCKS_MAX) return false
    const block = this.live.take(MQTT_LIVE_BLOCK_SAMPLES, MQTT_LIVE_BLOCKS_PER_TENANT)
    if (block.length === 0) return false
    this.blocks += 1
    this.sinceOld += 1
    void this.run(this.live, block).then(() => {
      this.blocks -= 1
      this.schedule()
    })
    return true
  }

  private dispatchOld(): boolean {
    if (this.old.waiting === 0 || this.oldBlocks > 0) return false
    if (this.live.waiting > 0 && this.sinceOld < MQTT_BACKFILL_EVERY) return false
    const block = this.old.take(MQTT_BACKFILL_BLOCK_SAMPLES, 1)
    if (block.length === 0) return false
    this.oldBlocks += 1
    this.sinceOld = 0
    void this.run(this.old, block).then(() => {
      this.oldBlocks -= 1
      this.schedule()
    })
    return true
  }

  private async run(lane: Lane, block: readonly Waiting[]): Promise<void> {
    const tenantId = block[0]?.tenantId ?? 0
    lane.underWay.set(tenantId, (lane.underWay.get(tenantId) ?? 0) + 1)
    await this.storeBlock(tenantId, block)
    const left = (lane.underWay.get(tenantId) ?? 1) - 1
    if (left > 0) lane.underWay.set(tenantId, left)
    else lane.underWay.delete(tenantId)
  }

  /** Never rejects: every message of the block is told its own end. */
  private async storeBlock(tenantId: number, whole: readonly Waiting[]): Promise<void> {
    let block = whole
    for (;;) {
      try {
        await this.order.store(
          tenantId,
          block.length === 1 ? (block[0]?.samples ?? []) : block.flatMap(({ samples }) => samples),
        )
        for (const { resolve } of block) resolve()
        return
      } catch (error) {
        const verdict = this.order.judge(error)
        if (verdict === 'singly' && block.length > 1) {
          for (const one of block) await this.storeBlock(tenantId, [one])
          return
        }
        if (verdict !== 'again') {
          for (const { reject } of block) reject(error)
          return
        }
        await this.order.pause()
        for (const one of block) if (one.isGone()) one.reject(new SenderGone('the sender has gone'))
        block = block.filter((one) => !one.isGone())
        if (block.length === 0) return
      }
    }
  }
}
