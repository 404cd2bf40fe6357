import type pg from 'pg'
import { LATE_AFTER_MS } from '../../../kernel/limits.ts'
import { floorHour, periodOf } from '../../../kernel/time.ts'
import { isConnectionLoss } from '../../../platform/db/errors.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import type { Database } from '../../../platform/db/pool.ts'
import type { Deps } from '../../../platform/deps.ts'
import { computeHours, findDirtyHours, overlap, splitIntoChunks } from './dirty-ranges.ts'
import type { HourRow } from './hour-rows.ts'
import { addLateHours } from './late-hours-store.ts'
import { ROLLUP_DEVICES_PER_PORTION, ROLLUP_RUN_MAX_MS, ROLLUP_SETTLE_MS } from './limits.ts'
import {
  type DeviceRef,
  listMarkedDevices,
  listUnrolledDevices,
  lockAndTakeMarks,
  upsertHours,
  upsertState,
} from './store.ts'

type RollupDeps = Pick<Deps, 'database' | 'clock'>

/** The end of the last hour that may be declared rolled up: see the races described at `storeBatch`. */
const settledHour = (now: number): number => floorHour(now - ROLLUP_SETTLE_MS)

/**
 * Brings the hours of one device up to date: what marks name and what has come since the last roll-up, in one
 * transaction. False when another roller has the device. Doing it again writes nothing.
 */
export async function rollUpDevice({ database, clock }: RollupDeps, device: DeviceRef): Promise<boolean> {
  const target = settledHour(clock.now())
  return inTransaction(database, async (db) => {
    const taken = await lockAndTakeMarks(db, device)
    if (!taken) return false
    const { state, marks } = taken
    const rolledTo = Math.max(target, state.rolledTo ?? target)
    const tail = { from: state.rolledTo ?? Number.NEGATIVE_INFINITY, to: rolledTo }
    const dirty = await findDirtyHours(db, device, { dirty: [...marks, tail], registers: state.registers })
    for (const range of dirty.ranges) {
      for (const chunk of splitIntoChunks(overlap(range, { from: Number.NEGATIVE_INFINITY, to: rolledTo }))) {
        const rows = await computeHours(db, device, { range: chunk, registers: dirty.registers })
        await ensurePartitions(database, 'measurement_hour', listPeriods(rows))
        await upsertHours(db, device, rows)
      }
    }
    // A stretch that is still rolled up in time is built in time as well.
    const late = { from: Number.NEGATIVE_INFINITY, to: floorHour(clock.now()) - LATE_AFTER_MS }
    await addLateHours(
      db,
      device,
      dirty.ranges.map((range) => overlap(range, late)).filter(({ from, to }) => from < to),
    )
    await upsertState(db, device, { rolledTo, registers: dirty.registers })
    return true
  })
}

const listPeriods = (rows: readonly HourRow[]): Set<string> => new Set(rows.map(({ hour }) => periodOf(hour)))

async function inTransaction<T>(database: Database, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(true)
    throw error
  }
}

/** So many failing devices are no longer theirs alone: something is wrong with the database. */
const FAILURES_MAX = ROLLUP_DEVICES_PER_PORTION

/**
 * Rolls devices up one after the other. One that fails is noted and passed over, so that it stands in nobody's way, of
 * other tenants least of all; `end` then tells of it, and it is tried again at the next run.
 */
function makeDeviceRoller(deps: RollupDeps, signal?: AbortSignal) {
  const failed = new Map<number, unknown>()
  const throwFailures = () => {
    const [first] = failed
    if (!first) return
    const [key, cause] = first
    throw new Error(`${failed.size} of the devices could not be rolled up, first the one with key ${key}`, {
      cause,
    })
  }
  return {
    failureCount: () => failed.size,
    hasNotFailed: ({ deviceKey }: DeviceRef) => !failed.has(deviceKey),
    async roll(device: DeviceRef): Promise<boolean> {
      signal?.throwIfAborted()
      try {
        return await rollUpDevice(deps, device)
      } catch (error) {
        failed.set(device.deviceKey, error)
        if (isConnectionLoss(error) || failed.size >= FAILURES_MAX) throwFailures()
        return false
      }
    },
    end: throwFailures,
  }
}

/** Rolls up what late samples have marked, portion by portion, for at most ROLLUP_RUN_MAX_MS. Returns the devices done. */
export async function rollUpMarkedDevices(deps: RollupDeps, signal?: AbortSignal): Promise<number> {
  const roller = makeDeviceRoller(deps, signal)
  const started = performance.now()
  let done = 0
  while (performance.now() - started < ROLLUP_RUN_MAX_MS) {
    const limit = ROLLUP_DEVICES_PER_PORTION + roller.failureCount()
    const devices = (await listMarkedDevices(deps.database.pool, limit)).filter(roller.hasNotFailed)
    let progress = 0
    for (const device of devices) if (await roller.roll(device)) progress += 1
    done += progress
    if (progress === 0) break
  }
  roller.end()
  return done
}

/** Rolls up the hours settled at an instant, of every device that has sent something since. Returns the devices done. */
export async function rollUpSettledHours(
  deps: RollupDeps,
  at: number,
  signal?: AbortSignal,
): Promise<number> {
  const roller = makeDeviceRoller(deps, signal)
  const to = settledHour(at)
  let done = 0
  let after = 0
  for (;;) {
    const page = { to, limit: ROLLUP_DEVICES_PER_PORTION, after }
    const devices = await listUnrolledDevices(deps.database.pool, page)
    for (const device of devices) if (await roller.roll(device)) done += 1
    const last = devices.at(-1)
    if (!last) break
    after = last.deviceKey
  }
  roller.end()
  return done
}
