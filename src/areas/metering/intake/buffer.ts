import { AppError } from '../../../kernel/errors.ts'
import { BusyShare } from './busy-share.ts'
import {
  INGEST_BATCH_ROWS_MAX,
  INGEST_BATCH_ROWS_MIN,
  INGEST_LINGER_MS,
  INGEST_WAIT_MAX_MS,
  INGEST_WAITING_REQUESTS_MAX,
  INGEST_WAITING_SAMPLES_MAX,
} from './limits.ts'

const overloaded = () =>
  new AppError(503, 'SERVICE_OVERLOADED', 'the samples could not be stored in time; send them again')

/** Something with so many samples in it. */
export interface Sized {
  readonly size: number
}

/** Writes batches over one connection; several run side by side. */
export interface BatchWriter<T extends Sized> {
  /** Resolves when the batch is committed. A lost connection is `Disconnected`; anything else is the batch's fault. */
  write(parts: readonly T[]): Promise<void>
  /** Resolves when it is worth trying again after `Disconnected`. */
  reconnect(): Promise<void>
  close(): Promise<void>
}

/** The connection broke, so the batch is neither known to be stored nor known not to be; repeating it is safe. */
export class Disconnected extends Error {}

interface Job<T> {
  readonly part: T
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  isSettled: boolean
}

export interface BufferLimits {
  readonly batchMin: number
  readonly batchMax: number
  readonly lingerMs: number
  readonly waitMs: number
  readonly waitingItemsMax: number
  readonly waitingRequestsMax: number
}
const limits: BufferLimits = {
  batchMin: INGEST_BATCH_ROWS_MIN,
  batchMax: INGEST_BATCH_ROWS_MAX,
  lingerMs: INGEST_LINGER_MS,
  waitMs: INGEST_WAIT_MAX_MS,
  waitingItemsMax: INGEST_WAITING_SAMPLES_MAX,
  waitingRequestsMax: INGEST_WAITING_REQUESTS_MAX,
}

/**
 * The bounded buffer between requests and the database. Merges what is waiting, of all tenants, into batches, and
 * hands a batch to a writer as soon as one is free: an idle service adds no delay, a busy one larger batches.
 * Nothing is dropped: a request is told the truth, stored or not stored in time.
 */
export class SampleBuffer<T extends Sized> {
  private readonly limits: BufferLimits
  private readonly writers: readonly BatchWriter<T>[]
  private readonly idle: BatchWriter<T>[]
  private readonly queue: Job<T>[] = []
  private readonly forRoom: (() => void)[] = []
  private readonly forEmpty: (() => void)[] = []
  private queuedItems = 0
  private linger: NodeJS.Timeout | undefined
  private isClosed = false
  private readonly busy = new BusyShare()

  constructor(writers: readonly BatchWriter<T>[], overrides: Partial<BufferLimits> = {}) {
    this.writers = writers
    this.idle = [...writers]
    this.limits = { ...limits, ...overrides }
  }

  /** Samples that are not yet in a batch. */
  get waiting(): number {
    return this.queuedItems
  }

  /** The share of the last moments in which a batch was being written. */
  get busyShare(): number {
    return this.busy.read()
  }

  /**
   * Resolves when all parts of a request are committed; throws `overloaded`, or what made exactly these parts
   * impossible. A part fits a batch.
   */
  async add(parts: readonly T[]): Promise<void> {
    const deadline = performance.now() + this.limits.waitMs
    const count = parts.reduce((sum, { size }) => sum + size, 0)
    if (this.isFull(count) && this.forRoom.length >= this.limits.waitingRequestsMax) throw overloaded()
    // Nothing may come between the last look and the queue, so the loop stands here and not in a function of its own.
    while (this.isFull(count)) await this.change(deadline)
    if (this.isClosed) throw overloaded()
    const ends = parts.map((part) => this.enqueue(part, deadline - performance.now()))
    const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Takes nothing new; resolves when nothing is waiting or being written, with all connections given back. */
  async drain(): Promise<void> {
    this.isClosed = true
    for (const wake of this.forRoom.splice(0)) wake()
    if (this.queue.length > 0 || this.idle.length < this.writers.length) {
      await new Promise<void>((resolve) => this.forEmpty.push(resolve))
    }
    await Promise.all(this.writers.map((writer) => writer.close()))
  }

  /** An empty buffer takes a request of any size. */
  private isFull(count: number): boolean {
    const { waitingItemsMax } = this.limits
    return this.queuedItems > 0 && this.queuedItems + count > waitingItemsMax && !this.isClosed
  }

  /** Resolves when there may be room. */
  private async change(deadline: number): Promise<void> {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) throw overloaded()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs)
      this.forRoom.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  private enqueue(part: T, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        if (job.isSettled) return
        job.isSettled = true
        clearTimeout(timer)
        end()
      }
      const timer = setTimeout(() => {
        this.forget(job)
        settle(() => reject(overloaded()))
      }, waitMs)
      const job: Job<T> = {
        part,
        isSettled: false,
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      }
      this.queue.push(job)
      this.queuedItems += part.size
      this.pump(false)
    })
  }

  /** A job that waited too long; one that is being written is left to its writer. */
  private forget(job: Job<T>): void {
    const place = this.queue.indexOf(job)
    if (place < 0) return
    this.queue.splice(place, 1)
    this.queuedItems -= job.part.size
    this.wake()
  }

  /** Gives batches to idle writers. A small batch waits a moment for company when another one is on its way. */
  private pump(isLingerOver: boolean): void {
    while (this.idle.length > 0 && this.queue.length > 0) {
      const isBusy = this.idle.length < this.writers.length
      if (isBusy && !isLingerOver && this.queuedItems < this.limits.batchMin && !this.isClosed) {
        this.linger ??= setTimeout(() => {
          this.linger = undefined
          this.pump(true)
        }, this.limits.lingerMs)
        return
      }
      const writer = this.idle.pop()
      this.busy.turn(true)
      if (writer) void this.run(writer, this.takeBatch())
    }
    this.wake()
  }

  private wake(): void {
    for (const wake of this.forRoom.splice(0)) wake()
    if (this.queue.length === 0 && this.idle.length === this.writers.length) {
      for (const done of this.forEmpty.splice(0)) done()
    }
  }

  private takeBatch(): Job<T>[] {
    const batch: Job<T>[] = []
    let size = 0
    for (const job of this.queue) {
      if (size > 0 && size + job.part.size > this.limits.batchMax) break
      batch.push(job)
      size += job.part.size
    }
    this.queue.splice(0, batch.length)
    this.queuedItems -= size
    return batch
  }

  private async run(writer: BatchWriter<T>, batch: readonly Job<T>[]): Promise<void> {
    try {
      await this.write(writer, batch)
    } catch {
      // Only Disconnected comes here; the jobs go back to the head of the queue, in their order.
      const unsettled = batch.filter(({ isSettled }) => !isSettled)
      this.queue.unshift(...unsettled)
      for (const { part } of unsettled) this.queuedItems += part.size
      await writer.reconnect()
    }
    this.idle.push(writer)
    this.busy.turn(this.idle.length < this.writers.length)
    this.pump(false)
  }

  /** One request that cannot be stored must not take others with it: a batch that fails is tried again one by one. */
  private async write(writer: BatchWriter<T>, batch: readonly Job<T>[]): Promise<void> {
    try {
      await writer.write(batch.map(({ part }) => part))
      for (const job of batch) job.resolve()
    } catch (error) {
      if (error instanceof Disconnected) throw error
      if (batch.length > 1) for (const job of batch) await this.write(writer, [job])
      else batch[0]?.reject(error)
    }
  }
}
