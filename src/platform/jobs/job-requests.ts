/**
 * Requests that start a job of the timetable at once, because a user waits for the work.
 *
 * A request is an event that is emitted after the commit of the work, and relayed to the other processes. Each of them
 * with the role `jobs` adds the job for the tenant to the queue of graphile-worker, which wakes its workers. At most
 * one job of a tenant waits there (`job_key`). While one runs, the next one waits until it has ended, so that work
 * that was committed meanwhile is not missed. The queue of the job is that of its slots: they never run at the same
 * time.
 *
 * A lost request costs time only: the work is in the database, and the next slot does it (ADR 0165).
 */
import type { FastifyBaseLogger } from 'fastify'
import { iso } from '../../kernel/time.ts'
import type { Database } from '../db/pool.ts'
import type { Bus } from '../messaging/bus.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Job } from './job.ts'
import { JOB_REQUEST_ATTEMPTS, JOB_REQUESTS_WAITING_MAX } from './limits.ts'

export interface JobRequest {
  readonly job: string
  readonly tenantId: number
}

declare module '../messaging/bus.ts' {
  interface BusEvents {
    job_requested: JobRequest
  }
}

/** Asks a process with the role `jobs` to start a job for a tenant. To be called after the commit of the work. */
export const requestJob = ({ bus }: { readonly bus: Bus }, request: JobRequest): void =>
  bus.emit('job_requested', request)

interface JobRequestsOptions {
  readonly database: Database
  readonly bus: Bus
  readonly clock: Pick<Clock, 'now'>
  readonly log: FastifyBaseLogger
  readonly jobs: readonly Job[]
}

/** Adds requested jobs to the queue, one after the other. Returns the function that ends it. */
export function followJobRequests(options: JobRequestsOptions): () => Promise<void> {
  const { bus, log } = options
  const known = new Map(options.jobs.filter((job) => job.startsOnRequest).map((job) => [job.name, job]))
  /** The requests that are not added yet, once for each job and tenant. */
  const waiting = new Map<string, JobRequest>()
  let adding: Promise<void> | undefined

  async function addAll(): Promise<void> {
    for (const [key, { job: name, tenantId }] of waiting) {
      waiting.delete(key)
      const job = known.get(name)
      if (job) await addJob(options, job, { key, tenantId })
    }
  }

  function begin(): void {
    adding ??= addAll()
      .catch((error: unknown) => {
        waiting.clear()
        log.warn({ err: error }, 'requested jobs were not started: their next slots do the work')
      })
      .finally(() => {
        adding = undefined
        if (waiting.size > 0) begin()
      })
  }

  const unsubscribe = bus.on('job_requested', (request) => {
    if (!known.has(request.job) || waiting.size >= JOB_REQUESTS_WAITING_MAX) return
    waiting.set(`${request.job} ${request.tenantId}`, request)
    begin()
  })
  return async () => {
    unsubscribe()
    waiting.clear()
    await adding
  }
}

async function addJob(
  { database, clock }: JobRequestsOptions,
  { name, queue = name }: Job,
  { key, tenantId }: { readonly key: string; readonly tenantId: number },
): Promise<void> {
  await database.pool.query(
    `select from graphile_worker.add_job(identifier => $1, payload => $2::json, queue_name => $3, job_key => $4,
       max_attempts => $5, job_key_mode => 'replace')`,
    [name, JSON.stringify({ _cron: { ts: iso(clock.now()) }, tenantId }), queue, key, JOB_REQUEST_ATTEMPTS],
  )
}
