/** A process that polls Modbus gateways on the database of its first argument, until it is killed. */
import { startPoller } from '../../../src/field/modbus/index.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeDeps } from '../../../src/service/deps.ts'
import { testConfig } from '../config.ts'

const deps = makeDeps({
  config: testConfig(),
  url: process.argv[2] ?? '',
  log: makeLog('silent'),
  now: Date.now,
  mail: { send: async () => {} },
  maxConnections: 6,
})
startPoller(deps, { beatMs: 200, reloadMs: 200 })
