import { countOpenGaps } from '../../areas/equipment/gateway-link/index.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { SEQUENCE_GAP_QUERY_MS, SEQUENCE_GAP_REPORT_MS } from './limits.ts'

/** Reports gateways with gaps in their numbered messages in /readiness; returns a function that stops the checks. */
export function reportGaps({
  database,
  clock,
  log,
  readiness,
}: Pick<Deps, 'database' | 'clock' | 'log' | 'readiness'>): () => void {
  let gateways = 0
  const look = async (): Promise<void> => {
    gateways = await countOpenGaps(database, new Date(clock.now() - SEQUENCE_GAP_REPORT_MS))
  }
  const timer = setInterval(() => {
    look().catch((error: Error) => log.debug({ reason: error.message }, 'gaps were not looked for'))
  }, SEQUENCE_GAP_QUERY_MS).unref()
  readiness.note(() =>
    gateways === 0
      ? []
      : [
          `Messages of ${gateways} gateways are missing between others (seq): ` +
            'see sequence-gaps of the gateway, and the queue limits of the broker in docs/integrate/mqtt.md.',
        ],
  )
  return () => clearInterval(timer)
}
