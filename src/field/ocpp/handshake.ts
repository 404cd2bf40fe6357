import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { noteConnections } from '../../areas/charging/index.ts'
import { CPID_LENGTH_MAX } from '../../kernel/limits.ts'
import type { OcppVersion } from '../../kernel/ocpp.ts'
import { makeGather } from '../../platform/async/coalesce.ts'
import { systemDb } from '../../platform/db/tenant.ts'
import { clientOf } from '../../platform/http/client-of.ts'
import { parseNetworks } from '../../platform/http/networks.ts'
import type { RateStore } from '../../platform/http/rate-store.ts'
import type { Upgrade } from '../../platform/http/ws.ts'
import { type Authenticated, BUSY_MS, makeAuthenticate, type Refusal, Refused } from './authenticate.ts'
import { makeAttempts } from './logins.ts'
import type { OcppMetrics } from './metrics.ts'
import type { StationIdentity } from './station.ts'
import type { OcppDeps } from './types.ts'

const STATUS: Readonly<Record<Refusal, number>> = {
  wrong_login: 401,
  too_many: 429,
  needs_tls: 403,
  unavailable: 503,
}
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="ocpp", charset="UTF-8"' }
const COME_AGAIN = [1013, 'try again later'] as const
const NO_SUBPROTOCOL = [1002, 'no subprotocol that is spoken here'] as const

/** A handshake, and whose it says it is. */
interface Knock {
  readonly upgrade: Upgrade
  readonly version: OcppVersion
  readonly cpid: string
  readonly address: string
}

export interface DoorOrder {
  readonly deps: OcppDeps
  readonly rates: RateStore
  readonly metrics: OcppMetrics
  readonly onStation: (identity: StationIdentity, socket: WebSocket) => void
}

/** Of the path; a text that is no encoding is taken as it is, and nobody's. */
function decodeCpid(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Lets stations in, or says why not; answers how a handshake of a version is handled. */
export function makeDoor(order: DoorOrder): (version: OcppVersion) => (upgrade: Upgrade) => Promise<void> {
  const { config } = order.deps
  const trusted = parseNetworks(config.trustedProxies)
  const decide = makeDecide(order)
  const admit = makeAdmit(order)
  return (version) => async (upgrade) => {
    const cpid = decodeCpid(upgrade.params['cpid'] ?? '')
    const client = clientOf(upgrade.request, trusted)
    const knock: Knock = { upgrade, version, cpid, address: client.address }
    let decided: Authenticated
    try {
      decided = await decide(knock, client.isSecure)
    } catch (error) {
      return refuse(order, knock, error)
    }
    await admit(knock, decided)
  }
}

function makeDecide({ deps, rates }: DoorOrder) {
  const { config, clock } = deps
  const attempts = makeAttempts({ rates, limits: config.rateLimits, clock })
  const authenticate = makeAuthenticate(deps)

  return async ({ upgrade, cpid, address }: Knock, isSecure: boolean): Promise<Authenticated> => {
    const caller = { cpid, address }
    const waitMs = await attempts.wait(caller)
    if (waitMs > 0) throw new Refused('too_many', waitMs)
    const deciding = attempts.check(caller, () => authenticate(upgrade.request, cpid, { address, isSecure }))
    if (!deciding) throw new Refused('too_many', BUSY_MS)
    try {
      const decided = await deciding
      attempts.succeeded(caller)
      return decided
    } catch (error) {
      if (error instanceof Refused && error.refusal === 'wrong_login') await attempts.failed(caller)
      throw error
    }
  }
}

function refuse({ deps: { log }, metrics }: DoorOrder, knock: Knock, error: unknown): void {
  const { refusal, waitMs } = error instanceof Refused ? error : new Refused('unavailable', BUSY_MS)
  const { upgrade, version, address } = knock
  metrics.handshakes.inc({ outcome: refusal })
  const about = { cpid: knock.cpid.slice(0, CPID_LENGTH_MAX), address, version, refusal }
  if (error instanceof Refused) log.info(about, 'a charging station was not let in')
  else log.warn({ ...about, reason: (error as Error).message }, 'a charging station could not be let in')
  upgrade.refuse(STATUS[refusal], {
    ...(refusal === 'wrong_login' && CHALLENGE),
    ...(waitMs > 0 && { 'Retry-After': String(Math.ceil(waitMs / 1000)) }),
  })
}

/** Nothing of a station is read before the other processes can know that it has come here. */
function makeAdmit({ deps, metrics, onStation }: DoorOrder) {
  const { database, clock, log } = deps
  const db = systemDb(database.kysely)
  const note = makeGather((made: Parameters<typeof noteConnections>[1]) => noteConnections(db, made))

  return async (
    { upgrade, version, cpid, address }: Knock,
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
      socket.close(...COME_AGAIN)
    }
  }
}
