import type { Server } from 'node:net'
import type { AuthenticateError } from 'aedes'
import type { BrokerLog } from './broker-hooks.ts'
import type { LoginOutcome } from './logins.ts'

const BAD_LOGIN = 4
const UNAVAILABLE = 3
const refusal = (returnCode: number): AuthenticateError =>
  Object.assign(new Error('the login was refused'), { returnCode })

/** Answers the login of a client: return code 4 when it is refused, 3 when it could not be checked. */
export function answerLogin(
  outcome: LoginOutcome | undefined,
  done: (error: AuthenticateError | null, ok: boolean | null) => void,
): void {
  if (typeof outcome === 'object') done(null, true)
  else done(refusal(outcome === 'refused' ? BAD_LOGIN : UNAVAILABLE), null)
}

/** Opens the port and returns its number; rejects with the error of the system. */
export function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  log: Pick<BrokerLog, 'warn'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      server.on('error', (error) => log.warn({ err: error }, 'the MQTT port reports an error'))
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
