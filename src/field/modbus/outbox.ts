import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { MODBUS_STOP_MS } from '../../kernel/limits.ts'
import type { Sample } from '../../platform/ingest.ts'
import { MODBUS_OUTBOX_MAX, MODBUS_SUBMIT_MAX, MODBUS_SUBMIT_RETRY_MS } from './limits.ts'

export interface OutboxOptions {
  /** Resolves when the samples are committed. */
  readonly submit: (samples: readonly Sample[]) => Promise<unknown>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly most?: number
  readonly retryMs?: number
}

/**
 * Between a line and the database: what was read is stored while the next is being read. It holds so much and no more;
 * whoever reads waits for room, so a database that is away slows polling down and loses nothing that was read.
 */
export class Outbox {
  private readonly options: OutboxOptions
  private readonly waiting: Sample[] = []
  private pumping: Promise<void> | undefined
  private forRoom: (() => void)[] = []
  private wake: () => void = () => {}
  private isClosing = false

  constructor(options: OutboxOptions) {
    this.options = options
  }

  private get isFull(): boolean {
    return this.waiting.length >= (this.options.most ?? MODBUS_OUTBOX_MAX)
  }

  put(sample: Sample): void {
    this.waiting.push(sample)
    this.pumping ??= this.pump()
  }

  /** Resolves when there is room, or when it is being closed. */
  async room(): Promise<void> {
    while (this.isFull && !this.isClosing) await new Promise<void>((resolve) => this.forRoom.push(resolve))
  }

  /** Nobody is made to wait any more: it is about to be closed. */
  letGo(): void {
    this.isClosing = true
    this.letIn()
    this.wake()
  }

  /** Resolves when all is stored, or when storing has failed once more, within MODBUS_STOP_MS. */
  async close(): Promise<void> {
    this.letGo()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MODBUS_STOP_MS)
    })
    await Promise.race([this.pumping, late])
    clearTimeout(timer)
  }

  private letIn(): void {
    for (const enter of this.forRoom.splice(0)) enter()
  }

  private async pump(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MODBUS_SUBMIT_MAX)
      if (await this.store(batch)) {
        this.waiting.splice(0, batch.length)
        this.letIn()
      } else if (this.isClosing) break
      else await this.pause()
    }
    this.pumping = undefined
  }

  /** False when it is to be tried again: sending samples twice is safe. */
  private async store(batch: readonly Sample[]): Promise<boolean> {
    const { submit, log } = this.options
    try {
      await submit(batch)
      return true
    } catch (error) {
      // A device that was deleted meanwhile refuses the whole batch; alone it hurts nobody.
      if (error instanceof AppError && error.status === 422) {
        if (batch.length === 1) return true
        for (const sample of batch) if (!(await this.store([sample]))) return false
        return true
      }
      log.warn({ reason: (error as Error).message }, 'samples of a Modbus gateway are stored again later')
      return false
    }
  }

  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.retryMs ?? MODBUS_SUBMIT_RETRY_MS)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
