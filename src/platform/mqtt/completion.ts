/** Whoever waits for the end of a message. */
export interface Listener {
  /** With why it was not stored, if it was not. */
  ended(error: Error | undefined): void
}

const over: Ending[] = []
function tellAll(): void {
  for (const ending of over.splice(0)) ending.tell()
}

/**
 * The end of a message, for one listener. It stands for a promise where thousands wait at once: a promise with its
 * functions is six objects, which the collector moves about until the commit.
 */
export class Ending {
  private listener: Listener | undefined
  private error: Error | undefined
  private isTold = false

  /** It is told a moment later: a block ends all of its messages first. */
  end(error?: Error): void {
    this.error = error
    if (over.push(this) === 1) process.nextTick(tellAll)
  }

  listen(listener: Listener): void {
    this.listener = listener
    if (this.isTold) listener.ended(this.error)
  }

  tell(): void {
    this.isTold = true
    this.listener?.ended(this.error)
  }

  toPromise(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.listen({ ended: (error) => (error ? reject(error) : resolve()) })
    })
  }
}

/** What a message waits for; undefined: for nothing. */
export type Work = Promise<void> | Ending | undefined
