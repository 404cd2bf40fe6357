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

/**
 * Keeps device.last_seen at the newest stored sample, at most every LAST_SEEN_EVERY_MS and once in every hour
 * that has a sample: the hourly roll-up uses it to find the devices with new samples. Returns undefined when
 * nothing is due. The promise never rejects, because a failure only delays last_seen.
 */
export function makeLastSeen({
  database,
  log,
}: Pick<Deps, 'database' | 'log'>): (part: Part) => Promise<void> | undefined {
  const written = new SeenTimes()
  const isDue = (key: number, at: number): boolean => {
    const last = written.get(key)
    return last === undefined || at >= last + LAST_SEEN_EVERY_MS || floorHour(at) > floorHour(last)
  }
  const write = makeCoalescer((seen: readonly Seen[]) => touchDevices(database, seen))

  async function writeDue(due: readonly Seen[]): Promise<void> {
    try {
      await write(due)
    } catch (error) {
      for (const { deviceKey } of due) written.delete(deviceKey)
      log.warn({ reason: (error as Error).message }, 'last_seen was not written')
    }
  }

  return (part) => {
    const due = newestOf(part).filter(({ deviceKey, at }) => isDue(deviceKey, at))
    for (const { deviceKey, at } of due) written.set(deviceKey, at)
    return due.length === 0 ? undefined : writeDue(due)
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
