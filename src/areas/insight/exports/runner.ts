import { systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { findDevices } from './device-store.ts'
import type { ExportRequest } from './export-request.ts'
import { openFile } from './file.ts'
import { deleteFile, pathOf, storageLocation, writeFile } from './folder.ts'
import {
  EXPORT_ATTEMPTS,
  EXPORT_DEAD_MS,
  EXPORT_HEARTBEAT_MS,
  EXPORT_POLL_MS,
  EXPORTS_AT_ONCE,
} from './limits.ts'
import type { Completion, Progress, WaitingExport } from './store.ts'
import * as exports from './store.ts'
import { sweepExports } from './sweep.ts'
import { ExportError } from './table.ts'

export interface ExportRunner {
  /** Starts waiting exports while there is capacity. Called when an export was added. */
  wake(): void
  /** Returns running exports to the queue; they start from the beginning after the next start. */
  stop(): Promise<void>
}

type RunnerDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>

const STOPPED = new Error('the service stops')
const GONE = new Error('the export was deleted')

/** Runs exports in the background: a limited number at once, and one for each tenant. */
export function makeExportRunner(deps: RunnerDeps): ExportRunner {
  const { config, database, clock, log } = deps
  const db = systemDb(database.kysely)
  const location = storageLocation(config)
  const running = new Map<string, { readonly abort: AbortController; readonly ending: Promise<void> }>()
  let isStopped = false
  let isFirst = true
  let polling = Promise.resolve()

  const poll = async () => {
    const now = clock.now()
    // With the embedded database there is only one process, so an export that is running at the start was
    // interrupted.
    const isAlone = isFirst && config.databaseUrl === undefined
    isFirst = false
    await exports.releaseDead(db, {
      location,
      silentSince: new Date(isAlone ? now : now - EXPORT_DEAD_MS),
      attemptsMax: EXPORT_ATTEMPTS,
      except: [...running.keys()],
      at: new Date(now),
    })
    for (const waiting of await exports.listWaiting(db, location, EXPORTS_AT_ONCE)) {
      if (isStopped || running.size >= EXPORTS_AT_ONCE) return
      const claimed = await exports.claim(db, waiting, new Date(clock.now()))
      if (claimed) begin(waiting, claimed.request)
    }
  }

  const wake = () => {
    if (isStopped) return
    polling = polling.then(poll).catch((error: Error) => {
      log.warn({ reason: error.message }, 'waiting exports could not be looked for')
    })
  }

  const begin = (waiting: WaitingExport, request: ExportRequest) => {
    const abort = new AbortController()
    const ending = runExport(deps, { waiting, request, abort })
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
      await polling
      for (const { abort } of running.values()) abort.abort(STOPPED)
      await Promise.all([...running.values()].map(({ ending }) => ending))
    },
  }
}

interface RunInput {
  readonly waiting: WaitingExport
  readonly request: ExportRequest
  readonly abort: AbortController
}

/** Runs one export and records its result. */
async function runExport(deps: RunnerDeps, { waiting, request, abort }: RunInput): Promise<void> {
  const { config, database, clock, log } = deps
  const { tenantId, id } = waiting
  const db = tenantDb(database.kysely, tenantId)
  let progress: Progress = { rowsDone: 0, rowsTotal: null }
  const heartbeats = setInterval(() => {
    exports
      .heartbeat(db, id, { ...progress, at: new Date(clock.now()) })
      .then((isThere) => isThere || abort.abort(GONE))
      // The database is unreachable, so the export itself fails as well.
      .catch(() => {})
  }, EXPORT_HEARTBEAT_MS)
  const path = pathOf(config, { tenantId, id, format: request.format })
  try {
    const completion = await completionOf(async () => {
      const content = await openFile({
        db: database.pool,
        tenantId,
        devices: await findDevices(db, request.device_ids),
        request,
        signal: abort.signal,
        at: clock.now(),
        onRows: ({ total, done }) => {
          progress = { rowsDone: done, rowsTotal: total }
        },
      })
      return writeFile(path, content, abort.signal)
    }, abort.signal)
    if (completion.status === 'failed') log.warn({ export: id, reason: completion.error }, 'an export failed')
    const isThere = await exports.finish(db, id, { ending: completion, progress, at: new Date(clock.now()) })
    if (!isThere) await deleteFile(path)
  } finally {
    clearInterval(heartbeats)
  }
  if (!abort.signal.aborted) await sweepExports(deps)
}

async function completionOf(work: () => Promise<number>, signal: AbortSignal): Promise<Completion> {
  try {
    return { status: 'completed', sizeBytes: await work() }
  } catch (error) {
    if (signal.aborted && signal.reason === STOPPED) return { status: 'queued' }
    if (error instanceof ExportError) return { status: 'failed', error: error.message }
    const reason = error instanceof Error ? error.message : 'unknown'
    return { status: 'failed', error: `the file could not be made: ${reason.slice(0, 300)}` }
  }
}
