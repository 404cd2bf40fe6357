import type { Message } from '../../../kernel/messages.ts'
import { systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { findDevices } from './device-store.ts'
import type { ExportRequest } from './export-request.ts'
import { openFile } from './file.ts'
import { deleteFile, pathOf, writeFile } from './folder.ts'
import { makeHeartbeatWatch } from './heartbeat-watch.ts'
import {
  EXPORT_ATTEMPTS,
  EXPORT_DEAD_MS,
  EXPORT_HEARTBEAT_MS,
  EXPORT_POLL_MS,
  EXPORT_REPLICA_WAIT_MS,
  EXPORTS_AT_ONCE,
} from './limits.ts'
import { EXPORT_FAILURES } from './messages.ts'
import type { Completion, Progress, RunningExport } from './running-store.ts'
import * as attempts from './running-store.ts'
import { ownLocations } from './storage-location.ts'
import * as exports from './store.ts'
import { sweepExports } from './sweep.ts'
import { ExportError } from './table.ts'

export interface ExportRunner {
  /** Starts waiting exports while there is capacity. Called when an export was added. */
  wake(): void
  /** Returns running exports to the queue; they start from the beginning after the next start. */
  stop(): Promise<void>
}

type RunnerDeps = Pick<Deps, 'config' | 'database' | 'replicas' | 'clock' | 'log'>

const STOPPED = new Error('the service stops')
const GONE = new Error('the export was deleted')

/** Runs exports in the background: a limited number at once, and one for each tenant. */
export function makeExportRunner(deps: RunnerDeps): ExportRunner {
  const { config, database, clock, log } = deps
  const db = systemDb(database.kysely)
  const running = new Map<string, { readonly abort: AbortController; readonly ending: Promise<void> }>()
  const findDead = makeHeartbeatWatch(EXPORT_DEAD_MS)
  let isStopped = false
  let isFirst = true
  let polling = Promise.resolve()

  const releaseDead = async (locations: readonly string[]) => {
    const listed = await attempts.listRunning(db, locations)
    const others = listed.filter(({ id }) => !running.has(id))
    const silent = findDead(others, performance.now())
    // With the embedded database there is only one process, so an export that is running at the start was
    // interrupted.
    const isAlone = isFirst && config.databaseUrl === undefined
    isFirst = false
    await attempts.releaseDead(db, isAlone ? others : silent, {
      attemptsMax: EXPORT_ATTEMPTS,
      at: new Date(clock.now()),
    })
  }

  const poll = async () => {
    const locations = await ownLocations(config)
    await releaseDead(locations)
    for (const waiting of await exports.listWaiting(db, locations, EXPORTS_AT_ONCE)) {
      if (isStopped || running.size >= EXPORTS_AT_ONCE) return
      const claimed = await exports.claim(db, waiting, new Date(clock.now()))
      if (claimed) begin({ ...waiting, attempt: claimed.attempts }, claimed.request)
    }
  }

  const wake = () => {
    if (isStopped) return
    polling = polling.then(poll).catch((error: Error) => {
      log.warn({ reason: error.message }, 'waiting exports could not be looked for')
    })
  }

  const begin = (claimed: RunningExport, request: ExportRequest) => {
    const abort = new AbortController()
    const ending = runExport(deps, { claimed, request, abort })
      .catch((error: Error) => log.error({ reason: error.message }, 'an export could not be ended'))
      .finally(() => {
        running.delete(claimed.id)
        wake()
      })
    running.set(claimed.id, { abort, ending })
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
  readonly claimed: RunningExport
  readonly request: ExportRequest
  readonly abort: AbortController
}

/** Runs one export and records its result. */
async function runExport(deps: RunnerDeps, { claimed, request, abort }: RunInput): Promise<void> {
  const { config, database, replicas, clock, log } = deps
  const { tenantId, id, attempt } = claimed
  const db = tenantDb(database.kysely, tenantId)
  let progress: Progress = { rowsDone: 0, rowsTotal: null }
  const renew = async () => {
    const isOurs = await attempts.heartbeat(db, claimed, { ...progress, at: new Date(clock.now()) })
    if (!isOurs) abort.abort(GONE)
  }
  // When the database is unreachable, the export itself fails as well.
  const heartbeats = setInterval(() => void renew().catch(() => {}), EXPORT_HEARTBEAT_MS)
  const path = pathOf(config, { tenantId, id, format: request.format })
  try {
    const work = async () => {
      const reads = (await replicas?.forReaderFromNow(EXPORT_REPLICA_WAIT_MS)) ?? database
      const content = await openFile({
        database: reads,
        tenantId,
        devices: await findDevices(db, request.device_ids),
        request,
        signal: abort.signal,
        at: clock.now(),
        onRows: ({ total, done }) => {
          progress = { rowsDone: done, rowsTotal: total }
        },
      })
      return writeFile(path, content, { attempt, signal: abort.signal, beforeRename: renew })
    }
    const completion = await completionOf(work, { signal: abort.signal, log, id })
    const isOurs = await attempts.finish(db, claimed, {
      ending: completion,
      progress,
      at: new Date(clock.now()),
    })
    if (!isOurs && !(await exports.find(db, id))) await deleteFile(path)
  } finally {
    clearInterval(heartbeats)
  }
  if (!abort.signal.aborted) await sweepExports(deps)
}

interface WorkOptions {
  readonly signal: AbortSignal
  readonly log: RunnerDeps['log']
  readonly id: string
}

const DISK_FULL = EXPORT_FAILURES.EXPORT_DISK_FULL()
const FOLDER_LOCKED = EXPORT_FAILURES.EXPORT_FOLDER_LOCKED()

/** What a user is shown instead of an error of the file system, which contains a path of the machine. */
const FILE_ERRORS: Readonly<Record<string, Message>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EACCES: FOLDER_LOCKED,
  EPERM: FOLDER_LOCKED,
  EROFS: FOLDER_LOCKED,
}

async function completionOf(
  work: () => Promise<number>,
  { signal, log, id }: WorkOptions,
): Promise<Completion> {
  try {
    return { status: 'completed', sizeBytes: await work() }
  } catch (error) {
    if (signal.aborted && signal.reason === STOPPED) return { status: 'queued' }
    const { code, message: reason } = error as NodeJS.ErrnoException
    if (!signal.aborted) log.warn({ export: id, reason }, 'an export failed')
    if (error instanceof ExportError) return { status: 'failed', error: error.content }
    const known = FILE_ERRORS[code ?? '']
    const failure = known ?? EXPORT_FAILURES.EXPORT_NOT_MADE({ reason: reason.slice(0, 300) })
    return { status: 'failed', error: failure }
  }
}
