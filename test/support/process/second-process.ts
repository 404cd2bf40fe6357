import { startIngest } from '../../../src/areas/metering/intake/index.ts'
import { type AppOptions, buildApp } from '../../../src/http/app.ts'
import type { Broker } from '../../../src/platform/messaging/broker.ts'
import { makeBus } from '../../../src/platform/messaging/bus.ts'
import { linkOverBroker, type ProcessLink } from '../../../src/platform/messaging/process-link.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeMetrics } from '../../../src/platform/observability/metrics.ts'
import { makeReadiness } from '../../../src/platform/observability/readiness.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'
import type { Config } from '../../../src/platform/settings/config.ts'
import type { TestApi } from '../api.ts'

/** A second instance of the service inside the test process; it shares only the database and the clock. */
export interface SecondProcess {
  readonly url: string
  readonly deps: Deps
  /** The lines of its log. */
  readonly logged: Record<string, unknown>[]
  close(): Promise<void>
}

export async function startSecondProcess(
  api: TestApi,
  overrides: Partial<Config> = {},
  broker: Broker | ProcessLink = api.deps.broker,
  onOcppTls: AppOptions['onOcppTls'] = () => {},
): Promise<SecondProcess> {
  const logged: Record<string, unknown>[] = []
  const log = makeLog('info', { write: (line) => void logged.push(JSON.parse(line)) })
  const base = {
    ...api.deps,
    config: { ...api.deps.config, ...overrides },
    log,
    broker,
    link: 'isBroadcast' in broker ? broker : linkOverBroker(broker),
    bus: makeBus(log),
    metrics: makeMetrics(),
    readiness: makeReadiness(),
  }
  const deps: Deps = { ...base, ingest: startIngest(base) }
  const app = await buildApp(deps, { checksResponses: true, onOcppTls })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    deps,
    logged,
    async close() {
      await app.close()
      await deps.ingest.drain()
    },
  }
}
