import { iso } from '../../../kernel/time.ts'
import type { Sample } from '../intake-contract/index.ts'
import { LIVE_BACKFILL_REMEMBERED_MAX, LIVE_BACKFILL_ROWS_MAX } from './limits.ts'
import type { TruncatedDevice } from './messages.ts'
import type { Subscriber } from './subscriber.ts'

/** The most samples that a backfill sends of each device: an equal share of LIVE_BACKFILL_ROWS_MAX. */
export const samplesPerDevice = (devices: number): number =>
  Math.max(1, Math.floor(LIVE_BACKFILL_ROWS_MAX / devices))

export interface Backfill {
  /** Oldest first. */
  readonly samples: readonly Sample[]
  /** Devices of which older samples were left out. */
  readonly truncated: readonly TruncatedDevice[]
}

/**
 * Selects the samples of a backfill. `stored` holds the newest samples of each device, up to one more than
 * its share: the extra one proves that older samples exist and is left out. `isTooOld`: `since` lies before
 * LIVE_BACKFILL_AGE_MAX_MS.
 */
export function planBackfill(
  stored: readonly Sample[],
  { devices, from, isTooOld }: { devices: readonly string[]; from: number; isTooOld: boolean },
): Backfill {
  const share = samplesPerDevice(devices.length)
  const samples: Sample[] = []
  const truncated: TruncatedDevice[] = []
  const byDevice = new Map<string, Sample[]>()
  for (const sample of stored) {
    const ofDevice = byDevice.get(sample.deviceId)
    if (ofDevice) ofDevice.push(sample)
    else byDevice.set(sample.deviceId, [sample])
  }
  for (const deviceId of devices) {
    const own = (byDevice.get(deviceId) ?? []).sort((a, b) => b.at - a.at)
    const kept = own.slice(0, share)
    samples.push(...kept)
    if (own.length > share) truncated.push({ device_id: deviceId, from: iso(kept.at(-1)?.at ?? from) })
    else if (isTooOld) truncated.push({ device_id: deviceId, from: iso(from) })
  }
  return { samples: samples.sort((a, b) => a.at - b.at), truncated: truncated }
}

/** The sent metrics by device and instant; equal sets of metrics share one object. */
export function sentMetrics(samples: readonly Sample[]): Map<string, Map<number, ReadonlySet<string>>> {
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
 * Remembers for a while what backfills have sent, in order to remove duplicates: a sample is announced
 * after its commit, so the announcement of one that a backfill has read may still be under way, above all
 * from another process. The memory is bounded: under very many concurrent backfills the oldest entries are
 * removed early, and a sample may be sent twice.
 */
export class BackfillMemory {
  private readonly entries: { subscriber: Subscriber; rows: number; until: number }[] = []
  private rows = 0

  add(subscriber: Subscriber, rows: number, until: number): void {
    this.entries.push({ subscriber, rows, until })
    this.rows += rows
    while (this.rows > LIVE_BACKFILL_REMEMBERED_MAX && this.entries.length > 1) this.forgetOldest()
  }

  forget(now: number): void {
    while ((this.entries[0]?.until ?? now) < now) this.forgetOldest()
  }

  private forgetOldest(): void {
    const entry = this.entries.shift()
    if (!entry) return
    this.rows -= entry.rows
    // A later backfill of the same socket has replaced the entry.
    if (!this.entries.some(({ subscriber }) => subscriber === entry.subscriber))
      entry.subscriber.forgetBackfilled()
  }
}
