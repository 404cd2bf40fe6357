/**
 * The sample queue: the component that batches samples of all protocols.
 *
 *   HTTP, OCPP, Modbus ── pushRequest ──▶ requests ─┐
 *   MQTT, live          ── push ─────────▶ live     ─┼─▶ batches ─▶ writers (INGEST_CONNECTIONS connections)
 *   MQTT, from a store  ── push ─────────▶ backfill ─┘
 *
 * Purpose. PostgreSQL commits a batch of thousands of rows at little more than the cost of a batch of one. The queue
 * merges the waiting samples of all senders into a batch and passes it to a writer as soon as one is free: an idle
 * service adds no delay, a busy service forms larger batches. Samples of one turn of the event loop share a batch.
 *
 * Guarantees.
 * - Acknowledgement after commit. A sender receives its own result: committed, or the error of its own samples.
 * - Order. First in, first out for the entries of one tenant in one lane. Two batches may be written side by side, so
 *   the order of commits is not defined; the tables do not depend on it.
 * - Fairness. Tenants take turns of INGEST_TURN_SAMPLES within a lane, and the lanes `requests` and `live` alternate.
 * - One node. On a distributed database a batch has tenants of one node only (ADR 0119); the tenants of the others stay
 *   at the head of the round, for the next batch.
 * - Priority. Backfill is written in batches of its own, one at a time, and while live samples wait only after every
 *   INGEST_BACKFILL_EVERY turns of live samples. A batch of live samples therefore stays a plain COPY into one month.
 * - Back-pressure. Requests: at most INGEST_WAITING_SAMPLES_MAX samples wait; INGEST_WAITING_REQUESTS_MAX further
 *   requests wait for room, all others are refused at once. Messages of a stream are not counted: their sender limits
 *   its unacknowledged messages (the receive windows of the broker), and a burst of them must not use HTTP's capacity.
 * - One deadline. A request that is not committed within INGEST_WAIT_MAX_MS is refused with 503 and leaves the queue.
 *   A message of a stream has no deadline: it waits for as long as its sender does, without an acknowledgement.
 * - One policy for a failed batch. Connection lost or transaction conflict: all entries return to the head of their
 *   queues and are written again. Any other error is caused by an entry: the batch is halved, and each half is written
 *   separately, until the faulty entry is alone in a batch and is rejected. This takes 2 log n writes.
 *
 * Trade-offs. Samples stand in columns from the start (see SampleBlock), in one block that the entries of a tenant
 * share: an entry is a range of a block. A block lives until its last entry is settled. The queue is only in memory:
 * uncommitted samples are not acknowledged, so a `kill -9` loses no sample that a sender believes to be stored.
 */
import { ONE_NODE } from '../../../platform/db/distribution/tenant-nodes.ts'
import { SenderGone, type StreamMessage, type Waiter } from '../intake-contract/index.ts'
import type { Part } from './block.ts'
import { Entry, Lane, type MergedPart, mergeParts, type SampleSource } from './lanes.ts'
import { INGEST_BACKFILL_EVERY, INGEST_BUSY_MEMORY_MS } from './limits.ts'
import {
  BATCH_LIMITS,
  type BatchLimits,
  BatchRetry,
  type BatchWriter,
  type QueueOptions,
} from './queue-options.ts'

export class SampleQueue {
  /** Called when entries have left the queue. */
  onRoom: () => void = () => {}
  private readonly options: QueueOptions
  private readonly limits: BatchLimits
  private readonly idle: BatchWriter[]
  private readonly requests: Lane
  private readonly live: Lane
  private readonly backfill: Lane
  private readonly lanes: readonly Lane[]
  private readonly busy = new BusyShare()
  private readonly forEmpty: (() => void)[] = []
  private readonly beingWritten = new Set<readonly Entry[]>()
  private isBackfillUnderWay = false
  private turnsSinceBackfill = 0
  private isLiveFirst = false
  private linger: NodeJS.Timeout | undefined
  private isScheduled = false
  isClosed = false

  constructor(options: QueueOptions, limits: Partial<BatchLimits> = {}) {
    this.options = options
    this.limits = { ...BATCH_LIMITS, ...limits }
    this.idle = [...options.writers]
    this.requests = new Lane(this.limits.turnMax)
    this.live = new Lane(this.limits.turnMax)
    this.backfill = new Lane(this.limits.backfillMax)
    this.lanes = [this.requests, this.live, this.backfill]
  }

  /** Number of samples that are not in a batch yet. */
  get waitingSamples(): number {
    return this.requests.samples + this.live.samples + this.backfill.samples
  }

  /** Entries that are not in a batch yet: samples of requests and messages of streams. */
  get waiting(): { readonly requestSamples: number; readonly live: number; readonly backfill: number } {
    return { requestSamples: this.requests.samples, live: this.live.entries, backfill: this.backfill.entries }
  }

  /** The share of recent time in which a batch was being written. */
  get busyShare(): number {
    return this.busy.read()
  }

  /** Enqueues a message of a stream. */
  push(tenantId: number, message: StreamMessage, waiter: Waiter): void {
    if (this.isClosed) return void waiter.reject(new SenderGone('the service is stopping'))
    const lane = message.isBackfill ? this.backfill : this.live
    lane.enqueue(new Entry(lane, lane.append(tenantId, message, this.options.now()), waiter))
    this.schedule()
  }

  /** Enqueues a small request into a block that it shares with others. */
  pushRequest(tenantId: number, source: SampleSource, waiter: Waiter): Entry {
    return this.pushPart(this.requests.append(tenantId, source, this.options.now()), waiter)
  }

  /** Enqueues a part of a request that has a block of its own; a part fits a batch. */
  pushPart(part: Part, waiter: Waiter): Entry {
    const entry = new Entry(this.requests, part, waiter)
    this.requests.enqueue(entry)
    this.schedule()
    return entry
  }

  /** Takes an entry out of the queue; an entry that is being written is left to its writer. */
  remove(entry: Entry): void {
    if (entry.lane.remove(entry)) this.wake()
  }

  /**
   * Stops accepting entries. Resolves when nothing is waiting or being written, or after `drainMs`, with all
   * connections released. Remaining entries are rejected.
   */
  async drain(): Promise<void> {
    this.isClosed = true
    this.wake()
    const late = setTimeout(() => this.rejectRest(), this.limits.drainMs)
    if (!this.isEmpty()) await new Promise<void>((resolve) => this.forEmpty.push(resolve))
    clearTimeout(late)
    await Promise.all(this.options.writers.map((writer) => writer.close()))
  }

  /** Releases the connections without waiting for the writers, which an unresponsive database could block. */
  private rejectRest(): void {
    const rest = [...this.lanes.map((lane) => lane.clear()), ...this.beingWritten].flat()
    for (const entry of rest) entry.reject(new SenderGone('the service is stopping'))
    this.onRoom()
    this.resolveEmpty()
  }

  private resolveEmpty(): void {
    for (const done of this.forEmpty.splice(0)) done()
  }

  private isEmpty(): boolean {
    return (
      this.lanes.every(({ entries }) => entries === 0) && this.idle.length === this.options.writers.length
    )
  }

  private wake(): void {
    this.onRoom()
    if (this.isEmpty()) this.resolveEmpty()
  }

  /** Schedules one run per turn of the event loop, so that its entries share a batch. */
  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      this.pump(false)
    })
  }

  /** Passes batches to idle writers. A small batch waits for more samples while another one is written. */
  private pump(isLingerOver: boolean): void {
    const { batchMin, lingerMs } = this.limits
    while (this.idle.length > 0) {
      const isBusy = this.idle.length < this.options.writers.length
      if (isBusy && !isLingerOver && this.waitingSamples < batchMin && !this.isClosed) {
        if (this.waitingSamples > 0) this.linger ??= setTimeout(() => this.endLinger(), lingerMs)
        break
      }
      const isBackfill = this.isBackfillDue()
      const batch = isBackfill ? this.backfill.takeTurn(this.limits.backfillMax, true) : this.takeLive()
      const writer = batch.length > 0 ? this.idle.pop() : undefined
      if (!writer) break
      this.busy.set(true)
      void this.run(writer, batch, isBackfill)
    }
    this.wake()
  }

  private endLinger(): void {
    this.linger = undefined
    this.pump(true)
  }

  private isBackfillDue(): boolean {
    if (this.isBackfillUnderWay || this.backfill.entries === 0) return false
    const isLiveWaiting = this.requests.entries + this.live.entries > 0
    return !isLiveWaiting || this.turnsSinceBackfill >= INGEST_BACKFILL_EVERY
  }

  /** Collects turns of both lanes alternately until the batch is full; the first turn decides its node. */
  private takeLive(): Entry[] {
    const lanes = this.isLiveFirst ? [this.live, this.requests] : [this.requests, this.live]
    this.isLiveFirst = !this.isLiveFirst
    const batch: Entry[] = []
    let room = this.limits.batchMax
    const { nodes = ONE_NODE } = this.options
    const mayJoin = (tenantId: number) => {
      const [first] = batch
      return !first || nodes.nodeOf(first.part.block.tenantId) === nodes.nodeOf(tenantId)
    }
    for (let isOver = false; !isOver; ) {
      isOver = true
      for (const lane of lanes) {
        const turn = lane.takeTurn(room, batch.length === 0, mayJoin)
        if (turn.length === 0) continue
        isOver = false
        this.turnsSinceBackfill += 1
        for (const entry of turn) {
          batch.push(entry)
          room -= entry.part.size
        }
      }
    }
    return batch
  }

  private async run(writer: BatchWriter, batch: readonly Entry[], isBackfill: boolean): Promise<void> {
    if (isBackfill) {
      this.isBackfillUnderWay = true
      this.turnsSinceBackfill = 0
    }
    this.beingWritten.add(batch)
    try {
      await this.write(writer, batch)
    } catch {
      // Only BatchRetry arrives here; the entries return to the head of their queues, in their order.
      const left = batch.filter((one) => !one.isSettled && !one.isCommitted)
      for (const lane of this.lanes) lane.putBack(left.filter((one) => one.lane === lane))
      await writer.reconnect()
    }
    this.beingWritten.delete(batch)
    if (isBackfill) this.isBackfillUnderWay = false
    this.idle.push(writer)
    this.busy.set(this.idle.length < this.options.writers.length)
    this.pump(false)
  }

  /** Writes a batch; halves a failed one until the faulty entry is alone in its batch. */
  private async write(writer: BatchWriter, entries: readonly Entry[]): Promise<void> {
    const batch = entries.filter((entry) => entry.isWanted())
    const merged = mergeParts(batch)
    if (merged.length === 0) return
    try {
      await writer.write(merged)
    } catch (error) {
      if (error instanceof BatchRetry) throw error
      const half = batch.length >> 1
      if (half === 0) return batch[0]?.reject(error)
      await this.write(writer, batch.slice(0, half))
      return this.write(writer, batch.slice(half))
    }
    for (const part of merged) part.commit()
    for (const part of merged) this.acknowledge(part)
  }

  /** Acknowledges a stored part, even when the work after the commit fails. Never throws. */
  private acknowledge(part: MergedPart): void {
    const resolveAfter = (error: unknown): void => {
      this.options.onError?.(error)
      part.resolve()
    }
    try {
      const after = this.options.onStored?.(part)
      if (after === undefined) part.resolve()
      else void after.then(() => part.resolve()).catch(resolveAfter)
    } catch (error) {
      resolveAfter(error)
    }
  }
}

/** The share of recent time in which work was done, 0 to 1; older time has less weight. */
export class BusyShare {
  private share = 0
  private isBusy = false
  private since = 0
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
    this.since = now()
  }

  /** Sets the present state. */
  set(isBusy: boolean): void {
    if (isBusy === this.isBusy) return
    this.share = this.read()
    this.since = this.now()
    this.isBusy = isBusy
  }

  read(): number {
    const retained = Math.exp(-(this.now() - this.since) / INGEST_BUSY_MEMORY_MS)
    return this.share * retained + (this.isBusy ? 1 - retained : 0)
  }
}
