import { withTimeout } from '../async/with-timeout.ts'
import type { JobView } from '../jobs/job.ts'
import { READINESS_CHECK_MAX_MS } from './limits.ts'

/**
 * An error whose message may be public; any other error is reported as "failed" and written to the log
 * only.
 */
export class NotReady extends Error {}

export interface ReadinessReport {
  readonly status: 'ready' | 'not_ready'
  /** `ok` or the reason of the failure, by dependency. */
  readonly checks: Readonly<Record<string, string>>
  readonly notes: readonly string[]
  /** Empty in a process without the role jobs. */
  readonly jobs: readonly JobView[]
}

/** The readiness of the service, where each part registers its dependencies. */
export interface Readiness {
  /**
   * `check` resolves when the dependency works and rejects otherwise; its timeout is
   * READINESS_CHECK_MAX_MS.
   */
  check(name: string, check: () => Promise<void>): void
  /** Sentences for the operator that do not affect the status. */
  note(sentences: () => readonly string[]): void
  /** The states of the scheduled jobs. */
  showJobs(views: () => readonly JobView[]): void
  /** Reports the service as not ready, so that new requests are sent elsewhere. */
  stop(): void
  isStopping(): boolean
  runChecks(onFailure: (name: string, error: unknown) => void): Promise<ReadinessReport>
}

export function makeReadiness(): Readiness {
  const checks = new Map<string, () => Promise<void>>()
  const notes: (() => readonly string[])[] = []
  let jobs: () => readonly JobView[] = () => []
  let isStopping = false
  return {
    check: (name, check) => void checks.set(name, check),
    note: (sentences) => void notes.push(sentences),
    showJobs(views) {
      jobs = views
    },
    stop() {
      isStopping = true
    },
    isStopping: () => isStopping,
    async runChecks(onFailure) {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await outcome(name, check, onFailure)] as const),
      )
      if (isStopping) results.push(['service', 'stopping'])
      const isReady = results.every(([, result]) => result === 'ok')
      return {
        status: isReady ? 'ready' : 'not_ready',
        checks: Object.fromEntries(results),
        notes: notes.flatMap((sentences) => sentences()),
        jobs: jobs(),
      }
    },
  }
}

async function outcome(
  name: string,
  check: () => Promise<void>,
  onFailure: (name: string, error: unknown) => void,
): Promise<string> {
  try {
    await withTimeout(READINESS_CHECK_MAX_MS, check(), () => new NotReady('no answer in time'))
    return 'ok'
  } catch (error) {
    onFailure(name, error)
    return error instanceof NotReady ? error.message : 'failed'
  }
}
