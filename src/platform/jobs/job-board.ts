import { iso } from '../../kernel/time.ts'
import type { Job, JobsOptions, JobView } from './job.ts'
import { readStates } from './job-runs.ts'
import { JOB_LAG_SLOTS } from './limits.ts'

export interface JobBoard {
  /** Reads the state of the jobs, including results of other processes, and exports it as metrics. */
  refresh(): Promise<void>
  views(): readonly JobView[]
  /** Sentences about the jobs that are overdue. */
  notes(): readonly string[]
}

interface Done {
  readonly lastSlot?: number | undefined
  readonly lastSuccess?: number | undefined
}

export function makeJobBoard({ database, clock, metrics, jobs }: JobsOptions): JobBoard {
  const startedAt = clock.now()
  const states = new Map<string, Done>()
  const stateOf = ({ name }: Job): Done => states.get(name) ?? {}
  /**
   * The delay of a job that was never done is measured from the start of the process, because the job may be
   * new.
   */
  const lagMs = (job: Job): number =>
    Math.max(0, clock.now() - (stateOf(job).lastSlot ?? startedAt) - job.everyMs)

  return {
    async refresh() {
      try {
        for (const { name, ...done } of await readStates(database, clock.now())) states.set(name, done)
      } finally {
        for (const job of jobs) {
          const { lastSuccess } = stateOf(job)
          if (lastSuccess !== undefined) metrics.jobLastSuccess.set({ job: job.name }, lastSuccess / 1000)
          metrics.jobLag.set({ job: job.name }, lagMs(job) / 1000)
        }
      }
    },
    views: () =>
      jobs.map((job) => {
        const { lastSlot, lastSuccess } = stateOf(job)
        return {
          name: job.name,
          last_slot: lastSlot === undefined ? null : iso(lastSlot),
          last_success_at: lastSuccess === undefined ? null : iso(lastSuccess),
          lag_seconds: Math.round(lagMs(job) / 1000),
        }
      }),
    notes: () =>
      jobs
        .filter((job) => lagMs(job) > JOB_LAG_SLOTS * job.everyMs)
        .map((job) => `the job ${job.name} lags: ${describeLastSlot(stateOf(job).lastSlot)}`),
  }
}

const describeLastSlot = (lastSlot: number | undefined): string =>
  lastSlot === undefined ? 'it has never been done' : `its last slot that was done is ${iso(lastSlot)}`
