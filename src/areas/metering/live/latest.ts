import type { Sample } from '../../../platform/ingest.ts'
import { LIVE_METRICS_HELD_MAX } from './limits.ts'

interface Held {
  /** Samples that went in. */
  samples: number
  readonly values: Map<string, { at: number; value: number }>
}

export interface Taken {
  /** Oldest first, one for each instant of which a value is still the newest. */
  readonly samples: readonly Sample[]
  /** Samples that went in and of which there is no message of their own. */
  readonly skipped: number
}

/**
 * What a slow client has not been sent yet: of every device the newest value of every metric, by the time of the sample.
 * Its size is bounded by the devices and their metrics, however long the client takes.
 */
export class LatestValues {
  private readonly devices = new Map<string, Held>()

  get isEmpty(): boolean {
    return this.devices.size === 0
  }

  add({ deviceId, at, values }: Sample): void {
    const held = this.devices.get(deviceId) ?? { samples: 0, values: new Map() }
    this.devices.set(deviceId, held)
    held.samples += 1
    for (const metric in values) {
      const known = held.values.get(metric)
      if (known && known.at > at) continue
      if (!known && held.values.size >= LIVE_METRICS_HELD_MAX) continue
      held.values.set(metric, { at, value: values[metric] ?? 0 })
    }
  }

  /** Takes out the device that has been waiting longest; undefined when there is none. */
  take(): Taken | undefined {
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

  /** Answers how many samples were waiting. */
  forget(deviceId: string): number {
    const samples = this.devices.get(deviceId)?.samples ?? 0
    this.devices.delete(deviceId)
    return samples
  }
}
