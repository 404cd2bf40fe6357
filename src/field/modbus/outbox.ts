import type { FastifyBaseLogger } from 'fastify'
import type { Sample } from '../../areas/metering/intake-contract/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { MODBUS_STOP_MS } from '../../kernel/limits.ts'
import { MODBUS_OUTBOX_MAX, MODBUS_SUBMIT_RETRY_MS, MODBUS_SUBMITS_MAX } from './limits.ts'

export interface OutboxOptions {
  /** Resolves when the samples are committed. */
  readonly submit: (samples: readonly Sample[]) => Promise<unknown>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly capacity?: number
  readonly retryMs?: number
}

/**
 * The samples of a line that are not committed yet. Each is submitted by itself, since the intake batches the samples
 * of all senders, and again until it is committed; the order in which they are stored does not matter. At most
 * MODBUS_SUBMITS_MAX are under way, so that a line leaves the shared queue room in an outage. A line waits for capacity
 * before it reads (back-pressure), so a database outage slows polling down and loses nothing that was read.
 */
export class Outbox {
  private readonly options: OutboxOptions
  private uncommitted = 0
  private submitting = 0
  private readonly submitWaiters: (() => void)[] = []
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
    void this.store(sample)
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

  /** Never rejects. */
  private async store(sample: Sample): Promise<void> {
    if (this.submitting < MODBUS_SUBMITS_MAX) this.submitting += 1
    else await new Promise<void>((resolve) => this.submitWaiters.push(resolve))
    while (!(await this.isStored(sample)) && !this.isClosing) await this.waitForRetry()
    this.uncommitted -= 1
    // The next sample continues in place of this one, so that a sample that is added meanwhile cannot do so as well.
    const continueNext = this.submitWaiters.shift()
    if (continueNext) continueNext()
    else this.submitting -= 1
    this.releaseWaiters()
    if (this.uncommitted === 0) this.onEmpty()
  }

  /** False when the sample must be submitted again, which is idempotent. */
  private async isStored(sample: Sample): Promise<boolean> {
    const { submit, log } = this.options
    try {
      await submit([sample])
      this.isFailing = false
      return true
    } catch (error) {
      // The device was deleted: the sample is dropped.
      if (error instanceof AppError && error.status === 422) return true
      const reason = (error as Error).message
      if (!this.isFailing) log.warn({ reason }, 'storing samples of a Modbus gateway failed and is retried')
      this.isFailing = true
      return false
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
