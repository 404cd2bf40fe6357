import { type CronItem, type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { schedule } from '../../../src/jobs/schedule.ts'
import { iso } from '../../../src/kernel/time.ts'
import type { Job } from '../../../src/platform/jobs/job.ts'
import { runSlot } from '../../../src/platform/jobs/jobs.ts'
import type { TestApi } from '../api.ts'

const MINUTE_MS = 60_000
/** Jobs of every minute run too often for a test: once an hour here. */
const EVERY_MINUTE = '* * * * *'

export interface DueSlot {
  readonly job: Job
  readonly slot: number
}

const isDue = ({ match }: ParsedCronItem, instant: number): boolean => {
  const date = new Date(instant)
  return match({
    min: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    date: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    dow: date.getUTCDay(),
  })
}

/** The slots of the timetable in a range, without `to`, in order. */
export function slotsOf(api: TestApi, { from, to }: { from: number; to: number }): DueSlot[] {
  const jobs = schedule(api.deps)
  const crons = parseCronItems(
    jobs.map(
      ({ name, cron }): CronItem => ({ task: name, match: cron === EVERY_MINUTE ? '5 * * * *' : cron }),
    ),
  )
  const slots: DueSlot[] = []
  for (let slot = Math.ceil(from / MINUTE_MS) * MINUTE_MS; slot < to; slot += MINUTE_MS) {
    for (const [index, job] of jobs.entries()) {
      const cron = crons[index]
      if (cron && isDue(cron, slot)) slots.push({ job, slot })
    }
  }
  return slots
}

/**
 * The slots that a start makes up for after a downtime: the newest missed slot of each job, unless it is too
 * old.
 */
export function missedSlots(api: TestApi, downtime: { from: number; to: number }): DueSlot[] {
  const newest = new Map<string, DueSlot>()
  for (const due of slotsOf(api, downtime)) {
    if (downtime.to - due.slot <= due.job.everyMs) newest.set(due.job.name, due)
  }
  return [...newest.values()].sort((a, b) => a.slot - b.slot)
}

/** Executes a slot as the runner does. */
export async function perform({ deps }: TestApi, { job, slot }: DueSlot): Promise<void> {
  try {
    await runSlot(deps, job, { slot, signal: new AbortController().signal })
  } catch (error) {
    throw new Error(`${job.name} at ${iso(slot)}`, { cause: error })
  }
}
