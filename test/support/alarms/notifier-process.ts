/** A process that delivers notifications until it is killed; its arguments are the database and the encryption key. */
import { makeNotifier } from '../../../src/areas/alarms/notifications/index.ts'
import { makeLog } from '../../../src/platform/observability/log.ts'
import { makeDeps } from '../../../src/service/deps.ts'
import { testConfig } from '../config.ts'

const [, , url = '', credentialEncryptionKey = ''] = process.argv
const deps = makeDeps({
  config: testConfig({ credentialEncryptionKey, webhookAllowedNetworks: ['127.0.0.0/8'] }),
  url,
  log: makeLog('silent'),
  now: Date.now,
  mail: { send: async () => {} },
  maxConnections: 4,
})
makeNotifier(deps).start()
setInterval(() => {}, 60_000)
