import { AppError } from '../kernel/errors.ts'
import { floorHour, HOUR_MS, type Range } from '../kernel/time.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { JOB_MAKE_UP_MAX_MS, JOB_PAGE } from './limits.ts'

interface Parts<T> {
  /** What the parts are, for the log. */
  readonly what: 'group' | 'facility' | 'device'
  /** By key; `after` is the last one had. */
  readonly list: (page: { readonly after: T | undefined; readonly limit: number }) => Promise<T[]>
  readonly work: (part: T) => Promise<unknown>
}

/**
 * Does a piece of work for each of many groups, facilities or devices, page by page. One that fails is logged
 * and does not stop the others; when every one fails, something else is wrong and the slot is tried again. A
 * refusal (4xx) is no failure: a group that was made inactive meanwhile, a month that is sealed.
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
 * The hours that a slot of an hourly job has to do: the one before it, and all since the last slot that was
 * done, at most JOB_MAKE_UP_MAX_MS.
 */
export function hoursDue(slot: number, { after }: Pick<JobContext, 'after'>): Range {
  const to = floorHour(slot)
  const since = after === undefined ? to - HOUR_MS : floorHour(after)
  return { from: Math.max(Math.min(since, to - HOUR_MS), to - JOB_MAKE_UP_MAX_MS), to }
}
