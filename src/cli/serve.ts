import { makeLog } from '../platform/observability/log.ts'
import { reportReady } from '../service/report-ready.ts'
import { runUntilStopped } from '../service/run.ts'
import { startService } from '../service/start.ts'
import { type Command, optionalText } from './command.ts'
import { settingsOf } from './settings.ts'

export const serve: Command = {
  options: { roles: { type: 'string' } },
  positionals: 0,
  async run(invocation) {
    const { env, io } = invocation
    const roles = optionalText(invocation, 'roles')
    const settings = settingsOf(roles === undefined ? env : { ...env, ROLES: roles }, io)
    const log = makeLog(settings.logLevel)
    const start = async () => {
      const service = await startService({ settings, log, print: io.out, now: io.now })
      void reportReady(service.deps, { url: service.url, print: io.out })
      return service
    }
    return runUntilStopped(start, log)
  },
}
