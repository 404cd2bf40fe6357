import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../../platform/async/start-thread.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import { compressDay, type DayStep } from './compress-day.ts'
import { countDayRows } from './compress-store.ts'
import type { DayResponse } from './compress-thread.ts'
import { COMPRESS_DAY_MAX_MS, COMPRESS_THREAD_HEAP_MB, COMPRESS_THREAD_ROWS_MIN } from './limits.ts'
import type { DeviceDay } from './reopen-store.ts'

/** Compresses device-days of one run of the job: small ones on the event loop, large ones in a thread. */
export interface DayWorker {
  compress(day: DeviceDay): Promise<DayStep>
  /** Ends the thread; a transaction of it is rolled back. */
  close(): Promise<void>
}

const SCRIPT = { source: new URL('./compress-thread.ts', import.meta.url), built: 'compress-thread' }

export interface DayWorkerOptions {
  readonly signal: AbortSignal | undefined
  /** Tests use fewer. */
  readonly threadRowsMin?: number | undefined
}

/** The thread starts with the first large device-day. Only one device-day is compressed at a time. */
export function makeDayWorker(
  database: Database,
  { signal, threadRowsMin = COMPRESS_THREAD_ROWS_MIN }: DayWorkerOptions,
): DayWorker {
  let worker: Worker | undefined
  const start = (): Worker => {
    const limits = { maxOldGenerationSizeMb: COMPRESS_THREAD_HEAP_MB }
    worker = startThread(SCRIPT, limits, database.url)
    // Between two device-days nobody else listens; the next one then finds that the thread has ended.
    worker.on('error', () => {})
    return worker
  }
  const close = async (): Promise<void> => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  return {
    close,
    async compress(day) {
      const tenant = tenantDb(database.kysely, day.tenantId)
      const rows = await countDayRows(tenant, day.deviceKey, { day: day.day, limit: threadRowsMin })
      if (rows < threadRowsMin) return compressDay(database, day)
      try {
        return await ask(worker ?? start(), day, signal)
      } catch (error) {
        // The next device-day starts another one.
        await close()
        throw error
      }
    },
  }
}

async function ask(worker: Worker, day: DeviceDay, stop: AbortSignal | undefined): Promise<DayStep> {
  const ended = new AbortController()
  const onExit = () => ended.abort(new Error('the thread that compresses samples has ended'))
  worker.once('exit', onExit)
  try {
    const limits = [ended.signal, AbortSignal.timeout(COMPRESS_DAY_MAX_MS), ...(stop ? [stop] : [])]
    const response = once(worker, 'message', { signal: AbortSignal.any(limits) })
    worker.postMessage(day)
    const [answer] = (await response) as [DayResponse]
    if ('error' in answer) throw new Error(`compression failed in its thread: ${answer.error}`)
    return answer.value
  } finally {
    worker.off('exit', onExit)
  }
}
