import { iso } from '../../../kernel/time.ts'
import { makeTurns } from '../../../platform/async/concurrency-limit.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Sample } from '../../../platform/ingest.ts'
import { deviceKeys, readNewestSamples } from '../measurements/index.ts'
import { FillMemory, metricsSent, planGap, shareOf } from './gap.ts'
import type { Hub } from './hub.ts'
import {
  LIVE_DEVICES_MAX,
  LIVE_FILL_AGE_MAX_MS,
  LIVE_FILL_REMEMBERED_MS,
  LIVE_FILL_SEND_MAX_MS,
  LIVE_FILLS_AT_ONCE,
  LIVE_SOCKETS_MAX,
} from './limits.ts'
import { sortIds } from './messages.ts'
import type { Subscriber } from './subscriber.ts'

export interface FoundDevices {
  /** Short keys of the tenant's devices by id. */
  readonly keys: ReadonlyMap<string, number>
  /** Unknown, foreign and malformed ones, as they were sent: nothing tells them apart. */
  readonly refused: readonly string[]
}

export interface Watching {
  findDevices(tenantId: number, texts: readonly string[]): Promise<FoundDevices>
  /** Begins to watch; with `since` the samples from that instant on come first, without a hole and without doubles. */
  begin(subscriber: Subscriber, order: WatchOrder): Promise<void>
  /** Forgets fills that are over for long enough. */
  forget(now: number): void
}

export interface WatchOrder {
  readonly keys: ReadonlyMap<string, number>
  readonly since: number | undefined
  /** Tells the client that it watches now: before any sample. */
  readonly tell: () => void
}

type WatchingDeps = Pick<Deps, 'database' | 'clock' | 'log'> & { readonly hub: Hub }

/** Whether more devices are named than one socket may watch. */
export const areTooMany = (texts: readonly string[], watched = 0): boolean =>
  texts.length + watched > LIVE_DEVICES_MAX

export function makeWatching({ database, clock, log, hub }: WatchingDeps): Watching {
  const turns = makeTurns({
    atOnce: LIVE_FILLS_AT_ONCE,
    waitingMax: LIVE_SOCKETS_MAX,
    refuse: () => new Error('too many gaps are being filled'),
  })
  const memory = new FillMemory()

  async function readGap({ owner }: Subscriber, keys: WatchOrder['keys'], since: number) {
    const oldest = clock.now() - LIVE_FILL_AGE_MAX_MS
    const from = Math.max(since, oldest)
    const devices = [...keys.keys()]
    const ids = new Map([...keys].map(([id, key]) => [key, id]))
    const stored = await readNewestSamples(database.pool, {
      tenantId: owner.tenantId,
      deviceKeys: [...keys.values()],
      from,
      perDevice: shareOf(devices.length) + 1,
    })
    const samples = stored.map(
      ({ deviceKey, at, values }): Sample => ({ deviceId: ids.get(deviceKey) ?? '', at, values }),
    )
    return planGap(samples, { devices, from, isTooOld: since < oldest })
  }

  async function fill(subscriber: Subscriber, keys: WatchOrder['keys'], since: number) {
    const { samples, cuts } = await readGap(subscriber, keys, since)
    if (cuts.length > 0) subscriber.say({ type: 'gap_truncated', since: iso(since), devices: cuts })
    const sent = await subscriber.sendStored(samples, performance.now() + LIVE_FILL_SEND_MAX_MS)
    subscriber.say({ type: 'gap_filled', since: iso(since), samples: sent })
    memory.add(subscriber, samples.length, clock.now() + LIVE_FILL_REMEMBERED_MS)
    return metricsSent(samples)
  }

  return {
    async findDevices(tenantId, texts) {
      const { ids, malformed } = sortIds(texts)
      const keys = ids.length > 0 ? await deviceKeys(database, tenantId, ids) : new Map<string, number>()
      return { keys, refused: [...ids.filter((id) => !keys.has(id)), ...malformed] }
    },
    async begin(subscriber, { keys, since, tell }) {
      const fresh = new Map([...keys].filter(([id]) => !subscriber.devices.has(id)))
      if (since === undefined || fresh.size === 0) {
        tell()
        return hub.watch(subscriber, [...fresh.keys()])
      }
      // Watched before the read begins: whatever the read does not see comes by this way.
      subscriber.beginFill([...fresh.keys()])
      hub.watch(subscriber, [...fresh.keys()])
      tell()
      let filled: ReturnType<typeof metricsSent> | undefined
      try {
        filled = await turns.take(() => fill(subscriber, fresh, since))
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'a gap of live values was not filled')
        const message = 'stored samples could not be read; live ones go on'
        subscriber.say({ type: 'error', code: 'gap_not_filled', message })
      } finally {
        subscriber.endFill(filled)
      }
    },
    forget: (now) => memory.forget(now),
  }
}
