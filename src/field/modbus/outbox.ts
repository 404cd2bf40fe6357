import type { FastifyBaseLogger } from 'fastify'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { MODBUS_STOP_MS } from '../../kernel/limits.ts'
import { isTransient } from '../../platform/db/errors.ts'
import { MODBUS_COLLECT_MS, MODBUS_OUTBOX_MAX, MODBUS_SUBMIT_RETRY_MS, MODBUS_SUBMITS_MAX } from './limits.ts'

export interface OutboxOptions {
  /** Resolves when the samples are committed. */
  readonly submit: (samples: readonly Sample[]) => Promise<unknown>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly capacity?: number
  readonly collectMs?: number
  readonly retryMs?: number
}

/**
 * The samples of a line that are not committed yet. What is read within MODBUS_COLLECT_MS is submitted together,
 * because nobody waits for the commit of a single reading and every commit has its cost; and again until it is
 * committed. The order in which samples are stored does not matter. At most MODBUS_SUBMITS_MAX samples are under way,
 * so that a line leaves the shared queue room in an outage. A line waits for capacity before it reads (back-pressure),
 * so a database outage slows polling down and loses nothing that was read.
 */
export class Outbox {
  private readonly options: OutboxOptions
  private collected: Sample[] = []
  private collectTimer: NodeJS.Timeout | undefined
  private uncommitted = 0
  private submitting = 0
  private capacityWaiters: (() => void)[] = []
  private retries: (() => void)[] = []
  private retryTimer: NodeJS.Timeout | undefined
  private onEmpty: () => void = () => {}
  private isFailing = false
  private isClosing = false

  constructor(options: OutboxOptions) {
    this.options = options
  }

  private get isFull(): boolean {
    return this.uncommitted >= (this.options.capacity ?? MODBUS_OUTBOX_MAX)
  }

  add(sample: Sample): void {
    this.uncommitted += 1
    this.collected.push(sample)
    if (this.isClosing || this.collected.length >= MODBUS_SUBMITS_MAX) this.submitCollected()
    else
      this.collectTimer ??= setTimeout(
        () => this.submitCollected(),
        this.options.collectMs ?? MODBUS_COLLECT_MS,
      )
  }

  /** Resolves when there is capacity, or when the outbox is being closed. */
  async waitForCapacity(): Promise<void> {
    while (this.isFull && !this.isClosing)
      await new Promise<void>((resolve) => this.capacityWaiters.push(resolve))
  }

  /** Ends all waiting, because the outbox is about to be closed. */
  beginClose(): void {
    this.isClosing = true
    this.releaseWaiters()
    this.submitCollected()
    this.retryNow()
  }

  /**
   * Resolves when everything is stored or one more attempt has failed, after MODBUS_STOP_MS at the latest.
   */
  async close(): Promise<void> {
    this.beginClose()
    if (this.uncommitted === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MODBUS_STOP_MS)
      this.onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private releaseWaiters(): void {
    for (const enter of this.capacityWaiters.splice(0)) enter()
  }

  /** Submits what was collected, as far as samples may be under way; the rest follows when others are stored. */
  private submitCollected(): void {
    clearTimeout(this.collectTimer)
    this.collectTimer = undefined
    const batch = this.collected.splice(0, MODBUS_SUBMITS_MAX - this.submitting)
    if (batch.length === 0) return
    this.submitting += batch.length
    void this.store(batch)
  }

  /** Never rejects. */
  private async store(batch: readonly Sample[]): Promise<void> {
    for (;;) {
      const outcome = await this.trySubmit(batch)
      if (outcome === 'split') {
        for (const sample of batch) void this.store([sample])
        return
      }
      if (outcome === 'done' || this.isClosing) break
      await this.waitForRetry()
    }
    this.uncommitted -= batch.length
    this.submitting -= batch.length
    if (this.collected.length > 0 && this.collectTimer === undefined) this.submitCollected()
    this.releaseWaiters()
    if (this.uncommitted === 0) this.onEmpty()
  }

  /**
   * `retry`: the samples must be submitted again, which is idempotent. `split`: one of them may be the reason of the
   * failure, so that each is submitted by itself.
   */
  private async trySubmit(batch: readonly Sample[]): Promise<'done' | 'retry' | 'split'> {
    const { submit, log } = this.options
    try {
      await submit(batch)
      this.isFailing = false
      return 'done'
    } catch (error) {
      if (batch.length > 1 && !isTransient(error)) return 'split'
      // The device was deleted: the sample is dropped.
      if (error instanceof AppError && error.status === 422) return 'done'
      const reason = (error as Error).message
      if (!this.isFailing) log.warn({ reason }, 'storing samples of a Modbus gateway failed and is retried')
      this.isFailing = true
      return 'retry'
    }
  }

  private waitForRetry(): Promise<void> {
    this.retryTimer ??= setTimeout(() => this.retryNow(), this.options.retryMs ?? MODBUS_SUBMIT_RETRY_MS)
    return new Promise((resolve) => this.retries.push(resolve))
  }

  private retryNow(): void {
    clearTimeout(this.retryTimer)
    this.retryTimer = undefined
    for (const retry of this.retries.splice(0)) retry()
  }
}
