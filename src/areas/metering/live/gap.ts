import { iso } from '../../../kernel/time.ts'
import type { Sample } from '../../../platform/ingest.ts'
import { LIVE_FILL_REMEMBERED_MAX, LIVE_FILL_ROWS_MAX } from './limits.ts'
import type { Cut } from './messages.ts'
import type { Subscriber } from './subscriber.ts'

/** How many samples of each device a fill may have: their share of LIVE_FILL_ROWS_MAX. */
export const shareOf = (devices: number): number => Math.max(1, Math.floor(LIVE_FILL_ROWS_MAX / devices))

export interface Gap {
  /** Oldest first. */
  readonly samples: readonly Sample[]
  /** Devices of which older ones were left out. */
  readonly cuts: readonly Cut[]
}

/**
 * What fills a gap. `stored` has up to one sample of each device more than its share, the newest; that one more says that
 * there are older ones, and is left out. `isTooOld`: the gap begins before what is filled at all.
 */
export function planGap(
  stored: readonly Sample[],
  { devices, from, isTooOld }: { devices: readonly string[]; from: number; isTooOld: boolean },
): Gap {
  const share = shareOf(devices.length)
  const samples: Sample[] = []
  const cuts: Cut[] = []
  const byDevice = new Map<string, Sample[]>()
  for (const sample of stored) {
    const own = byDevice.get(sample.deviceId)
    if (own) own.push(sample)
    else byDevice.set(sample.deviceId, [sample])
  }
  for (const deviceId of devices) {
    const own = (byDevice.get(deviceId) ?? []).sort((a, b) => b.at - a.at)
    const kept = own.slice(0, share)
    samples.push(...kept)
    if (own.length > share) cuts.push({ device_id: deviceId, from: iso(kept.at(-1)?.at ?? from) })
    else if (isTooOld) cuts.push({ device_id: deviceId, from: iso(from) })
  }
  return { samples: samples.sort((a, b) => a.at - b.at), cuts }
}

/** By device and instant the metrics that were sent; equal lists of metrics are kept once. */
export function metricsSent(samples: readonly Sample[]): Map<string, Map<number, ReadonlySet<string>>> {
  const lists = new Map<string, ReadonlySet<string>>()
  const sent = new Map<string, Map<number, ReadonlySet<string>>>()
  for (const { deviceId, at, values } of samples) {
    const names = Object.keys(values)
    const name = names.join('\n')
    const metrics = lists.get(name) ?? new Set(names)
    lists.set(name, metrics)
    const byInstant = sent.get(deviceId) ?? new Map<number, ReadonlySet<string>>()
    sent.set(deviceId, byInstant.set(at, metrics))
  }
  return sent
}

/**
 * What fills have sent is remembered for a while: the news of a sample comes after its commit, so one that a fill has
 * found may still be on its way, from another process above all. Bounded: under very many fills at once the oldest are
 * forgotten early, and at worst a sample comes twice.
 */
export class FillMemory {
  private readonly entries: { subscriber: Subscriber; rows: number; until: number }[] = []
  private rows = 0

  add(subscriber: Subscriber, rows: number, until: number): void {
    this.entries.push({ subscriber, rows, until })
    this.rows += rows
    while (this.rows > LIVE_FILL_REMEMBERED_MAX && this.entries.length > 1) this.forgetOldest()
  }

  forget(now: number): void {
    while ((this.entries[0]?.until ?? now) < now) this.forgetOldest()
  }

  private forgetOldest(): void {
    const entry = this.entries.shift()
    if (!entry) return
    this.rows -= entry.rows
    // A later fill of the same socket is remembered in its place.
    if (!this.entries.some(({ subscriber }) => subscriber === entry.subscriber))
      entry.subscriber.forgetFilled()
  }
}
