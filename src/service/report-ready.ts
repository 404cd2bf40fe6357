import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../platform/runtime/deps.ts'
import { READY_POLL_MS } from './limits.ts'

export interface ReadyOptions {
  readonly url: string
  readonly print: (line: string) => void
}

/**
 * Prints that the service is ready once /readiness would answer 200, and until then, after each change, what it
 * waits for. Ends at a stop.
 */
export async function reportReady(
  { config, readiness, log }: Pick<Deps, 'config' | 'readiness' | 'log'>,
  { url, print }: ReadyOptions,
): Promise<void> {
  let shown = ''
  while (!readiness.isStopping()) {
    const { status, checks } = await readiness.runChecks((dependency, error) =>
      log.debug({ err: error, dependency }, 'a dependency does not serve yet'),
    )
    if (status === 'ready') {
      log.info({ url }, 'ready')
      print(`Netsaat is ready at ${url}`)
      if (config.roles.includes('api')) print(`  API documentation: ${url}/docs`)
      return
    }
    const missing = Object.entries(checks).filter(([, outcome]) => outcome !== 'ok')
    const text = missing.map(([name, outcome]) => `${name}: ${outcome}`).join('; ')
    if (text !== shown && !readiness.isStopping()) {
      shown = text
      log.warn({ checks }, 'not ready yet')
      print(`Netsaat listens at ${url} and is not ready yet (${text}).`)
    }
    await sleep(READY_POLL_MS, undefined, { ref: false })
  }
}
