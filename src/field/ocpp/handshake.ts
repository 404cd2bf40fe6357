/*
 * The handshake of a station: decides whether a WebSocket upgrade becomes the station's connection.
 *
 * Purpose. The path names the station (`/ocpp/<version>/<cpid>`), so anybody can try any cpid. Thousands of
 * stations reconnect at once after an outage. The handshake must disclose nothing about which cpids exist,
 * must not let a guesser lock out a station, and must stay cheap.
 *
 * Steps, in this order:
 *
 *   rate limit    handshakes per address (429, Retry-After)
 *   lock-out      wrong logins by cpid and address, by address, and by cpid (429); logins.ts
 *   concurrency   few checks per cpid and address at a time (429)
 *   login         password or client certificate, and the security profile that the charger once reached
 *                 (401, 403, 503); authenticate.ts
 *   upgrade       101. A client that offers no subprotocol of this path is closed with 1002
 *   registration  the id of this connection is written to the charger's row before the first message is read,
 *                 so that every process can see which connection is current. When that fails the socket is
 *                 closed with 1013
 *
 * Trade-offs.
 * - A handshake without credentials is refused before any work, and is no wrong login: some clients send the
 *   password only after the challenge.
 * - A handshake whose passwords wait for too long is refused with 503. The station is let in at its next attempt at
 *   once, when its password was found to be right meanwhile.
 * - Unknown cpids, wrong passwords and chargers without a password are refused alike, after the same work.
 * - A database that is out of reach refuses with 503 and counts nothing as a failure.
 * - The subprotocol is checked after the upgrade, as the OCA's case TC_088 demands, though HTTP would allow
 *   an earlier refusal.
 * - Lookups and registrations of simultaneous handshakes are coalesced into one statement each.
 */
import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { recordConnections } from '../../areas/charging/stations.ts'
import { CPID_LENGTH_MAX } from '../../kernel/limits.ts'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { makeCoalescer } from '../../platform/async/coalesce.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import { clientOf } from '../../platform/http/client-of.ts'
import { parseNetworks } from '../../platform/http/networks.ts'
import type { RateStore } from '../../platform/http/rate-store.ts'
import type { Upgrade } from '../../platform/http/ws.ts'
import {
  type Authenticated,
  HandshakeRefused,
  makeAuthenticate,
  RETRY_AFTER_MS,
  type Refusal,
} from './authenticate.ts'
import { makeLoginAttempts } from './logins.ts'
import type { OcppMetrics } from './metrics.ts'
import type { StationIdentity } from './station.ts'
import type { OcppDeps } from './types.ts'

const STATUS: Readonly<Record<Refusal, number>> = {
  no_login: 401,
  wrong_login: 401,
  too_many: 429,
  needs_tls: 403,
  needs_certificate: 403,
  unavailable: 503,
}
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="ocpp", charset="UTF-8"' }
const TRY_AGAIN_LATER = [1013, 'try again later'] as const
const NO_SUBPROTOCOL = [1002, 'no subprotocol that is spoken here'] as const

/** An upgrade request with the identity that it claims. */
interface Handshake {
  readonly upgrade: Upgrade
  readonly version: OcppVersion
  readonly cpid: string
  readonly address: string
}

export interface HandshakeOptions {
  readonly deps: OcppDeps
  readonly rates: RateStore
  readonly metrics: OcppMetrics
  readonly onStation: (identity: StationIdentity, socket: WebSocket) => void
}

/** The cpid of the path. A text that is no percent-encoding is used as it is; no charger has it. */
function decodeCpid(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Makes the function that handles the handshakes of a version. */
export function makeHandshakeHandler(
  options: HandshakeOptions,
): (version: OcppVersion) => (upgrade: Upgrade) => Promise<void> {
  const { config } = options.deps
  const trusted = parseNetworks(config.trustedProxies)
  const checkLogin = makeLoginCheck(options)
  const accept = makeAccept(options)
  return (version) => async (upgrade) => {
    const cpid = decodeCpid(upgrade.params['cpid'] ?? '')
    const client = clientOf(upgrade.request, trusted)
    const handshake: Handshake = { upgrade, version, cpid, address: client.address }
    let authenticated: Authenticated
    try {
      authenticated = await checkLogin(handshake, client.isSecure)
    } catch (error) {
      return reject(options, handshake, error)
    }
    await accept(handshake, authenticated)
  }
}

function makeLoginCheck({ deps, rates }: HandshakeOptions) {
  const { config, clock } = deps
  const attempts = makeLoginAttempts({ rates, limits: config.rateLimits, clock })
  const authenticate = makeAuthenticate(deps)

  return async ({ upgrade, cpid, address }: Handshake, isSecure: boolean): Promise<Authenticated> => {
    const caller = { cpid, address }
    const waitMs = await attempts.wait(caller)
    if (waitMs > 0) throw new HandshakeRefused('too_many', waitMs)
    const checking = attempts.check(caller, () => authenticate(upgrade.request, cpid, { address, isSecure }))
    if (!checking) throw new HandshakeRefused('too_many', RETRY_AFTER_MS)
    try {
      const authenticated = await checking
      attempts.succeeded(caller)
      return authenticated
    } catch (error) {
      if (error instanceof HandshakeRefused && error.refusal === 'wrong_login') await attempts.failed(caller)
      throw error
    }
  }
}

function reject({ deps: { log }, metrics }: HandshakeOptions, handshake: Handshake, error: unknown): void {
  const { refusal, waitMs } =
    error instanceof HandshakeRefused ? error : new HandshakeRefused('unavailable', RETRY_AFTER_MS)
  const { upgrade, version, address } = handshake
  metrics.handshakes.inc({ outcome: refusal })
  const about = { cpid: handshake.cpid.slice(0, CPID_LENGTH_MAX), address, version, refusal }
  if (error instanceof HandshakeRefused) log.info(about, 'a charging station was not let in')
  else log.warn({ ...about, reason: (error as Error).message }, 'a charging station could not be let in')
  upgrade.refuse(STATUS[refusal], {
    ...(STATUS[refusal] === 401 && CHALLENGE),
    ...(waitMs > 0 && { 'Retry-After': String(Math.ceil(waitMs / 1000)) }),
  })
}

/** Accepts the upgrade; the socket stays paused until the other processes can see the new connection. */
function makeAccept({ deps, metrics, onStation }: HandshakeOptions) {
  const { database, clock, log } = deps
  const db = systemDb(database.kysely)
  const note = makeCoalescer((made: Parameters<typeof recordConnections>[1]) => recordConnections(db, made))

  return async (
    { upgrade, version, cpid, address }: Handshake,
    { charger, profile }: Authenticated,
  ): Promise<void> => {
    const socket = upgrade.accept()?.socket
    if (!socket) return
    if (socket.protocol === '') {
      metrics.handshakes.inc({ outcome: 'no_subprotocol' })
      const offered = upgrade.request.headers['sec-websocket-protocol']?.slice(0, 200)
      log.warn({ cpid, version, offered }, 'a charging station offers no protocol of this path')
      return socket.close(...NO_SUBPROTOCOL)
    }
    socket.pause()
    const { tenantId, chargerId } = charger
    const identity = { tenantId, chargerId, cpid, version, connectionId: randomUUID(), address }
    try {
      await note([{ ...identity, securityProfile: profile, at: new Date(clock.now()) }])
      metrics.handshakes.inc({ outcome: 'accepted' })
      onStation(identity, socket)
      socket.resume()
    } catch (error) {
      log.warn({ cpid, reason: (error as Error).message }, 'a charging station could not be let in')
      socket.resume()
      socket.close(...TRY_AGAIN_LATER)
    }
  }
}
