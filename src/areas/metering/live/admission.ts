import { AppError } from '../../../kernel/errors.ts'
import { iso, parseInstant } from '../../../kernel/time.ts'
import { makeTokens } from '../../../platform/auth/jwt.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { Upgrade } from '../../../platform/http/ws.ts'
import { makeAuthenticate } from '../../access/auth/index.ts'
import type { Hub } from './hub.ts'
import { LIVE_SOCKETS_MAX, LIVE_SOCKETS_PER_USER_MAX } from './limits.ts'
import { type CloseReason, closing } from './messages.ts'
import { isAllowedOrigin } from './origin.ts'
import { Session } from './session.ts'
import { type Owner, Subscriber } from './subscriber.ts'
import { areTooMany, type Watching } from './watching.ts'

/** A socket that is not let in. */
class Rejected extends Error {
  readonly reason: CloseReason
  readonly tenant: { id: number; uid: string } | undefined
  constructor(reason: CloseReason, tenant?: Rejected['tenant']) {
    super(reason)
    this.reason = reason
    this.tenant = tenant
  }
}

/** The principal behind a token that may watch measurements; throws Rejected. */
export function makeEntry(deps: Pick<Deps, 'config' | 'clock' | 'database'>) {
  const authenticate = makeAuthenticate(deps as Deps)
  const tokens = makeTokens({ secretKey: deps.config.secretKey, clock: deps.clock })
  return async (token: string): Promise<Owner> => {
    try {
      const { exp } = tokens.verify('access', token)
      const { id, tenantId, tenantUid, permissions } = await authenticate(token)
      if (!permissions.has('read:measurement')) {
        throw new Rejected('permissionDenied', { id: tenantId, uid: tenantUid })
      }
      const connectedAt = deps.clock.now()
      return { userId: id, tenantId, tenantUid, token, connectedAt, expiresAt: exp * 1000 }
    } catch (error) {
      if (error instanceof AppError && error.status === 401) {
        throw new Rejected(error.code === 'TOKEN_EXPIRED' ? 'tokenExpired' : 'invalidToken')
      }
      throw error
    }
  }
}

/** Why somebody is not let in (any more); what is nobody's fault passes. */
export const reasonOf = (error: unknown): Rejected =>
  error instanceof Rejected ? error : new Rejected('tryAgain')

interface Wanted {
  readonly devices: readonly string[]
  readonly since: number | undefined
}

/** `devices`: ids with commas between; `since`: an instant. Both may be absent. */
function readWanted({ searchParams }: URL): Wanted | undefined {
  const devices = (searchParams.get('devices') ?? '').split(',').filter((text) => text.trim() !== '')
  const text = searchParams.get('since') ?? ''
  const since = text === '' ? undefined : parseInstant(text)?.at
  if (areTooMany(devices) || (text !== '' && since === undefined)) return undefined
  return { devices, since }
}

export interface AdmissionOrder {
  readonly deps: Pick<Deps, 'config' | 'clock' | 'log' | 'database'>
  readonly hub: Hub
  readonly watching: Watching
  /** A socket that was let in. */
  readonly onSession: (session: Session) => void
}

/**
 * The handshake of /ws/telemetry. It is finished in any case and the socket closed afterwards, because a browser tells
 * its page the code of a close and nothing about a refused handshake. Origin first, then the token (interface, 10).
 */
export function makeAdmission({ deps, hub, watching, onSession }: AdmissionOrder) {
  const { config, clock, log } = deps
  const enter = makeEntry(deps)

  function checkOrigin({ request: { headers } }: Upgrade): void {
    if (isAllowedOrigin(headers.origin, config.corsOrigins)) return
    const fields = { origin: headers.origin ?? null, endpoint: 'telemetry' }
    log.warn(
      { event: 'websocket_origin_rejected', ...fields, allowed_count: config.corsOrigins.length },
      'websocket_origin_rejected',
    )
    throw new Rejected('forbiddenOrigin')
  }

  function checkRoom({ userId, tenantId, tenantUid }: Owner): void {
    const isFull = hub.subscribers.size >= LIVE_SOCKETS_MAX
    if (isFull || hub.socketsOf(userId) >= LIVE_SOCKETS_PER_USER_MAX) {
      throw new Rejected('tooManySockets', { id: tenantId, uid: tenantUid })
    }
  }

  async function prepare(upgrade: Upgrade) {
    checkOrigin(upgrade)
    const owner = await enter(upgrade.url.searchParams.get('token') ?? '')
    const tenant = { id: owner.tenantId, uid: owner.tenantUid }
    const wanted = readWanted(upgrade.url)
    if (!wanted) throw new Rejected('invalidParameters', tenant)
    const found = await watching.findDevices(owner.tenantId, wanted.devices)
    if (wanted.devices.length > 0 && found.keys.size === 0) throw new Rejected('noDevices', tenant)
    checkRoom(owner)
    return { owner, found, since: wanted.since }
  }

  return async (upgrade: Upgrade): Promise<void> => {
    const open = upgrade.accept()
    if (!open) return
    // Nothing is read before there is somebody who listens.
    open.socket.pause()
    try {
      const { owner, found, since } = await prepare(upgrade)
      const subscriber = new Subscriber(open, owner)
      if (!subscriber.isOpen) return
      hub.join(subscriber)
      onSession(new Session({ subscriber, socket: open.socket, hub, watching, clock }))
      const tell = () =>
        subscriber.say({
          type: 'hello',
          server_time: iso(clock.now()),
          token_expires_at: iso(owner.expiresAt),
          devices: [...found.keys.keys()],
          refused: found.refused,
        })
      // Filling a gap may take its time; the handshake is over.
      watching.begin(subscriber, { keys: found.keys, since, tell }).catch((error: unknown) => {
        log.error({ err: error }, 'a socket could not begin')
        subscriber.terminate()
      })
      open.socket.resume()
    } catch (error) {
      const { reason, tenant } = reasonOf(error)
      if (reason === 'tryAgain') log.warn({ reason: (error as Error).message }, 'a socket was not let in')
      hub.noteRejected(reason, tenant)
      open.socket.resume()
      open.socket.close(...closing(reason))
    }
  }
}
