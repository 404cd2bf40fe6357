import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/pool.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Clock } from '../runtime/clock.ts'

/** A job of the timetable: what to do for a slot of time, and when the slots are. */
export interface Job {
  readonly name: string
  /** Five fields, in UTC: Turkey is three hours ahead all year. */
  readonly cron: string
  /**
   * The longest time between two slots, milliseconds. So far back a slot is made up for that passed while
   * nothing ran.
   */
  readonly everyMs: number
  /**
   * How often a slot is tried before it is given up; the next slot comes in any case, and takes its place.
   */
  readonly attempts: number
  /**
   * Jobs of one queue run one at a time, in the order of their slots; by default a job has a queue of its
   * own.
   */
  readonly queue?: string
  /**
   * The period comes from the slot, never from now: a slot made up late, or done twice, does the work of its
   * own time.
   */
  run(slot: number, circumstances: JobContext): Promise<unknown>
}

export interface JobContext {
  /**
   * The last slot before this one that was done; undefined when there is none. After a downtime one slot
   * runs, and what it finds undone since then is its work too.
   */
  readonly after: number | undefined
  /**
   * Checked between the parts of long work: during the stop it throws, and the next process that runs jobs
   * retries the slot.
   */
  readonly signal: AbortSignal
  /** A part of the work failed for good, such as one group of many; the slot counts as done all the same. */
  readonly partFailed: () => void
}

export interface JobsOptions {
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly clock: Clock
  readonly metrics: Metrics
  readonly jobs: readonly Job[]
  readonly atOnce: number
}

/** How a job stands, for operators. */
export interface JobView {
  readonly name: string
  /** The last slot that was done, and when it was finished; null before the first. Instants as text. */
  readonly last_slot: string | null
  readonly last_success_at: string | null
  /** How long the next slot has been waiting beyond its time; 0 when all that was due is done. */
  readonly lag_seconds: number
}
