import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Worker {
  readonly pid: number
  /** Sends a message and waits for its response; one at a time. */
  ask<T>(message: object): Promise<T>
  end(): Promise<void>
}

/**
 * Runs a script of this folder in a separate process, so that the measurement does not load the measured
 * process.
 */
export function startWorker(script: string): Worker {
  const child = fork(new URL(script, import.meta.url), { execArgv: ['--import', 'tsx'] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`${script} ended with ${code}`)
  })
  failed.catch(() => {})
  return {
    pid: child.pid ?? 0,
    async ask<T>(message: object) {
      child.send(message)
      const [response] = (await Promise.race([once(child, 'message'), failed])) as unknown[]
      return response as T
    },
    async end() {
      child.kill()
      await ended
    },
  }
}
