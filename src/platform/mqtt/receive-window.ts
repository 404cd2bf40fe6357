/** Waits for the end of a message. */
interface Listener {
  /** With the error that prevented the message from being stored, if any. */
  ended(error: Error | undefined): void
}

const ended: Completion[] = []
function notifyAll(): void {
  for (const completion of ended.splice(0)) completion.notify()
}

/**
 * The end of a message, for one listener. It replaces a promise where thousands wait at once: a promise with its
 * functions is six objects, which the garbage collector moves until the commit.
 */
export class Completion {
  private listener: Listener | undefined
  private error: Error | undefined
  private isOver = false

  /** The listener is notified in the next tick: a batch ends all of its messages first. */
  end(error?: Error): void {
    this.error = error
    if (ended.push(this) === 1) process.nextTick(notifyAll)
  }

  listen(listener: Listener): void {
    this.listener = listener
    if (this.isOver) listener.ended(this.error)
  }

  notify(): void {
    this.isOver = true
    this.listener?.ended(this.error)
  }

  toPromise(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.listen({ ended: (error) => (error ? reject(error) : resolve()) })
    })
  }
}

/** What the acknowledgement of a message waits for; undefined: for nothing. */
export type Work = Promise<void> | Completion | undefined

/** The part of a connection that a window controls. */
export interface Reader {
  pause(): void
  resume(): void
}

interface WindowLimits {
  readonly messages: number
  readonly bytes: number
}

/**
 * The receive window of a connection: its messages that are not settled yet. When they exceed a limit, or those of all
 * connections together take too much memory, the connection is not read any further: TCP slows its sender down, and
 * nothing is dropped. Messages are settled in the order in which they were entered, as MQTT requires of its
 * acknowledgements.
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
    else if (work instanceof Completion) work.listen(entry)
    else
      work.then(
        () => entry.ended(undefined),
        (error: Error) => entry.ended(error),
      )
    this.update()
  }

  /** While a client does not read what it is sent it is not read either: its acknowledgements would pile up. */
  setClogged(isClogged: boolean): void {
    this.isClogged = isClogged
    this.update()
  }

  /** Pauses or resumes the reader. */
  private update(): void {
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

  /** To be called when the connection is closed. */
  close(): void {
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

  /** Settles the finished messages at the head of the queue. */
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
    this.update()
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

/** The memory that all windows of a broker share. */
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

  /** Resumes connections that waited for the memory of others. */
  wake(): void {
    // Not at the first free byte: a thousand connections would be checked for each message.
    if (this.waiting.size === 0 || this.bytes > this.bytesMax / 2) return
    for (const window of [...this.waiting]) if (window.hasRoom()) window.release()
  }
}
