import { AppError } from '../kernel/errors.ts'
import { floorHour, HOUR_MS, type Range } from '../kernel/time.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { JOB_MAKE_UP_MAX_MS, JOB_PAGE } from './limits.ts'

interface Parts<T> {
  /** The kind of the parts, for the log. */
  readonly what: 'group' | 'facility' | 'device' | 'tenant'
  /** Lists a page in the order of keys; `after` is the last key of the previous page. */
  readonly list: (page: { readonly after: T | undefined; readonly limit: number }) => Promise<T[]>
  readonly work: (part: T) => Promise<unknown>
}

/**
 * Runs work for each of many groups, facilities, devices or tenants, page by page. A failed part is logged and does
 * not stop the others. When every part fails, the slot fails and is retried. An AppError (4xx) is not a
 * failure, such as a group that was deactivated meanwhile or a sealed month.
 */
export async function forEachPart<T>(
  { log }: Pick<Deps, 'log'>,
  { signal, partFailed }: JobContext,
  { what, list, work }: Parts<T>,
): Promise<void> {
  let done = 0
  let failed = 0
  let after: T | undefined
  do {
    const page = await list({ after, limit: JOB_PAGE })
    for (const part of page) {
      signal.throwIfAborted()
      try {
        await work(part)
        done += 1
      } catch (error) {
        if (error instanceof AppError) log.info({ reason: error.message, [what]: part }, 'left out by a job')
        else {
          failed += 1
          log.error({ err: error, [what]: part }, `a job failed for a ${what}; it goes on with the others`)
        }
      }
    }
    after = page.length < JOB_PAGE ? undefined : page.at(-1)
  } while (after)
  if (failed > 0 && done === 0) throw new Error(`the work failed for every ${what}`)
  if (failed > 0) partFailed()
}

/**
 * Returns the hours that a slot of an hourly job has to process: the hour before it and all hours since the
 * last successful slot, at most JOB_MAKE_UP_MAX_MS.
 */
export function hoursDue(slot: number, { after }: Pick<JobContext, 'after'>): Range {
  const to = floorHour(slot)
  const since = after === undefined ? to - HOUR_MS : floorHour(after)
  return { from: Math.max(Math.min(since, to - HOUR_MS), to - JOB_MAKE_UP_MAX_MS), to }
}
