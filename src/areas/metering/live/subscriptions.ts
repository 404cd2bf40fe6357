import { iso } from '../../../kernel/time.ts'
import { makeConcurrencyLimit } from '../../../platform/async/concurrency-limit.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { findDeviceKeys } from '../device-lookup/index.ts'
import type { Sample } from '../intake-contract/index.ts'
import { readNewestSamples } from '../samples/index.ts'
import { BackfillMemory, planBackfill, samplesPerDevice, sentMetrics } from './backfill.ts'
import type { Hub } from './hub.ts'
import {
  LIVE_BACKFILL_AGE_MAX_MS,
  LIVE_BACKFILL_REMEMBERED_MS,
  LIVE_BACKFILL_SEND_MAX_MS,
  LIVE_BACKFILLS_CONCURRENT_MAX,
  LIVE_DEVICES_MAX,
  LIVE_SOCKETS_MAX,
} from './limits.ts'
import { partitionIds } from './messages.ts'
import type { Subscriber } from './subscriber.ts'

export interface FoundDevices {
  /** Short keys of the tenant's devices by id. */
  readonly keys: ReadonlyMap<string, number>
  /** Unknown, foreign and malformed ids as they were sent: indistinguishable for the client. */
  readonly refused: readonly string[]
}

export interface Subscriptions {
  findDevices(tenantId: number, texts: readonly string[]): Promise<FoundDevices>
  /**
   * Subscribes to devices. With `since`, stored samples from that instant on come first, without gap or
   * duplicates.
   */
  subscribe(subscriber: Subscriber, options: SubscribeOptions): Promise<void>
  /** Removes expired entries of the backfill memory. */
  expireBackfills(now: number): void
}

export interface SubscribeOptions {
  readonly keys: ReadonlyMap<string, number>
  readonly since: number | undefined
  /** Confirms the subscription to the client, before any sample. */
  readonly acknowledge: () => void
}

type SubscriptionsDeps = Pick<Deps, 'database' | 'clock' | 'log'> & { readonly hub: Hub }

/** True when these devices and the watched ones together exceed LIVE_DEVICES_MAX. */
export const exceedsDeviceLimit = (texts: readonly string[], watched = 0): boolean =>
  texts.length + watched > LIVE_DEVICES_MAX

export function makeSubscriptions({ database, clock, log, hub }: SubscriptionsDeps): Subscriptions {
  const limiter = makeConcurrencyLimit({
    atOnce: LIVE_BACKFILLS_CONCURRENT_MAX,
    waitingMax: LIVE_SOCKETS_MAX,
    refuse: () => new Error('too many backfills are waiting'),
  })
  const memory = new BackfillMemory()

  async function readBackfill({ owner }: Subscriber, keys: SubscribeOptions['keys'], since: number) {
    const oldest = clock.now() - LIVE_BACKFILL_AGE_MAX_MS
    const from = Math.max(since, oldest)
    const devices = [...keys.keys()]
    const ids = new Map([...keys].map(([id, key]) => [key, id]))
    const stored = await readNewestSamples(database.pool, {
      tenantId: owner.tenantId,
      deviceKeys: [...keys.values()],
      from,
      perDevice: samplesPerDevice(devices.length) + 1,
    })
    const samples = stored.map(
      ({ deviceKey, at, values }): Sample => ({ deviceId: ids.get(deviceKey) ?? '', at, values }),
    )
    return planBackfill(samples, { devices, from, isTooOld: since < oldest })
  }

  async function sendBackfill(subscriber: Subscriber, keys: SubscribeOptions['keys'], since: number) {
    const { samples, truncated } = await readBackfill(subscriber, keys, since)
    if (truncated.length > 0)
      subscriber.send({ type: 'gap_truncated', since: iso(since), devices: truncated })
    const sent = await subscriber.sendStored(samples, performance.now() + LIVE_BACKFILL_SEND_MAX_MS)
    subscriber.send({ type: 'gap_filled', since: iso(since), samples: sent })
    memory.add(subscriber, samples.length, clock.now() + LIVE_BACKFILL_REMEMBERED_MS)
    return sentMetrics(samples)
  }

  return {
    async findDevices(tenantId, texts) {
      const { ids, malformed } = partitionIds(texts)
      const keys = ids.length > 0 ? await findDeviceKeys(database, tenantId, ids) : new Map<string, number>()
      return { keys, refused: [...ids.filter((id) => !keys.has(id)), ...malformed] }
    },
    async subscribe(subscriber, { keys, since, acknowledge }) {
      const fresh = new Map([...keys].filter(([id]) => !subscriber.devices.has(id)))
      if (since === undefined || fresh.size === 0) {
        acknowledge()
        return hub.watch(subscriber, [...fresh.keys()])
      }
      // Subscribe before reading: whatever the read does not see arrives as a live sample and is held.
      subscriber.beginBackfill([...fresh.keys()])
      hub.watch(subscriber, [...fresh.keys()])
      acknowledge()
      let backfilled: ReturnType<typeof sentMetrics> | undefined
      try {
        backfilled = await limiter.run(() => sendBackfill(subscriber, fresh, since))
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'backfill of live values failed')
        const message = 'stored samples could not be read; live ones go on'
        subscriber.send({ type: 'error', code: 'gap_not_filled', message })
      } finally {
        subscriber.endBackfill(backfilled)
      }
    },
    expireBackfills: (now) => memory.forget(now),
  }
}
