import { systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { findDevices } from './device-store.ts'
import { openFile } from './file.ts'
import { deleteFile, keepFile, pathOf, placeOf } from './folder.ts'
import { EXPORT_ATTEMPTS, EXPORT_BEAT_MS, EXPORT_DEAD_MS, EXPORT_POLL_MS, EXPORTS_AT_ONCE } from './limits.ts'
import type { ExportOrder } from './order.ts'
import type { Ending, Progress, WaitingExport } from './store.ts'
import * as exports from './store.ts'
import { sweepExports } from './sweep.ts'
import { ExportFault } from './table.ts'

export interface ExportRunner {
  /** Takes on whatever waits and has room; called when something has come to wait. */
  wake(): void
  /** Gives back what it is making; it is made from its beginning after the next start. */
  stop(): Promise<void>
}

type Running = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>

const STOPPED = new Error('the service stops')
const GONE = new Error('the export was deleted')

/** Makes exports in the background, some at a time and one of each tenant. */
export function makeExportRunner(deps: Running): ExportRunner {
  const { config, database, clock, log } = deps
  const db = systemDb(database.kysely)
  const place = placeOf(config)
  const running = new Map<string, { readonly abort: AbortController; readonly ending: Promise<void> }>()
  let isStopped = false
  let isFirst = true
  let looking = Promise.resolve()

  const look = async () => {
    const now = clock.now()
    // Over the embedded database there is one process: what seems to run at the start was killed.
    const isAlone = isFirst && config.databaseUrl === undefined
    isFirst = false
    await exports.releaseDead(db, {
      place,
      silentSince: new Date(isAlone ? now : now - EXPORT_DEAD_MS),
      attemptsMax: EXPORT_ATTEMPTS,
      except: [...running.keys()],
      at: new Date(now),
    })
    for (const waiting of await exports.listWaiting(db, place, EXPORTS_AT_ONCE)) {
      if (isStopped || running.size >= EXPORTS_AT_ONCE) return
      const claimed = await exports.claim(db, waiting, new Date(clock.now()))
      if (claimed) begin(waiting, claimed.request as unknown as ExportOrder)
    }
  }

  const wake = () => {
    if (isStopped) return
    looking = looking.then(look).catch((error: Error) => {
      log.warn({ reason: error.message }, 'waiting exports could not be looked for')
    })
  }

  const begin = (waiting: WaitingExport, order: ExportOrder) => {
    const abort = new AbortController()
    const ending = make(deps, { waiting, order, abort })
      .catch((error: Error) => log.error({ reason: error.message }, 'an export could not be ended'))
      .finally(() => {
        running.delete(waiting.id)
        wake()
      })
    running.set(waiting.id, { abort, ending })
  }

  const timer = setInterval(wake, EXPORT_POLL_MS)
  timer.unref()
  return {
    wake,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await looking
      for (const { abort } of running.values()) abort.abort(STOPPED)
      await Promise.all([...running.values()].map(({ ending }) => ending))
    },
  }
}

interface Making {
  readonly waiting: WaitingExport
  readonly order: ExportOrder
  readonly abort: AbortController
}

/** Makes one export and writes down how it ended. */
async function make(deps: Running, { waiting, order, abort }: Making): Promise<void> {
  const { config, database, clock, log } = deps
  const { tenantId, id } = waiting
  const db = tenantDb(database.kysely, tenantId)
  let progress: Progress = { rowsDone: 0, rowsTotal: null }
  const beats = setInterval(() => {
    exports
      .beat(db, id, { ...progress, at: new Date(clock.now()) })
      .then((isThere) => isThere || abort.abort(GONE))
      // The database is away: the making itself will tell.
      .catch(() => {})
  }, EXPORT_BEAT_MS)
  const path = pathOf(config, { tenantId, id, format: order.format })
  try {
    const ending = await endingOf(async () => {
      const content = await openFile({
        db: database.pool,
        tenantId,
        devices: await findDevices(db, order.device_ids),
        order,
        signal: abort.signal,
        at: clock.now(),
        onRows: ({ total, done }) => {
          progress = { rowsDone: done, rowsTotal: total }
        },
      })
      return keepFile(path, content, abort.signal)
    }, abort.signal)
    if (ending.status === 'failed') log.warn({ export: id, reason: ending.error }, 'an export failed')
    const isThere = await exports.finish(db, id, { ending, progress, at: new Date(clock.now()) })
    if (!isThere) await deleteFile(path)
  } finally {
    clearInterval(beats)
  }
  if (!abort.signal.aborted) await sweepExports(deps)
}

async function endingOf(work: () => Promise<number>, signal: AbortSignal): Promise<Ending> {
  try {
    return { status: 'completed', sizeBytes: await work() }
  } catch (error) {
    if (signal.aborted && signal.reason === STOPPED) return { status: 'queued' }
    if (error instanceof ExportFault) return { status: 'failed', error: error.message }
    const reason = error instanceof Error ? error.message : 'unknown'
    return { status: 'failed', error: `the file could not be made: ${reason.slice(0, 300)}` }
  }
}
