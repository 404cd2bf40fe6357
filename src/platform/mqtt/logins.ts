import { createHash } from 'node:crypto'
import { withTimeout } from '../async/with-timeout.ts'
import type { Clock } from '../runtime/clock.ts'
import type { GatewayIdentity } from './gateway-root.ts'
import {
  MQTT_ADDRESSES_CACHED_MAX,
  MQTT_LOGIN_FAILURES_PER_MINUTE,
  MQTT_LOGIN_TIMEOUT_MS,
  MQTT_LOGIN_TTL_MS,
  MQTT_LOGINS_CACHED_MAX,
} from './limits.ts'

export interface Login {
  readonly username: string | undefined
  readonly password: string | undefined
  /** The names in the client's certificate, if an authority that we trust has signed it; else empty. */
  readonly certificateNames: readonly string[]
}
/** Undefined: refused, for whatever reason. Throws when the login cannot be verified now. */
export type Verify = (login: Login) => Promise<GatewayIdentity | undefined>

export type LoginOutcome = GatewayIdentity | 'refused' | 'unavailable'

interface Remembered {
  readonly mount: GatewayIdentity
  readonly until: number
}
interface Failures {
  count: number
  readonly until: number
}

const MINUTE_MS = 60_000

/** Failures that end more than a minute ahead are from before the clock was set back. */
const isRecent = (failed: Failures | undefined, now: number): failed is Failures =>
  failed !== undefined && failed.until > now && failed.until <= now + MINUTE_MS

/** Old entries go first; a Map keeps the order of insertion. */
function keep<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.size > max ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}

/**
 * Lets gateways in. Failures are counted by address; an address with too many is only let in with a login that was
 * right a while ago, so that one gateway with a wrong secret does not shut out its neighbours behind the same router.
 */
export function makeLogins({ verify, clock }: { verify: Verify; clock: Clock }) {
  const remembered = new Map<string, Remembered>()
  const failures = new Map<string, Failures>()
  const keyOf = ({ username, password, certificateNames }: Login): string =>
    createHash('sha256')
      .update(JSON.stringify([username, password, certificateNames]))
      .digest('base64')

  function isBarred(address: string, now: number): boolean {
    const failed = failures.get(address)
    return isRecent(failed, now) && failed.count >= MQTT_LOGIN_FAILURES_PER_MINUTE
  }

  function fail(address: string, now: number): void {
    const failed = failures.get(address)
    if (isRecent(failed, now)) failed.count += 1
    else keep(failures, address, { count: 1, until: now + MINUTE_MS }, MQTT_ADDRESSES_CACHED_MAX)
  }

  return {
    async enter(login: Login, address: string): Promise<LoginOutcome> {
      const now = clock.now()
      const key = keyOf(login)
      const known = remembered.get(key)
      if (isBarred(address, now) && (!known || known.until < now)) return 'refused'
      try {
        const mount = await withTimeout(
          MQTT_LOGIN_TIMEOUT_MS,
          verify(login),
          () => new Error('no answer in time'),
        )
        if (!mount) {
          remembered.delete(key)
          fail(address, now)
          return 'refused'
        }
        keep(remembered, key, { mount, until: now + MQTT_LOGIN_TTL_MS }, MQTT_LOGINS_CACHED_MAX)
        return mount
      } catch {
        return 'unavailable'
      }
    },
  }
}
