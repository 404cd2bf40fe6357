import { floatAt, intAt } from '../../../kernel/checked.ts'
import { LAST_SEEN_EVERY_MS } from '../../../kernel/limits.ts'
import { floorHour } from '../../../kernel/time.ts'
import { makeCoalescer } from '../../../platform/async/coalesce.ts'
import { byTenant } from '../../../platform/db/by-tenant.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { ACCEPTED, type Part } from './block.ts'
import { SeenTimes } from './seen-times.ts'

interface Seen {
  readonly tenantId: number
  readonly deviceKey: number
  /** Epoch milliseconds. */
  readonly at: number
}

// Locked rows are skipped and left for the next batch. The statement never waits for a lock, so it cannot
// deadlock.
const TOUCH = `
  with seen as (
    select device_key, max(at) as at from unnest($2::int[], $3::float8[]) as seen (device_key, at) group by device_key
  ), due as (
    select d.id, to_timestamp(seen.at / 1000) as at
    from device d join seen on d.key = seen.device_key
    where d.tenant_id = $1 and (d.last_seen is null or d.last_seen < to_timestamp(seen.at / 1000))
    for no key update of d skip locked
  )
  update device d set last_seen = due.at from due where d.tenant_id = $1 and d.id = due.id`

/** Updates last_seen, which only ever increases; one statement for each tenant. */
async function touchDevices({ pool }: Database, seen: readonly Seen[]): Promise<void> {
  for (const [tenantId, own] of byTenant(seen))
    await pool.query(TOUCH, [tenantId, own.map(({ deviceKey }) => deviceKey), own.map(({ at }) => at)])
}

/** Keeps device.last_seen at the newest stored sample. */
export interface LastSeen {
  /**
   * Returns undefined when nothing of a stored part has to be written before its acknowledgement. The promise never
   * rejects, because a failure only delays last_seen.
   */
  touch(part: Part): Promise<void> | undefined
  /** Writes what was collected, and waits for the end of all writes. */
  stop(): Promise<void>
}

/**
 * A device is due when a sample is LAST_SEEN_EVERY_MS newer than the one that was taken last, or the first one of an
 * hour. The first one of an hour is always written before the acknowledgement of its sample, because the hourly roll-up
 * finds the devices with new samples by last_seen. So is every other one, unless the device was written less than half
 * of LAST_SEEN_EVERY_MS ago by the clock: then samples arrive at least twice as fast as they were measured, and the
 * newest instant of each device is collected and written later. A sample that only follows a late one is not collected.
 */
export function makeLastSeen({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>): LastSeen {
  /** The newest instants of samples that were written or collected. */
  const taken = new SeenTimes()
  /** The instants of the clock at which devices were written. */
  const writtenAt = new SeenTimes()
  const collected = new Map<number, Seen>()
  let timer: NodeJS.Timeout | undefined
  const write = makeCoalescer((seen: readonly Seen[]) => touchDevices(database, seen))

  async function writeNow(due: readonly Seen[]): Promise<void> {
    const now = clock.now()
    for (const { deviceKey } of due) {
      writtenAt.set(deviceKey, now)
      collected.delete(deviceKey)
    }
    try {
      await write(due)
    } catch (error) {
      for (const { deviceKey } of due) taken.delete(deviceKey)
      log.warn({ reason: (error as Error).message }, 'last_seen was not written')
    }
  }

  /** Resolves when nothing is being written any more, also when nothing was collected. */
  async function writeCollected(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await writeNow([...collected.values()])
  }

  /** Whether a device may be written at once although a sample of the same hour was written or collected before. */
  const isRested = (key: number): boolean =>
    clock.now() >= (writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) + LAST_SEEN_EVERY_MS / 2

  return {
    touch(part) {
      const due: Seen[] = []
      for (const seen of newestOf(part)) {
        const { deviceKey, at } = seen
        const last = taken.get(deviceKey)
        const isFirstOfHour = last === undefined || floorHour(at) > floorHour(last)
        if (!isFirstOfHour && at < last + LAST_SEEN_EVERY_MS) continue
        taken.set(deviceKey, at)
        if (isFirstOfHour || isRested(deviceKey)) due.push(seen)
        else collected.set(deviceKey, seen)
      }
      if (collected.size > 0) timer ??= setTimeout(() => void writeCollected(), LAST_SEEN_EVERY_MS)
      return due.length === 0 ? undefined : writeNow(due)
    },
    stop: writeCollected,
  }
}

/** Returns the newest accepted sample of each device of a part. */
function newestOf({ block, from, to }: Part): Seen[] {
  const newest = new Float64Array(block.deviceKeys.length).fill(Number.NEGATIVE_INFINITY)
  for (let index = from; index < to; index++) {
    const device = intAt(block.deviceOf, index)
    const at = floatAt(block.at, index)
    if (block.status[index] === ACCEPTED && at > floatAt(newest, device)) newest[device] = at
  }
  const seen: Seen[] = []
  for (const [device, deviceKey] of block.deviceKeys.entries()) {
    const at = floatAt(newest, device)
    if (Number.isFinite(at)) seen.push({ tenantId: block.tenantId, deviceKey, at })
  }
  return seen
}
