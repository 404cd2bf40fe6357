import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, dayStart, localDate } from '../../../kernel/time.ts'
import { systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readSealedSamples } from '../storage/index.ts'
import type { DayStep } from './compress-day.ts'
import { daysOf, type Position, tenantsAfter } from './day-list.ts'
import { type DayWorker, makeDayWorker } from './day-worker.ts'
import {
  COMPRESS_BUSY_SHARE,
  COMPRESS_DEFER_MAX_MS,
  COMPRESS_DEFER_STEP_MS,
  COMPRESS_REPORTS_MAX,
  COMPRESS_REST_FACTOR,
  COMPRESS_RUN_MAX_MS,
  COMPRESS_TURN_DAYS,
} from './limits.ts'
import { compressionMetrics } from './metrics.ts'
import type { DeviceDay } from './reopen-store.ts'

/**
 * The scheduled compression of old samples, one device-day at a time (compress-day.ts). Tenants take turns of
 * COMPRESS_TURN_DAYS, and a run begins after the tenant and the device with which the last one ended, so that a tenant
 * with years of samples delays no other one. Before a device-day it waits while intake is busy, and after it it rests.
 */
type CompressDeps = Pick<Deps, 'database' | 'log' | 'config' | 'ingest' | 'clock' | 'metrics'>

interface CompressOptions {
  readonly runMaxMs?: number
  readonly threadRowsMin?: number
}

/** Compresses what is old enough at an instant, for about COMPRESS_RUN_MAX_MS, and at least one device-day. */
export type Compressor = (slot: number, signal?: AbortSignal) => Promise<void>

interface Run {
  /** Samples before this instant are old enough. */
  readonly before: number
  readonly signal: AbortSignal | undefined
  readonly worker: DayWorker
  /** Device-days that the run has worked on. */
  days: number
  /** The age of the oldest day that was found uncompressed, days beyond the setting. */
  waitingDays: number
}

const isOver = ({ days }: Run, ends: number): boolean => days > 0 && performance.now() > ends

export function makeCompressor(deps: CompressDeps, options: CompressOptions = {}): Compressor {
  const { config, database, metrics } = deps
  const { runMaxMs = COMPRESS_RUN_MAX_MS, threadRowsMin } = options
  const compressOne = makeStep(deps)
  /** By tenant; a tenant without one starts with its first device. */
  const positions = new Map<number, Position>()
  let lastTenant = 0

  /** Does up to COMPRESS_TURN_DAYS device-days of a tenant until an instant. False when none remains. */
  async function takeTurn(
    run: Run,
    ends: number,
    { tenantId, days }: { readonly tenantId: number; readonly days: AsyncGenerator<DeviceDay> },
  ): Promise<boolean> {
    for (let turn = 0; turn < COMPRESS_TURN_DAYS && !isOver(run, ends); turn++) {
      run.signal?.throwIfAborted()
      const next = await days.next()
      if (next.done) {
        positions.delete(tenantId)
        return false
      }
      await compressOne(run, next.value)
      run.days += 1
      positions.set(tenantId, { deviceKey: next.value.deviceKey, from: dayStart(next.value.day) + DAY_MS })
    }
    return true
  }

  async function takeTurns(run: Run): Promise<void> {
    const ends = performance.now() + runMaxMs
    const system = systemDb(database.kysely)
    const [sealed, tenantIds] = [await readSealedSamples(system), await tenantsAfter(system, lastTenant)]
    const listOf = (tenantId: number) =>
      daysOf(tenantDb(database.kysely, tenantId), {
        sealed,
        before: run.before,
        position: positions.get(tenantId),
      })
    let waiting = tenantIds.map((tenantId) => ({ tenantId, days: listOf(tenantId) }))
    while (waiting.length > 0) {
      const further: typeof waiting = []
      for (const tenant of waiting) {
        if (isOver(run, ends)) return
        lastTenant = tenant.tenantId
        if (await takeTurn(run, ends, tenant)) further.push(tenant)
      }
      waiting = further
    }
  }

  return async (slot, signal) => {
    const { compressAfterDays } = config
    if (compressAfterDays === 0) return
    const worker = makeDayWorker(database, { signal, threadRowsMin })
    const before = dayStart(localDate(slot - compressAfterDays * DAY_MS))
    const run = { before, signal, worker, days: 0, waitingDays: 0 }
    try {
      await takeTurns(run)
    } finally {
      compressionMetrics(metrics).waitingDays.set(run.waitingDays)
      await worker.close()
    }
  }
}

/** Compresses one device-day, with what it is counted by, and rests. A failure is reported, and others continue. */
function makeStep({ log, ingest, clock, metrics }: CompressDeps) {
  const reported = new Set<string>()

  async function waitForQuietIngest(options: { signal?: AbortSignal }): Promise<void> {
    const until = performance.now() + COMPRESS_DEFER_MAX_MS
    while (ingest.busyShare() > COMPRESS_BUSY_SHARE && performance.now() < until)
      await sleep(COMPRESS_DEFER_STEP_MS, undefined, options)
  }

  /** A day that stays uncompressed is met by every run. */
  function report(day: DeviceDay, text: string, err?: unknown): void {
    const key = `${day.tenantId} ${day.deviceKey} ${day.day}`
    if (reported.has(key) || reported.size >= COMPRESS_REPORTS_MAX) return
    reported.add(key)
    log.error({ err, ...day }, text)
  }

  function count(day: DeviceDay, { step, samples, bytes }: DayStep): void {
    const counts = compressionMetrics(metrics)
    if (step === 'cleared') counts.rowsDeleted.inc(samples)
    if (step === 'too many') report(day, 'a day has too many samples to be compressed')
    if (step !== 'published') return
    counts.chunks.inc()
    counts.samples.inc(samples)
    counts.bytes.inc(bytes)
  }

  return async (run: Run, day: DeviceDay): Promise<void> => {
    const options = run.signal ? { signal: run.signal } : {}
    await waitForQuietIngest(options)
    const started = performance.now()
    let isWaiting = true
    try {
      const done = await run.worker.compress(day)
      count(day, done)
      isWaiting = done.step === 'published' || done.step === 'too many'
    } catch (error) {
      run.signal?.throwIfAborted()
      const { failures, lastError } = compressionMetrics(metrics)
      failures.inc()
      lastError.set(clock.now() / 1000)
      report(day, 'samples of a day could not be compressed', error)
    }
    if (isWaiting) run.waitingDays = Math.max(run.waitingDays, (run.before - dayStart(day.day)) / DAY_MS)
    await sleep((performance.now() - started) * COMPRESS_REST_FACTOR, undefined, options)
  }
}
