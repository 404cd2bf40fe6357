import { encodeTextFrame } from '../../../platform/http/ws.ts'
import type { Sample } from '../intake-contract/index.ts'
import { type CloseReason, encodeSample } from './messages.ts'
import type { LiveSample, SampleCounts, Subscriber } from './subscriber.ts'

/** The sockets of a tenant in this process. */
interface TenantSubscriptions {
  readonly uid: string
  readonly watchers: Map<string, Set<Subscriber>>
  readonly subscribers: Set<Subscriber>
  /** Sums of the closed sockets. */
  readonly past: SampleCounts
  rejected: number
}

/** Statistics of one process, for one tenant or for all. */
export interface LiveStats extends SampleCounts {
  sockets: number
  /** Pairs of a socket and a device. */
  subscriptions: number
  /** Devices with at least one subscriber. */
  devices: number
  rejected: number
}

export const emptyStats = (): LiveStats => ({
  ...{ sockets: 0, subscriptions: 0, devices: 0 },
  ...{ sent: 0, coalesced: 0, dropped: 0, rejected: 0 },
})

export function addStats(sum: LiveStats, more: LiveStats): void {
  for (const name of Object.keys(sum) as (keyof LiveStats)[]) sum[name] += more[name]
}

function addCounts(sum: SampleCounts, { sent, coalesced, dropped }: SampleCounts): void {
  sum.sent += sent
  sum.coalesced += coalesced
  sum.dropped += dropped
}

/**
 * The subscription index of a process: by tenant, then by device. A sample without subscribers costs one map
 * look-up, a sample of a tenant without sockets less than that. A device id never matches a device of another
 * tenant.
 */
export class Hub {
  readonly subscribers = new Set<Subscriber>()
  private readonly tenants = new Map<number, TenantSubscriptions>()
  private readonly tenantIds = new Map<string, number>()
  private readonly byUser = new Map<string, number>()
  private readonly rejections = new Map<CloseReason, number>()
  /** Called when a tenant gets its first subscriber in this process. */
  onFirstWatch: () => void = () => {}

  join(subscriber: Subscriber): void {
    const { userId, tenantId, tenantUid } = subscriber.owner
    this.subscribers.add(subscriber)
    this.byUser.set(userId, this.socketsOf(userId) + 1)
    this.getOrCreateTenant(tenantId, tenantUid).subscribers.add(subscriber)
  }

  leave(subscriber: Subscriber): void {
    if (!this.subscribers.delete(subscriber)) return
    const { userId, tenantId, tenantUid } = subscriber.owner
    const remaining = this.socketsOf(userId) - 1
    if (remaining > 0) this.byUser.set(userId, remaining)
    else this.byUser.delete(userId)
    this.unwatch(subscriber, [...subscriber.devices])
    const tenant = this.getOrCreateTenant(tenantId, tenantUid)
    tenant.subscribers.delete(subscriber)
    addCounts(tenant.past, subscriber.counts)
  }

  /** Subscribes to devices; does nothing for a socket that has left meanwhile. */
  watch(subscriber: Subscriber, deviceIds: readonly string[]): void {
    if (!this.subscribers.has(subscriber)) return
    const { watchers } = this.getOrCreateTenant(subscriber.owner.tenantId, subscriber.owner.tenantUid)
    const isFirst = watchers.size === 0 && deviceIds.length > 0
    for (const id of deviceIds) {
      subscriber.devices.add(id)
      const watching = watchers.get(id) ?? new Set()
      watchers.set(id, watching.add(subscriber))
    }
    if (isFirst) this.onFirstWatch()
  }

  unwatch(subscriber: Subscriber, deviceIds: readonly string[]): void {
    const watchers = this.tenants.get(subscriber.owner.tenantId)?.watchers
    for (const id of deviceIds) {
      subscriber.forgetDevice(id)
      const watching = watchers?.get(id)
      watching?.delete(subscriber)
      if (watching?.size === 0) watchers?.delete(id)
    }
  }

  socketsOf(userId: string): number {
    return this.byUser.get(userId) ?? 0
  }

  /** True when a device of the tenant has a subscriber in this process. */
  isWatched(tenantId: number): boolean {
    return (this.tenants.get(tenantId)?.watchers.size ?? 0) > 0
  }

  /** The tenants with a subscriber in this process. */
  watchedTenants(): number[] {
    return [...this.tenants].flatMap(([id, { watchers }]) => (watchers.size > 0 ? [id] : []))
  }

  /** Sends committed samples to their subscribers, whichever process stored them. */
  deliver(tenantId: number, samples: readonly Sample[]): void {
    const watchers = this.tenants.get(tenantId)?.watchers
    if (!watchers || watchers.size === 0) return
    const corked = new Set<Subscriber>()
    for (const sample of samples) {
      const watching = watchers.get(sample.deviceId)
      if (!watching) continue
      const { deviceId, at, values } = sample
      const live: LiveSample = { deviceId, at, values, frame: encodeTextFrame(encodeSample(sample)) }
      for (const subscriber of watching) {
        if (samples.length > 1 && !corked.has(subscriber)) {
          corked.add(subscriber)
          subscriber.cork()
        }
        subscriber.offer(live)
      }
    }
    for (const subscriber of corked) subscriber.uncork()
  }

  /** The tenant with that uid; undefined unless one of its devices has a subscriber in this process. */
  watchedTenant(uid: string): number | undefined {
    const tenantId = this.tenantIds.get(uid)
    return tenantId !== undefined && this.tenants.get(tenantId)?.watchers.size ? tenantId : undefined
  }

  countRejection(reason: CloseReason, tenant?: { id: number; uid: string }): void {
    this.rejections.set(reason, (this.rejections.get(reason) ?? 0) + 1)
    if (tenant) this.getOrCreateTenant(tenant.id, tenant.uid).rejected += 1
  }

  get rejectedByReason(): ReadonlyMap<CloseReason, number> {
    return this.rejections
  }

  /** By tenant uid; includes tenants whose sockets are all closed. */
  statsByTenant(): Map<string, LiveStats> {
    return new Map([...this.tenants.values()].map((tenant) => [tenant.uid, tenantStats(tenant)]))
  }

  /** Of all tenants; includes rejections before authentication, which belong to no tenant. */
  stats(): LiveStats {
    const sum = emptyStats()
    for (const tenant of this.tenants.values()) addStats(sum, tenantStats(tenant))
    return { ...sum, rejected: [...this.rejections.values()].reduce((total, count) => total + count, 0) }
  }

  private getOrCreateTenant(id: number, uid: string): TenantSubscriptions {
    const known = this.tenants.get(id)
    if (known) return known
    const past = { sent: 0, coalesced: 0, dropped: 0 }
    const tenant = { uid, watchers: new Map(), subscribers: new Set<Subscriber>(), past, rejected: 0 }
    this.tenants.set(id, tenant)
    this.tenantIds.set(uid, id)
    return tenant
  }
}

function tenantStats({ watchers, subscribers, past, rejected }: TenantSubscriptions): LiveStats {
  const stats = { ...emptyStats(), ...past, sockets: subscribers.size, devices: watchers.size, rejected }
  for (const { devices, counts } of subscribers) {
    stats.subscriptions += devices.size
    addCounts(stats, counts)
  }
  return stats
}
