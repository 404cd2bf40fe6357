/** Half of what is told lies about so long back. */
const MEMORY_MS = 200

/** The share of the last moments in which something was being done; 0 to 1, older moments count less. */
export class BusyShare {
  private share = 0
  private isBusy = false
  private since = 0
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
    this.since = now()
  }

  /** From now on it is busy, or is not. */
  turn(isBusy: boolean): void {
    if (isBusy === this.isBusy) return
    this.share = this.read()
    this.since = this.now()
    this.isBusy = isBusy
  }

  read(): number {
    const kept = Math.exp(-(this.now() - this.since) / MEMORY_MS)
    return this.share * kept + (this.isBusy ? 1 - kept : 0)
  }
}
