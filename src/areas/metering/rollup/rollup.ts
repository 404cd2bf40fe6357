import { LATE_AFTER_MS } from '../../../kernel/limits.ts'
import { floorHour, periodOf } from '../../../kernel/time.ts'
import { isConnectionLoss } from '../../../platform/db/errors.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import { inConnectionTx } from '../../../platform/db/transaction.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { COMPRESSED_AGE_MIN_MS } from '../history/index.ts'
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

/*
 * The roll-up: `measurement` (samples) to `measurement_hour` (energy and averages of one device and hour).
 *
 * Purpose. Charts, sums and hourly facts read hours instead of samples. A roll-up row is a cache of the
 * samples and of the recorded meter changes: it can be computed again at any time, and every read agrees with the
 * acknowledged samples, whether or not a roll-up has run. The power that limits the growth after a reset, and the
 * reporting interval, are those of the time of the roll-up (ADR 0072).
 *
 * Dirty ranges. The hours of a device without a valid row are known without comparing them:
 * - everything from `rollup_state.rolled_to` on, which is the end of the last rolled-up hour;
 * - ranges in `rollup_dirty_range`, which intake inserts in the transaction of a batch that changes hours that
 *   have ended; the transaction that records a meter change inserts some, too. `findDirtyHours` widens them:
 *   energy between two readings is shared linearly across the hours of the gap, so a late sample changes hours
 *   up to its third neighbour reading on either side (dirty-ranges.ts).
 *
 * Modes:
 *   rollUpMarkedDevices   minutely job: devices with marks, oldest mark first, for ROLLUP_RUN_MAX_MS
 *   rollUpSettledHours    hourly job: all devices with samples since their last roll-up
 *   reads                 aggregates read rows, and compute dirty hours with the same pure function
 *                         (`computeHourRows`)
 *
 * Concurrency:
 * - One transaction per device: lock, delete marks, compute, upsert, store the state. A crash leaves the
 *   marks in place.
 * - An advisory lock per device admits one roll-up; a second one skips the device. Lock order: device lock,
 *   then marks.
 * - An hour counts as settled ROLLUP_SETTLE_MS after its end. By then a batch that was in time has
 *   committed, and a later one inserts a mark, so that no sample falls between "settled" and "late": see
 *   `storeBatch`.
 *
 * Trade-offs:
 * - Idempotent upserts with a change check: repeating a roll-up writes nothing, so interrupted work is
 *   simply repeated.
 * - Memory is bounded by chunks of ROLLUP_CHUNK_MS and parts of ROLLUP_SAMPLES_AT_ONCE samples, at the cost
 *   of reading the neighbours of each part again.
 * - A failing device is skipped and reported at the end of the run, so that it blocks no other tenant; it
 *   stays marked.
 * - Hours older than LATE_AFTER_MS are recorded in `late_dirty_range`, because the regular build of hourly
 *   energy does not visit them any more (late-hours-store.ts).
 */

type RollupDeps = Pick<Deps, 'database' | 'clock'>

/** The end of the last settled hour; `storeBatch` describes the races that this prevents. */
const settledHour = (now: number): number => floorHour(now - ROLLUP_SETTLE_MS)

/**
 * Rolls up the dirty hours of one device in one transaction. False when another roll-up holds the device.
 * Idempotent: rolling up again writes nothing.
 */
export async function rollUpDevice({ database, clock }: RollupDeps, of: DeviceRef): Promise<boolean> {
  const target = settledHour(clock.now())
  const device = { ...of, rowsFrom: clock.now() - COMPRESSED_AGE_MIN_MS }
  return inConnectionTx(database.pool, async (db) => {
    const taken = await lockAndTakeMarks(db, device)
    if (!taken) return false
    const { state, marks } = taken
    const rolledTo = Math.max(target, state.rolledTo ?? target)
    const tail = { from: state.rolledTo ?? Number.NEGATIVE_INFINITY, to: rolledTo }
    const dirty = await findDirtyHours(db, device, { dirty: [...marks, tail], registers: state.registers })
    for (const range of dirty.ranges) {
      for (const chunk of splitIntoChunks(overlap(range, { from: Number.NEGATIVE_INFINITY, to: rolledTo }))) {
        const rows = await computeHours(db, device, {
          range: chunk,
          registers: dirty.registers,
          known: dirty.known,
          reportingIntervalMs: state.reportingIntervalMs,
        })
        await ensurePartitions(database, 'measurement_hour', listPeriods(rows))
        await upsertHours(db, device, rows)
      }
    }
    // Hours within LATE_AFTER_MS are visited by the regular build of hourly energy.
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

/** Number of failing devices at which a run ends: the database itself is at fault then. */
const FAILURES_MAX = ROLLUP_DEVICES_PER_PORTION

/**
 * Rolls up devices sequentially. A failing device is recorded and skipped, so that it does not block other
 * devices and tenants; `throwFailures` reports it at the end, and the next run retries it.
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

/**
 * Rolls up devices with marks, page by page, for at most ROLLUP_RUN_MAX_MS. Returns the number of finished
 * devices.
 */
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

/** Rolls up the settled hours of all devices with new samples. Returns the number of finished devices. */
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
