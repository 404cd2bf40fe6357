import { Ending, type Listener, type Work } from './completion.ts'

/** What a window needs of a connection: to stop and go on reading from it. */
export interface Reader {
  pause(): void
  resume(): void
}

interface WindowLimits {
  readonly messages: number
  readonly bytes: number
}

/**
 * The messages that one connection has sent and that are not settled yet. When they get too many, or those of all
 * connections together take too much memory, the connection is not read any further: its sender is slowed down by
 * TCP, and nothing is dropped. Settles in the order in which it was entered, as MQTT wants its acknowledgements.
 */
export class ReceiveWindow {
  private readonly pool: WindowPool
  private readonly reader: Reader
  private readonly queue: Entry[] = []
  private bytes = 0
  private isClogged = false
  isPaused = false

  constructor(pool: WindowPool, reader: Reader) {
    this.pool = pool
    this.reader = reader
  }

  get size(): number {
    return this.queue.length
  }

  /** `work` undefined: nothing to wait for. `settle` is called in turn, with the error of the work if it failed. */
  enter(bytes: number, work: Work, settle: (error?: Error) => void): void {
    if (work === undefined && this.queue.length === 0) return void settle()
    const entry = new Entry(this, bytes, settle)
    this.queue.push(entry)
    this.bytes += bytes
    this.pool.bytes += bytes
    if (work === undefined) entry.isDone = true
    else if (work instanceof Ending) work.listen(entry)
    else
      work.then(
        () => entry.ended(undefined),
        (error: Error) => entry.ended(error),
      )
    this.look()
  }

  /** While the sender takes nothing of what it is sent it is not read: its acknowledgements would pile up. */
  clog(isClogged: boolean): void {
    this.isClogged = isClogged
    this.look()
  }

  /** Reading goes on when there is room. */
  look(): void {
    const isFull = this.isFull()
    if (isFull === this.isPaused) return
    if (isFull) {
      this.isPaused = true
      this.pool.waiting.add(this)
      this.reader.pause()
    } else if (this.hasRoom()) this.release()
  }

  release(): void {
    this.isPaused = false
    this.pool.waiting.delete(this)
    this.reader.resume()
  }

  /** The connection is gone: nobody waits for its reading any more. */
  forget(): void {
    this.pool.waiting.delete(this)
  }

  hasRoom(): boolean {
    const { messages, bytes } = this.pool.limits
    const isHalfEmpty = this.queue.length <= messages / 2 && this.bytes <= bytes / 2
    return isHalfEmpty && !this.isClogged && !this.pool.isFull()
  }

  private isFull(): boolean {
    const { messages, bytes } = this.pool.limits
    const isOwn = this.queue.length >= messages || this.bytes >= bytes
    return isOwn || this.isClogged || this.pool.isFull()
  }

  /** Settles what is done at the head of the queue. */
  settle(): void {
    let settled = 0
    for (let head = this.queue[settled]; head?.isDone; head = this.queue[settled]) {
      settled += 1
      this.bytes -= head.bytes
      this.pool.bytes -= head.bytes
      head.settle(head.error)
    }
    if (settled === 0) return
    this.queue.splice(0, settled)
    this.look()
    this.pool.wake()
  }
}

class Entry implements Listener {
  private readonly window: ReceiveWindow
  readonly bytes: number
  readonly settle: (error?: Error) => void
  isDone = false
  error: Error | undefined

  constructor(window: ReceiveWindow, bytes: number, settle: (error?: Error) => void) {
    this.window = window
    this.bytes = bytes
    this.settle = settle
  }

  ended(error: Error | undefined): void {
    this.isDone = true
    this.error = error
    this.window.settle()
  }
}

/** What all windows of a broker share. */
export class WindowPool {
  readonly limits: WindowLimits
  readonly bytesMax: number
  readonly waiting = new Set<ReceiveWindow>()
  bytes = 0

  constructor(limits: WindowLimits, bytesMax: number) {
    this.limits = limits
    this.bytesMax = bytesMax
  }

  isFull(): boolean {
    return this.bytes >= this.bytesMax
  }

  /** Connections that waited for the memory of others. */
  wake(): void {
    // Not at the first free byte: a thousand connections would be looked at for each message.
    if (this.waiting.size === 0 || this.bytes > this.bytesMax / 2) return
    for (const window of [...this.waiting]) if (window.hasRoom()) window.release()
  }
}
