import type { Collection, Sample } from '../../platform/ingest.ts'
import {
  MQTT_BACKFILL_BLOCK_SAMPLES,
  MQTT_BACKFILL_EVERY,
  MQTT_LIVE_BLOCK_SAMPLES,
  MQTT_LIVE_BLOCKS_MAX,
  MQTT_LIVE_BLOCKS_PER_TENANT,
} from './limits.ts'

/** The sender has gone before its message was stored. */
export class SenderGone extends Error {}

/** What became of a block that was not stored. */
export type Verdict = 'again' | 'singly' | 'failed'

export interface LaneOrder {
  /** What the samples of a block are put into, which stores them. */
  readonly collect: (tenantId: number) => Collection
  /** `singly`: one of the messages is at fault and must not take others with it. */
  readonly judge: (error: unknown) => Verdict
  /** Until a block is tried again. */
  readonly pause: () => Promise<void>
}

/** Whoever waits for the samples of a message. */
export interface Waiter {
  /** Nobody waits for it any more: it was not acknowledged, so it comes again. */
  readonly isGone: () => boolean
  /** Its samples are committed. */
  readonly resolve: () => void
  /** With SenderGone, or with what is wrong with them. */
  readonly reject: (error: unknown) => void
}

/** The samples of a message, on their way into a block. */
export interface Sent {
  readonly count: number
  addTo(samples: Collection): void
}

export const sentOf = (list: readonly Sample[]): Sent => ({
  count: list.length,
  addTo(samples) {
    for (const sample of list) samples.add(sample)
  },
})

/** A message, and where in its block its samples are. */
interface Waiting {
  readonly waiter: Waiter
  readonly from: number
  readonly to: number
}

/** Messages of a tenant whose samples are stored together. The samples are in columns from the start: see SampleBlock. */
interface Block {
  readonly tenantId: number
  readonly samples: Collection
  readonly messages: Waiting[]
}

/** The messages of one lane, by tenant: tenants take turns, so that nobody waits behind another's flood. */
class Lane {
  private readonly tenants = new Map<number, Block[]>()
  private readonly samplesMax: number
  readonly underWay = new Map<number, number>()
  waiting = 0

  constructor(samplesMax: number) {
    this.samplesMax = samplesMax
  }

  /** The block that so many samples of the tenant's next message go into; a message is never cut. */
  blockFor(tenantId: number, count: number, collect: LaneOrder['collect']): Block {
    let queue = this.tenants.get(tenantId)
    if (!queue) {
      queue = []
      this.tenants.set(tenantId, queue)
    }
    const last = queue.at(-1)
    if (last && last.samples.count + count <= this.samplesMax) return last
    const block = { tenantId, samples: collect(tenantId), messages: [] }
    queue.push(block)
    return block
  }

  /** The next block of a tenant that may have one more under way. */
  take(perTenant: number): Block | undefined {
    for (const [tenantId, queue] of this.tenants) {
      if ((this.underWay.get(tenantId) ?? 0) >= perTenant) continue
      const block = queue.shift()
      // To the end of the turn.
      this.tenants.delete(tenantId)
      if (queue.length > 0) this.tenants.set(tenantId, queue)
      if (!block) continue
      this.waiting -= block.messages.length
      return block
    }
    return undefined
  }
}

/**
 * Puts the samples of many messages together into blocks. What is live goes first: samples from a gateway's store have
 * a lane of their own, in small blocks, one at a time, and while live ones wait only one for every so many of theirs.
 */
export class Lanes {
  private readonly order: LaneOrder
  private readonly live = new Lane(MQTT_LIVE_BLOCK_SAMPLES)
  private readonly old = new Lane(MQTT_BACKFILL_BLOCK_SAMPLES)
  private blocks = 0
  private oldBlocks = 0
  private sinceOld = 0
  private isScheduled = false

  constructor(order: LaneOrder) {
    this.order = order
  }

  /** Messages that no block under way has taken yet. */
  get waiting(): { readonly live: number; readonly old: number } {
    return { live: this.live.waiting, old: this.old.waiting }
  }

  add(tenantId: number, samples: readonly Sample[], isOld: boolean, waiter: Waiter): void {
    this.send(tenantId, sentOf(samples), isOld, waiter)
  }

  /** The message is told its end when its samples are committed. */
  send(tenantId: number, sent: Sent, isOld: boolean, waiter: Waiter): void {
    const lane = isOld ? this.old : this.live
    const { samples, messages } = lane.blockFor(tenantId, sent.count, this.order.collect)
    const from = samples.count
    sent.addTo(samples)
    messages.push({ waiter, from, to: samples.count })
    lane.waiting += 1
    this.schedule()
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
    const block = this.live.take(MQTT_LIVE_BLOCKS_PER_TENANT)
    if (!block) return false
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
    const block = this.old.take(1)
    if (!block) return false
    this.oldBlocks += 1
    this.sinceOld = 0
    void this.run(this.old, block).then(() => {
      this.oldBlocks -= 1
      this.schedule()
    })
    return true
  }

  private async run(lane: Lane, block: Block): Promise<void> {
    const { tenantId } = block
    lane.underWay.set(tenantId, (lane.underWay.get(tenantId) ?? 0) + 1)
    await this.storeBlock(this.withoutGone(block))
    const left = (lane.underWay.get(tenantId) ?? 1) - 1
    if (left > 0) lane.underWay.set(tenantId, left)
    else lane.underWay.delete(tenantId)
  }

  /** Never rejects: every message of the block is told its own end. */
  private async storeBlock(whole: Block): Promise<void> {
    let block = whole
    while (block.messages.length > 0) {
      try {
        await block.samples.store()
        for (const { waiter } of block.messages) waiter.resolve()
        return
      } catch (error) {
        const verdict = this.order.judge(error)
        if (verdict === 'singly' && block.messages.length > 1) {
          for (const one of block.messages) await this.storeBlock(this.only(block, [one]))
          return
        }
        if (verdict !== 'again') {
          for (const { waiter } of block.messages) waiter.reject(error)
          return
        }
        await this.order.pause()
        block = this.withoutGone(block)
      }
    }
  }

  /** The block, most often itself, without the messages whose senders have gone: they are told so. */
  private withoutGone(block: Block): Block {
    if (!block.messages.some(({ waiter }) => waiter.isGone())) return block
    const left: Waiting[] = []
    for (const one of block.messages) {
      if (one.waiter.isGone()) one.waiter.reject(new SenderGone('the sender has gone'))
      else left.push(one)
    }
    return this.only(block, left)
  }

  private only({ tenantId, samples }: Block, kept: readonly Waiting[]): Block {
    const block: Block = { tenantId, samples: this.order.collect(tenantId), messages: [] }
    for (const one of kept) {
      const from = block.samples.count
      for (const sample of samples.read(one.from, one.to)) block.samples.add(sample)
      block.messages.push({ waiter: one.waiter, from, to: block.samples.count })
    }
    return block
  }
}
