import type { IncomingMessage } from 'node:http'
import {
  type ChargerCredentials,
  confirmPassword,
  findChargersByCpid,
  isCertificateOfCharger,
  matchPassword,
  recordProfileRefusal,
  renewPasswordHash,
} from '../../areas/charging/stations.ts'
import { AppError } from '../../kernel/errors.ts'
import { CPID_LENGTH_MAX } from '../../kernel/limits.ts'
import { makeCoalescer } from '../../platform/async/coalesce.ts'
import { shareOfStation } from '../../platform/auth/hash-shares.ts'
import { systemDb, tenantDb } from '../../platform/db/tenant.ts'
import type { Client } from '../../platform/http/client-of.ts'
import { addressKey } from '../../platform/http/networks.ts'
import { clientCertificateOf } from '../../platform/tls/client-certificate.ts'
import { makeLoginCache } from './logins.ts'
import type { OcppDeps } from './types.ts'

/** Why a handshake is refused; also the label of its metric. */
export type Refusal =
  | 'no_login'
  | 'wrong_login'
  | 'too_many'
  | 'needs_tls'
  | 'needs_certificate'
  | 'unavailable'

export class HandshakeRefused extends Error {
  readonly refusal: Refusal
  readonly waitMs: number
  constructor(refusal: Refusal, waitMs = 0) {
    super(refusal)
    this.refusal = refusal
    this.waitMs = waitMs
  }
}
export const RETRY_AFTER_MS = 5_000

/** The security profile: 1 a password, 2 a password over TLS, 3 a client certificate. */
type Profile = 1 | 2 | 3

export interface Authenticated {
  readonly charger: ChargerCredentials
  readonly profile: Profile
}

/** A cpid that no charger can have is not looked up, since lookups are shared with other stations. */
const CPID = new RegExp(`^[!-~]{1,${CPID_LENGTH_MAX}}$`)
const BASIC = /^ *basic +([a-z0-9+/_-]+=*) *$/i

/**
 * The password of the Basic credentials as bytes: everything after the cpid, which may contain colons itself.
 */
function passwordOf(authorization: string | undefined, cpid: string): Buffer | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64')
  const user = Buffer.from(`${cpid}:`)
  return credentials.subarray(0, user.length).equals(user) ? credentials.subarray(user.length) : undefined
}

/**
 * Makes the function that finds the charger of a handshake and its security profile (OCPP security white
 * paper; OCPP 2.0.1 part 2, A). It throws HandshakeRefused. Unknown identities, wrong passwords and chargers
 * without one are refused alike, after the same work; a handshake without a password costs none. A station is
 * never accepted with less than the profile that it once had.
 */
export function makeAuthenticate(deps: OcppDeps) {
  const { database, clock } = deps
  const logins = makeLoginCache(clock)
  const db = systemDb(database.kysely)
  // After an outage all stations reconnect at once: simultaneous lookups are coalesced into one statement.
  const find = makeCoalescer((cpids: readonly string[]) => findChargersByCpid(db, cpids))

  /** Too many hashes wait: the station tries again later. */
  const match = (...input: Parameters<typeof matchPassword>) =>
    matchPassword(...input).catch((error: unknown) => {
      throw error instanceof AppError ? new HandshakeRefused('unavailable', RETRY_AFTER_MS) : error
    })

  async function isPasswordValid(
    sent: Buffer,
    charger: ChargerCredentials | undefined,
    address: string,
  ): Promise<boolean> {
    if (charger && logins.has(charger.passwordHash, sent)) return true
    const share = shareOfStation(addressKey(address))
    const matched = await match(deps, { sent, charger, share })
    if (!charger || !matched) return false
    const { which, renewed } = matched
    const stored = which === 'next' ? charger.nextPasswordHash : charger.passwordHash
    logins.add(renewed ?? stored, sent)
    const { tenantId, chargerId } = charger
    const tenant = tenantDb(database.kysely, tenantId)
    // A login with the new password confirms that the station has adopted it.
    if (which === 'next')
      await confirmPassword(tenant, chargerId, new Date(clock.now()), charger.nextPasswordHash)
    if (renewed !== undefined && stored !== null)
      await renewPasswordHash(tenant, chargerId, { from: stored, to: renewed })
    return true
  }

  return async (
    { socket, headers }: IncomingMessage,
    cpid: string,
    { address, isSecure }: Client,
  ): Promise<Authenticated> => {
    if (headers.authorization === undefined && !clientCertificateOf(socket))
      throw new HandshakeRefused('no_login')
    const password = passwordOf(headers.authorization, cpid)
    const charger = CPID.test(cpid) ? (await find([cpid])).get(cpid) : undefined
    const profile = charger?.securityProfile ?? 0
    const certificate = profile === 3 || password === undefined ? clientCertificateOf(socket) : undefined
    if (
      charger &&
      certificate?.names.includes(cpid) &&
      (await isCertificateOfCharger({ database }, charger, certificate.raw))
    ) {
      return { charger, profile: 3 }
    }
    if (password === undefined) throw new HandshakeRefused('wrong_login')
    const isValid = await isPasswordValid(password, charger, address)
    if (!charger || !isValid) throw new HandshakeRefused('wrong_login')
    if (profile === 3 || (profile === 2 && !isSecure)) {
      await recordProfileRefusal({ database, clock }, charger)
      throw new HandshakeRefused(profile === 3 ? 'needs_certificate' : 'needs_tls')
    }
    return { charger, profile: isSecure ? 2 : 1 }
  }
}
