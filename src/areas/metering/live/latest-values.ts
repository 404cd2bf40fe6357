import type { Sample } from '../intake-contract/index.ts'
import { LIVE_COALESCED_METRICS_MAX } from './limits.ts'

interface PendingDevice {
  /** Number of samples added. */
  samples: number
  readonly values: Map<string, { at: number; value: number }>
}

export interface PendingSamples {
  /** Oldest first; one for each instant of which a value is still the newest. */
  readonly samples: readonly Sample[]
  /** Number of added samples that get no message of their own. */
  readonly skipped: number
}

/**
 * Values that a slow client has not been sent yet: of every device the newest value of every metric, by the
 * time of the sample. Its size is bounded by the number of devices and metrics, however slow the client is.
 */
export class LatestValues {
  private readonly devices = new Map<string, PendingDevice>()

  get isEmpty(): boolean {
    return this.devices.size === 0
  }

  add({ deviceId, at, values }: Sample): void {
    const pending = this.devices.get(deviceId) ?? { samples: 0, values: new Map() }
    this.devices.set(deviceId, pending)
    pending.samples += 1
    for (const metric in values) {
      const value = values[metric]
      if (value === undefined) continue
      const known = pending.values.get(metric)
      if (known && known.at > at) continue
      if (!known && pending.values.size >= LIVE_COALESCED_METRICS_MAX) continue
      pending.values.set(metric, { at, value })
    }
  }

  /** Removes and returns the device that has waited longest; undefined when there is none. */
  shift(): PendingSamples | undefined {
    const [next] = this.devices
    if (!next) return undefined
    const [deviceId, held] = next
    this.devices.delete(deviceId)
    const byInstant = new Map<number, Record<string, number>>()
    for (const [metric, { at, value }] of held.values) {
      const values = byInstant.get(at) ?? {}
      byInstant.set(at, values)
      values[metric] = value
    }
    const samples = [...byInstant]
      .sort(([a], [b]) => a - b)
      .map(([at, values]): Sample => ({ deviceId, at, values }))
    return { samples, skipped: held.samples - samples.length }
  }

  /** Removes a device and returns its number of pending samples. */
  forget(deviceId: string): number {
    const samples = this.devices.get(deviceId)?.samples ?? 0
    this.devices.delete(deviceId)
    return samples
  }
}
