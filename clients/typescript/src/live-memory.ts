/** Samples that are remembered; beyond it the oldest entries are forgotten, and a sample may be delivered twice. */
const REMEMBERED_MAX = 200_000

/**
 * The samples that were delivered, by device and instant with their metrics: a sample that a resume sends again is
 * recognized, and one that adds metrics to a delivered one is not mistaken for it.
 */
export class DeliveredSamples {
  private readonly entries = new Map<string, { readonly at: number; metrics: ReadonlySet<string> }>()
  private readonly latest = new Map<string, number>()
  /** Equal sets of metrics share one object. */
  private readonly metricSets = new Map<string, ReadonlySet<string>>()

  /** Remembers a sample. False when all its metrics were delivered before. */
  add(deviceId: string, at: number, metrics: readonly string[]): boolean {
    const key = `${deviceId} ${at}`
    const known = this.entries.get(key)
    if (known && metrics.every((metric) => known.metrics.has(metric))) return false
    const all = known ? [...new Set([...known.metrics, ...metrics])] : metrics
    this.entries.set(key, { at, metrics: this.shared(all) })
    this.latest.set(deviceId, Math.max(at, this.latest.get(deviceId) ?? at))
    if (this.entries.size > REMEMBERED_MAX) this.forgetOldest()
    return true
  }

  /** The newest instant that was delivered of a device. */
  latestOf(deviceId: string): number | undefined {
    return this.latest.get(deviceId)
  }

  /** Forgets samples before an instant, which no resume asks for any more. */
  forgetBefore(instant: number): void {
    for (const [key, { at }] of this.entries) if (at < instant) this.entries.delete(key)
  }

  private forgetOldest(): void {
    const [key] = this.entries.keys()
    if (key !== undefined) this.entries.delete(key)
  }

  private shared(metrics: readonly string[]): ReadonlySet<string> {
    const name = metrics.join('\n')
    const known = this.metricSets.get(name) ?? new Set(metrics)
    if (this.metricSets.size < 1000) this.metricSets.set(name, known)
    return known
  }
}
