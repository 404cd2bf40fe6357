import type { Sample } from '../../../platform/ingest.ts'
import { type CloseReason, sampleText } from './messages.ts'
import type { Counts, LiveSample, Subscriber } from './subscriber.ts'

/** What a tenant has open here, and the sums of its sockets that are closed. */
interface TenantLive {
  readonly uid: string
  readonly watchers: Map<string, Set<Subscriber>>
  readonly subscribers: Set<Subscriber>
  readonly past: Counts
  rejected: number
}

/** Numbers of one process: of a tenant, or of all. */
export interface Numbers extends Counts {
  sockets: number
  /** Pairs of a socket and a device. */
  subscriptions: number
  /** Devices that somebody watches. */
  devices: number
  rejected: number
}

export const noNumbers = (): Numbers => ({
  ...{ sockets: 0, subscriptions: 0, devices: 0 },
  ...{ sent: 0, coalesced: 0, dropped: 0, rejected: 0 },
})

export function addNumbers(sum: Numbers, more: Numbers): void {
  for (const name of Object.keys(sum) as (keyof Numbers)[]) sum[name] += more[name]
}

function addCounts(sum: Counts, { sent, coalesced, dropped }: Counts): void {
  sum.sent += sent
  sum.coalesced += coalesced
  sum.dropped += dropped
}

/**
 * Who watches what. By tenant, then by device, so that a sample that nobody watches costs a look into a map, and one of
 * a tenant without sockets not even that; and so that no id, however it was come by, leads into another tenant.
 */
export class Hub {
  readonly subscribers = new Set<Subscriber>()
  private readonly tenants = new Map<number, TenantLive>()
  private readonly tenantIds = new Map<string, number>()
  private readonly byUser = new Map<string, number>()
  private readonly rejections = new Map<CloseReason, number>()

  join(subscriber: Subscriber): void {
    const { userId, tenantId, tenantUid } = subscriber.owner
    this.subscribers.add(subscriber)
    this.byUser.set(userId, this.socketsOf(userId) + 1)
    this.openTenant(tenantId, tenantUid).subscribers.add(subscriber)
  }

  leave(subscriber: Subscriber): void {
    if (!this.subscribers.delete(subscriber)) return
    const { userId, tenantId, tenantUid } = subscriber.owner
    const left = this.socketsOf(userId) - 1
    if (left > 0) this.byUser.set(userId, left)
    else this.byUser.delete(userId)
    this.unwatch(subscriber, [...subscriber.devices])
    const tenant = this.openTenant(tenantId, tenantUid)
    tenant.subscribers.delete(subscriber)
    addCounts(tenant.past, subscriber.counts)
  }

  /** A socket that has left meanwhile watches nothing. */
  watch(subscriber: Subscriber, deviceIds: readonly string[]): void {
    if (!this.subscribers.has(subscriber)) return
    const { watchers } = this.openTenant(subscriber.owner.tenantId, subscriber.owner.tenantUid)
    for (const id of deviceIds) {
      subscriber.devices.add(id)
      const watching = watchers.get(id) ?? new Set()
      watchers.set(id, watching.add(subscriber))
    }
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

  /** Whether somebody watches a device of the tenant here. */
  isWatched(tenantId: number): boolean {
    return (this.tenants.get(tenantId)?.watchers.size ?? 0) > 0
  }

  /** Samples after their commit, wherever that was. */
  deliver(tenantId: number, samples: readonly Sample[]): void {
    const watchers = this.tenants.get(tenantId)?.watchers
    if (!watchers || watchers.size === 0) return
    const corked = new Set<Subscriber>()
    for (const sample of samples) {
      const watching = watchers.get(sample.deviceId)
      if (!watching) continue
      const { deviceId, at, values } = sample
      const live: LiveSample = { deviceId, at, values, text: sampleText(sample) }
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

  /** The tenant of that uid, when somebody of it watches something here. */
  watchedTenant(uid: string): number | undefined {
    const tenantId = this.tenantIds.get(uid)
    return tenantId !== undefined && this.tenants.get(tenantId)?.watchers.size ? tenantId : undefined
  }

  noteRejected(reason: CloseReason, tenant?: { id: number; uid: string }): void {
    this.rejections.set(reason, (this.rejections.get(reason) ?? 0) + 1)
    if (tenant) this.openTenant(tenant.id, tenant.uid).rejected += 1
  }

  get rejectedByReason(): ReadonlyMap<CloseReason, number> {
    return this.rejections
  }

  /** By the tenant's uid; those that have or had a socket here. */
  numbersByTenant(): Map<string, Numbers> {
    return new Map([...this.tenants.values()].map((tenant) => [tenant.uid, numbersOf(tenant)]))
  }

  /** Of all tenants, with the rejections of those who were nobody yet. */
  numbers(): Numbers {
    const sum = noNumbers()
    for (const tenant of this.tenants.values()) addNumbers(sum, numbersOf(tenant))
    return { ...sum, rejected: [...this.rejections.values()].reduce((total, count) => total + count, 0) }
  }

  private openTenant(id: number, uid: string): TenantLive {
    const known = this.tenants.get(id)
    if (known) return known
    const past = { sent: 0, coalesced: 0, dropped: 0 }
    const tenant = { uid, watchers: new Map(), subscribers: new Set<Subscriber>(), past, rejected: 0 }
    this.tenants.set(id, tenant)
    this.tenantIds.set(uid, id)
    return tenant
  }
}

function numbersOf({ watchers, subscribers, past, rejected }: TenantLive): Numbers {
  const numbers = { ...noNumbers(), ...past, sockets: subscribers.size, devices: watchers.size, rejected }
  for (const { devices, counts } of subscribers) {
    numbers.subscriptions += devices.size
    addCounts(numbers, counts)
  }
  return numbers
}
