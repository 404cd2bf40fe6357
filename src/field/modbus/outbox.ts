import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { MODBUS_STOP_MS } from '../../kernel/limits.ts'
import type { Sample } from '../../platform/ingest.ts'
import { MODBUS_OUTBOX_MAX, MODBUS_SUBMIT_BATCH_MAX, MODBUS_SUBMIT_RETRY_MS } from './limits.ts'

export interface OutboxOptions {
  /** Resolves when the samples are committed. */
  readonly submit: (samples: readonly Sample[]) => Promise<unknown>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly capacity?: number
  readonly retryMs?: number
}

/**
 * A bounded FIFO queue between a line and the store: samples are stored while the next ones are read. A line waits for
 * capacity before it reads (back-pressure), so a database outage slows polling down and loses nothing that was read.
 */
export class Outbox {
  private readonly options: OutboxOptions
  private readonly waiting: Sample[] = []
  private draining: Promise<void> | undefined
  private capacityWaiters: (() => void)[] = []
  private wake: () => void = () => {}
  private isClosing = false

  constructor(options: OutboxOptions) {
    this.options = options
  }

  private get isFull(): boolean {
    return this.waiting.length >= (this.options.capacity ?? MODBUS_OUTBOX_MAX)
  }

  add(sample: Sample): void {
    this.waiting.push(sample)
    this.draining ??= this.drain()
  }

  /** Resolves when the queue has capacity, or when it is being closed. */
  async waitForCapacity(): Promise<void> {
    while (this.isFull && !this.isClosing)
      await new Promise<void>((resolve) => this.capacityWaiters.push(resolve))
  }

  /** Ends all waiting, because the queue is about to be closed. */
  beginClose(): void {
    this.isClosing = true
    this.releaseWaiters()
    this.wake()
  }

  /** Resolves when everything is stored or one more attempt has failed, after MODBUS_STOP_MS at the latest. */
  async close(): Promise<void> {
    this.beginClose()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MODBUS_STOP_MS)
    })
    await Promise.race([this.draining, late])
    clearTimeout(timer)
  }

  private releaseWaiters(): void {
    for (const enter of this.capacityWaiters.splice(0)) enter()
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MODBUS_SUBMIT_BATCH_MAX)
      if (await this.submitBatch(batch)) {
        this.waiting.splice(0, batch.length)
        this.releaseWaiters()
      } else if (this.isClosing) break
      else await this.waitForRetry()
    }
    this.draining = undefined
  }

  /** False when the batch must be submitted again, which is idempotent. */
  private async submitBatch(batch: readonly Sample[]): Promise<boolean> {
    const { submit, log } = this.options
    try {
      await submit(batch)
      return true
    } catch (error) {
      // A deleted device makes intake refuse the whole batch: submit the samples one by one and drop the refused ones.
      if (error instanceof AppError && error.status === 422) {
        if (batch.length === 1) return true
        for (const sample of batch) if (!(await this.submitBatch([sample]))) return false
        return true
      }
      log.warn(
        { reason: (error as Error).message },
        'storing samples of a Modbus gateway failed and is retried',
      )
      return false
    }
  }

  private async waitForRetry(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.retryMs ?? MODBUS_SUBMIT_RETRY_MS)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
