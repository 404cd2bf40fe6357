import type { StoredSample } from './api.ts'

/** A range of samples of a device that the socket has not sent: from inclusive, to exclusive, epoch milliseconds. */
export interface Gap {
  readonly deviceId: string
  readonly from: number
  readonly to: number
}

export type ReadSamples = (gap: Gap, limit: number) => Promise<readonly StoredSample[]>

export interface GapReaderOptions {
  readonly readSamples: ReadSamples
  readonly onSample: (deviceId: string, sample: StoredSample) => void
  /** The gap could not be read. */
  readonly onFailure: (gap: Gap, error: unknown) => void
  /** All gaps were read, or failed. */
  readonly onIdle: () => void
}

const PAGE = 2000

/** Reads gaps over HTTP, one request at a time. Gaps of a device that wait are joined, so their number is bounded. */
export class GapReader {
  private readonly options: GapReaderOptions
  private readonly waiting = new Map<string, Gap>()
  private isReading = false
  private generation = 0

  constructor(options: GapReaderOptions) {
    this.options = options
  }

  get isIdle(): boolean {
    return !this.isReading && this.waiting.size === 0
  }

  add(gap: Gap): void {
    const { deviceId } = gap
    const other = this.waiting.get(deviceId) ?? gap
    const joined = { deviceId, from: Math.min(gap.from, other.from), to: Math.max(gap.to, other.to) }
    this.waiting.set(deviceId, joined)
    if (!this.isReading) void this.readAll()
  }

  /** Forgets the gaps that wait; a failure of the one that is being read is not reported any more. */
  clear(): void {
    this.generation += 1
    this.waiting.clear()
  }

  private async readAll(): Promise<void> {
    this.isReading = true
    for (;;) {
      const [next] = this.waiting
      if (!next) break
      const [deviceId, gap] = next
      this.waiting.delete(deviceId)
      const { generation } = this
      try {
        await this.read(gap)
      } catch (error) {
        if (generation === this.generation) this.options.onFailure(gap, error)
      }
    }
    this.isReading = false
    this.options.onIdle()
  }

  private async read(gap: Gap): Promise<void> {
    let { from } = gap
    while (from < gap.to) {
      const samples = await this.options.readSamples({ ...gap, from }, PAGE)
      for (const sample of samples) this.options.onSample(gap.deviceId, sample)
      const last = samples.at(-1)
      if (!last || samples.length < PAGE) return
      from = Date.parse(last.timestamp) + 1
    }
  }
}
