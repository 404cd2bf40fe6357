import { type HeldLock, holdLock } from '../db/held-lock.ts'
import type { Database } from '../db/pool.ts'

/** Any number that only we use: the first half of the locks by which a runner of jobs shows that it lives. */
const LOCK_CLASS = 723_648_202

export interface JobOwner {
  /** Shows that this runner is alive, and releases the jobs of dead runners for any other to take. */
  beat(): Promise<void>
  /** Gives back what this runner holds itself and will not finish. */
  giveBack(): Promise<void>
  end(): void
}

/**
 * A job that was being done when its process was killed would be kept for four hours, and its queue with it.
 * So every runner holds a lock of the database for as long as its connection lives; what is held by others is
 * given back.
 */
export function makeJobOwner({ pool }: Database, runnerId: () => string | undefined): JobOwner {
  /** The lock of the current runner; concurrent heartbeats share one acquisition. */
  let held: Promise<HeldLock> | undefined

  const hold = (id: string) =>
    holdLock({ pool }, { lockClass: LOCK_CLASS, id }, () => {
      held = undefined
    })

  return {
    async beat() {
      const id = runnerId()
      if (id === undefined) return
      held ??= hold(id)
      await held.catch((error: unknown) => {
        held = undefined
        throw error
      })
      await pool.query(
        `with owner as (
           select locked_by as id from graphile_worker._private_jobs where locked_by is not null
           union select locked_by from graphile_worker._private_job_queues where locked_by is not null),
         dead as materialized (
           select id from owner where id <> $2 and pg_try_advisory_xact_lock($1, hashtext(id)))
         select graphile_worker.force_unlock_workers(array_agg(id)) from dead having count(*) > 0`,
        [LOCK_CLASS, id],
      )
    },
    async giveBack() {
      await pool.query('select graphile_worker.force_unlock_workers(array[$1])', [runnerId()])
    },
    end() {
      held?.then(({ release }) => release()).catch(() => {})
      held = undefined
    },
  }
}
