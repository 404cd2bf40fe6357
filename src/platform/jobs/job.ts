import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/pool.ts'
import type { Bus } from '../messaging/bus.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Clock } from '../runtime/clock.ts'

/** A job of the timetable: its work for a slot, and the times of its slots. */
export interface Job {
  readonly name: string
  /** A cron expression with five fields in UTC; Turkey is three hours ahead all year. */
  readonly cron: string
  /**
   * The longest time between two slots, milliseconds. Missed slots up to this age are made up for after a
   * downtime.
   */
  readonly everyMs: number
  /**
   * The number of attempts for a slot. After the last one it is given up, and the next slot includes its
   * work.
   */
  readonly attempts: number
  /**
   * Jobs of one queue run one at a time, in the order of their slots; by default a job has a queue of its
   * own.
   */
  readonly queue?: string
  /** Requests of a tenant start the job at once, for this tenant, besides its slots (job-requests.ts). */
  readonly startsOnRequest?: boolean
  /**
   * The period of the work is derived from the slot and never from the present, so that a slot that is late
   * or repeated does the same work.
   */
  run(slot: number, circumstances: JobContext): Promise<unknown>
}

export interface JobContext {
  /**
   * The last completed slot before this one; undefined when there is none. After a downtime only one slot
   * runs, and its work includes everything since then.
   */
  readonly after: number | undefined
  /**
   * Checked between the parts of long work. During a stop it throws, and the next process that runs jobs
   * retries the slot.
   */
  readonly signal: AbortSignal
  /**
   * Reports that a part of the work failed permanently, such as one group of many. The slot still counts as
   * done.
   */
  readonly partFailed: () => void
  /** The tenant whose request started the job: only its work is done. Undefined in a slot of the timetable. */
  readonly tenantId?: number | undefined
}

export interface JobsOptions {
  readonly database: Database
  readonly bus: Bus
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  readonly metrics: Metrics
  readonly jobs: readonly Job[]
  readonly atOnce: number
}

/** The state of a job for operators. */
export interface JobView {
  readonly name: string
  /** The last completed slot and the instant at which it was finished, as text; null before the first. */
  readonly last_slot: string | null
  readonly last_success_at: string | null
  /** The time since the next slot was due; 0 when all due slots are done. */
  readonly lag_seconds: number
}
