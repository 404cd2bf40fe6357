import { type HeldLock, holdLock } from '../db/held-lock.ts'
import type { Database } from '../db/pool.ts'

/**
 * The first key of the advisory locks by which a runner of jobs proves that it is alive; an arbitrary number
 * that nothing else uses.
 */
const LOCK_CLASS = 723_648_202

export interface JobOwner {
  /**
   * Proves that this runner is alive, and releases the jobs of dead runners, so that any runner can execute
   * them.
   */
  beat(): Promise<void>
  /** Releases the jobs that this runner holds and will not finish. */
  giveBack(): Promise<void>
  end(): void
}

/**
 * When a process is killed, graphile-worker keeps its jobs and their queues locked for four hours. Every
 * runner therefore holds an advisory lock for as long as its connection lives; jobs whose owner holds no such
 * lock are released.
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
