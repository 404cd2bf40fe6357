import type { AuthenticateError, Client } from 'aedes'
import { makeThrottledLog, type ThrottledLog } from '../observability/throttled-log.ts'
import type { BrokerLog } from './broker-log.ts'
import type { LoginOutcome } from './logins.ts'

const BAD_LOGIN = 4
const UNAVAILABLE = 3
/** CONNACK of MQTT 5 with the reason code 0x84, "unsupported protocol version", and no properties. */
const CONNACK_UNSUPPORTED_VERSION = Buffer.from([0x20, 3, 0, 0x84, 0])

/** Why a connection was refused; also the label of the metric. */
export type Refusal = 'wrong_login' | 'unavailable' | 'unsupported_version' | 'tls_handshake'

const refusal = (returnCode: number): AuthenticateError =>
  Object.assign(new Error('the login was refused'), { returnCode })

/** Answers the connections that are refused, and counts them. */
export class Refusals {
  readonly counts = new Map<Refusal, number>()
  private readonly log: ThrottledLog

  constructor(log: BrokerLog) {
    const warn = log.warn.bind(log)
    this.log = makeThrottledLog({ warn, error: warn }, { now: () => performance.now() })
  }

  count(reason: Refusal): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1)
  }

  /** Answers the login of a client: return code 4 when it is refused, 3 when it could not be checked. */
  answer(
    outcome: LoginOutcome | undefined,
    done: (error: AuthenticateError | null, ok: boolean | null) => void,
  ): void {
    if (typeof outcome === 'object') {
      done(null, true)
      return
    }
    this.count(outcome === 'refused' ? 'wrong_login' : 'unavailable')
    done(refusal(outcome === 'refused' ? BAD_LOGIN : UNAVAILABLE), null)
  }

  /**
   * Refuses a client of MQTT 5 in its own format, which aedes would answer in that of MQTT 3.1.1. The connection
   * ends when the answer is written.
   */
  refuseVersion(
    { conn }: Client,
    address: string | undefined,
    done: (error: Error, ok: boolean) => void,
  ): void {
    this.count('unsupported_version')
    this.log.warn({ address }, 'a client was refused because it uses MQTT 5: set it to MQTT 3.1.1')
    conn.end(CONNACK_UNSUPPORTED_VERSION, () => done(new Error('unsupported protocol version'), false))
  }

  failHandshake({ code, message }: NodeJS.ErrnoException): void {
    this.count('tls_handshake')
    // A connection that is closed in its handshake is usually a check of the port.
    if (code !== 'ECONNRESET') this.log.warn({ reason: message }, 'a TLS handshake with a gateway failed')
  }
}
