import { EventEmitter } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { Runner } from 'graphile-worker'
import { JOBS_END_MAX_MS, JOBS_RESTART_MAX_MS, JOBS_RESTART_MIN_MS, JOBS_STEADY_MS } from './limits.ts'

export interface KeepRunnerOptions {
  readonly log: FastifyBaseLogger
  /** Aborted when the runner shall not be started again. */
  readonly stopping: AbortSignal
  /** Starts a runner that emits `events`. `signal` is aborted when its jobs shall end. */
  start(events: EventEmitter, signal: AbortSignal): Promise<Runner>
  onRestart(): void
  onEnd(): void
}

/** Starts the runner, and starts it again whenever it ends by itself. A first start that fails rejects. */
export async function keepRunner({ log, stopping, start, onRestart, onEnd }: KeepRunnerOptions) {
  let runner: Runner | undefined
  let isRunning = false
  let delayMs = 0

  async function startOne(): Promise<void> {
    const ending = new AbortController()
    const events = new EventEmitter()
    // The runner ends only when its jobs have ended.
    events.on('pool:gracefulShutdown', () => {
      isRunning = false
      ending.abort(new Error('the runner of the jobs ends'))
    })
    const startedAt = performance.now()
    const started = await start(events, AbortSignal.any([stopping, ending.signal]))
    runner = started
    isRunning = true
    if (stopping.aborted) void runner.stop()
    let hasEnded = false
    const onEnded = () => {
      if (hasEnded) return
      hasEnded = true
      if (performance.now() - startedAt > JOBS_STEADY_MS) delayMs = 0
      end()
    }
    started.promise
      .catch((error: unknown) => log.error({ err: error }, 'the jobs have ended'))
      .finally(onEnded)
    // In graphile-worker 0.17 the promise stays pending when the records of two jobs fail at the same time: it
    // counts the second one twice and waits for a count of zero. Its workers have ended by then.
    events.once('pool:gracefulShutdown:complete', () => {
      const abandon = () => {
        if (hasEnded) return
        log.warn('the runner of the jobs does not end by itself')
        void started.stop().catch(() => {})
        onEnded()
      }
      setTimeout(abandon, JOBS_END_MAX_MS).unref()
    })
  }
  function end(): void {
    runner = undefined
    isRunning = false
    onEnd()
    if (stopping.aborted) return
    delayMs = Math.min(JOBS_RESTART_MAX_MS, Math.max(JOBS_RESTART_MIN_MS, 2 * delayMs))
    setTimeout(() => {
      if (!stopping.aborted) void startAgain()
    }, delayMs).unref()
  }
  async function startAgain(): Promise<void> {
    try {
      await startOne()
      log.info('the jobs run again')
      onRestart()
    } catch (error) {
      log.error({ err: error }, 'the jobs could not be started')
      end()
    }
  }

  await startOne()
  const stop = () => runner?.stop() ?? Promise.resolve()
  return {
    isRunning: () => isRunning,
    stop,
    /** Ends the runner and its jobs; it is started again. */
    restart: () => void (isRunning && stop().catch(() => {})),
  }
}
