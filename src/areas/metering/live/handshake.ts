import { AppError } from '../../../kernel/errors.ts'
import { iso, parseInstant } from '../../../kernel/time.ts'
import type { Upgrade } from '../../../platform/http/ws.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { makeAuthenticate } from '../../access/auth/index.ts'
import { ClientConnection } from './client-connection.ts'
import type { Hub } from './hub.ts'
import { LIVE_SOCKETS_MAX, LIVE_SOCKETS_PER_USER_MAX } from './limits.ts'
import { type CloseReason, closeArguments } from './messages.ts'
import { type Owner, Subscriber } from './subscriber.ts'
import { exceedsDeviceLimit, type Subscriptions } from './subscriptions.ts'
import { redeemTicket } from './tickets.ts'

/** The handshake is rejected; `reason` selects the close code. */
class Rejected extends Error {
  readonly reason: CloseReason
  readonly tenant: { id: number; uid: string } | undefined
  constructor(reason: CloseReason, tenant?: Rejected['tenant']) {
    super(reason)
    this.reason = reason
    this.tenant = tenant
  }
}

/** Returns a function that resolves a token to a principal with `read:measurement`; it throws Rejected. */
export function makeTokenAuthorizer(deps: Pick<Deps, 'config' | 'clock' | 'database' | 'background'>) {
  const authenticate = makeAuthenticate(deps)
  return async (token: string): Promise<Owner> => {
    try {
      const { id, tenantId, tenantUid, permissions, apiKeyId, expiresAt, mustEnrolTotp } =
        await authenticate(token)
      if (mustEnrolTotp || !permissions.has('read:measurement')) {
        throw new Rejected('permissionDenied', { id: tenantId, uid: tenantUid })
      }
      const connectedAt = deps.clock.now()
      return {
        userId: id,
        tenantId,
        tenantUid,
        token,
        connectedAt,
        expiresAt,
        hasApiKey: apiKeyId !== undefined,
      }
    } catch (error) {
      if (error instanceof AppError && error.status === 401) {
        throw new Rejected(error.code === 'TOKEN_EXPIRED' ? 'tokenExpired' : 'invalidToken')
      }
      throw error
    }
  }
}

/** The rejection behind an error; `tryAgain` for errors that are not the client's fault. */
export const toRejected = (error: unknown): Rejected =>
  error instanceof Rejected ? error : new Rejected('tryAgain')

interface RequestedSubscription {
  readonly devices: readonly string[]
  readonly since: number | undefined
}

/**
 * `devices`: ids separated by commas; `since`: an instant. Both are optional. Undefined when one is
 * invalid.
 */
function readRequestedSubscription({ searchParams }: URL): RequestedSubscription | undefined {
  const devices = (searchParams.get('devices') ?? '').split(',').filter((text) => text.trim() !== '')
  const text = searchParams.get('since') ?? ''
  const since = text === '' ? undefined : parseInstant(text)?.at
  if (exceedsDeviceLimit(devices) || (text !== '' && since === undefined)) return undefined
  return { devices, since }
}

/** Trims white space and one trailing slash; the rest is compared exactly (interface, 10). */
const normalizeOrigin = (origin: string): string => origin.trim().replace(/\/$/, '')

/** An empty list allows every origin and none at all; any other list allows only its entries. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  const normalized = normalizeOrigin(origin ?? '')
  return normalized !== '' && allowed.some((one) => normalizeOrigin(one) === normalized)
}

export interface HandshakeOptions {
  readonly deps: Pick<Deps, 'config' | 'clock' | 'log' | 'database' | 'background'>
  readonly hub: Hub
  readonly subscriptions: Subscriptions
  /** Called for each accepted socket. */
  readonly onConnection: (session: ClientConnection) => void
}

/**
 * Handles upgrades of /ws/telemetry. The upgrade is always completed and a rejected socket closed right
 * afterwards, because a browser shows its page the close code but nothing about a refused handshake. The
 * order of checks is origin, then token (interface, 10), parameters, devices, capacity.
 */
export function makeHandshakeHandler({
  deps,
  hub,
  subscriptions,
  onConnection: onSession,
}: HandshakeOptions) {
  const { config, clock, log } = deps
  const authorize = makeTokenAuthorizer(deps)

  function checkOrigin({ request: { headers } }: Upgrade): void {
    if (isAllowedOrigin(headers.origin, config.corsOrigins)) return
    const fields = { origin: headers.origin ?? null, endpoint: 'telemetry' }
    log.warn(
      { event: 'websocket_origin_rejected', ...fields, allowed_count: config.corsOrigins.length },
      'websocket_origin_rejected',
    )
    throw new Rejected('forbiddenOrigin')
  }

  function checkCapacity({ userId, tenantId, tenantUid }: Owner): void {
    const isFull = hub.subscribers.size >= LIVE_SOCKETS_MAX
    if (isFull || hub.socketsOf(userId) >= LIVE_SOCKETS_PER_USER_MAX) {
      throw new Rejected('tooManySockets', { id: tenantId, uid: tenantUid })
    }
  }

  /** The access token or API key of the client: sent with the URL, or the one behind a ticket. */
  async function readCredential({ searchParams }: URL): Promise<string> {
    const ticket = searchParams.get('ticket') ?? ''
    if (ticket === '') return searchParams.get('token') ?? ''
    const credential = await redeemTicket(deps, ticket)
    if (credential === undefined) throw new Rejected('invalidTicket')
    return credential
  }

  async function prepare(upgrade: Upgrade) {
    checkOrigin(upgrade)
    const owner = await authorize(await readCredential(upgrade.url))
    const tenant = { id: owner.tenantId, uid: owner.tenantUid }
    const requested = readRequestedSubscription(upgrade.url)
    if (!requested) throw new Rejected('invalidParameters', tenant)
    const found = await subscriptions.findDevices(owner.tenantId, requested.devices)
    if (requested.devices.length > 0 && found.keys.size === 0) throw new Rejected('noDevices', tenant)
    checkCapacity(owner)
    return { owner, found, since: requested.since }
  }

  return async (upgrade: Upgrade): Promise<void> => {
    const opened = upgrade.accept()
    if (!opened) return
    // Do not read messages before listeners are attached.
    opened.socket.pause()
    try {
      const { owner, found, since } = await prepare(upgrade)
      const subscriber = new Subscriber(opened, owner)
      if (!subscriber.isOpen) return
      hub.join(subscriber)
      onSession(
        new ClientConnection({ subscriber, socket: opened.socket, hub, subscriptions: subscriptions, clock }),
      )
      const sendHello = () =>
        subscriber.send({
          type: 'hello',
          server_time: iso(clock.now()),
          token_expires_at: iso(owner.expiresAt),
          devices: [...found.keys.keys()],
          refused: found.refused,
        })
      // Not awaited: the backfill may take seconds, and the handshake is over.
      subscriptions
        .subscribe(subscriber, { keys: found.keys, since, acknowledge: sendHello })
        .catch((error: unknown) => {
          log.error({ err: error }, 'subscribing a live socket failed')
          subscriber.terminate()
        })
      opened.socket.resume()
    } catch (error) {
      const { reason, tenant } = toRejected(error)
      if (reason === 'tryAgain') log.warn({ reason: (error as Error).message }, 'a live socket was rejected')
      hub.countRejection(reason, tenant)
      opened.socket.resume()
      opened.socket.close(...closeArguments(reason))
    }
  }
}
