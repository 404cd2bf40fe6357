import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, found, unprocessable } from '../../../kernel/errors.ts'
import { SHORT_ID, shortIdOf, tenantOfShortId } from '../../../platform/auth/short-id.ts'
import { searchTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { systemDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { GATEWAY_TEXTS } from '../messages.ts'
import * as store from './credential-store.ts'
import { GATEWAYS_DISCONNECTED_AT_ONCE, MQTT_KEY_BYTES, MQTT_SECRET_BYTES } from './limits.ts'

/**
 * Format `<short id of the tenant>.<key id>.<random>`: the first two find the row, only the gateway knows the rest.
 * Secrets of before ADR 0121 lack the short id.
 */
const SECRET = new RegExp(`^(?:(${SHORT_ID})\\.)?([\\w-]{12})\\.[\\w-]{32}$`)

const hashOf = (salt: Buffer, secret: string): Buffer => createHmac('sha256', salt).update(secret).digest()

export interface IssuedCredential {
  readonly gateway_id: string
  readonly username: string
  /** Returned only in this response. */
  readonly password: string
  readonly topic_root: string
  readonly created_at: Date
}

/** The port of the broker's TLS listener, if it has one whose number the settings name. */
export const tlsPortOf = ({
  mqttUrl,
  mqttTls,
}: Pick<Config, 'mqttUrl' | 'mqttTls'>): { tls_port?: number } =>
  mqttUrl === undefined && mqttTls !== undefined && mqttTls.port !== 0 ? { tls_port: mqttTls.port } : {}

/** Issues a credential, which replaces the gateway's previous one. */
export async function issueCredential(tx: TenantTx, gatewayId: string, now: Date): Promise<IssuedCredential> {
  const gateway = found('gateway', await store.lockGateway(tx, gatewayId))
  if (gateway.gateway_type === 'modbus') {
    throw unprocessable('BUSINESS_RULE_VIOLATION', GATEWAY_TEXTS.GATEWAY_MODBUS_LOGIN())
  }
  const keyId = randomBytes(MQTT_KEY_BYTES).toString('base64url')
  const password = `${shortIdOf(tx.tenantId)}.${keyId}.${randomBytes(MQTT_SECRET_BYTES).toString('base64url')}`
  const salt = randomBytes(16)
  await store.replaceCredential(tx, gatewayId, { keyId, salt, secretHash: hashOf(salt, password) }, now)
  return {
    gateway_id: gatewayId,
    username: gatewayId,
    password,
    topic_root: `ems/v1/${gateway.tenant_uid}/${gatewayId}/`,
    created_at: now,
  }
}

/** Idempotent. 404 for an unknown gateway. */
export async function revokeCredential(tx: TenantTx, gatewayId: string): Promise<void> {
  found('gateway', await store.lockGateway(tx, gatewayId))
  await store.removeCredential(tx, gatewayId)
}

export interface GatewayLogin {
  readonly username: string | undefined
  readonly password: string | undefined
  /** The names in the trusted certificate of the client; empty without one. */
  readonly certificateNames: readonly string[]
}

const UNKNOWN_CREDENTIAL = { salt: randomBytes(16), hash: randomBytes(32) }
const GATEWAY_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

interface CredentialRow {
  readonly tenant_id: number
  readonly tenant_uid: string
  readonly gateway_id: string
  readonly client_id: string | null
  readonly gateway_type: string
}

/**
 * Finds the gateway of a login, undefined for every invalid one. The user name is the gateway's id or client_id.
 * A certificate that names a gateway suffices without a password; with a password both must belong to the same
 * gateway. A certificate that names no gateway proves nothing here.
 */
export async function verifyLogin(database: Database, login: GatewayLogin) {
  const { username, password } = login
  const certified = gatewayIdsOf(login.certificateNames)
  // Clients that send only a user name (ThingsBoard's) send the secret as the name.
  const secret = password || username || ''
  const isByCertificate = certified.length > 0 && !password && !SECRET.test(secret)
  const row = isByCertificate
    ? await findByCertificate(database, certified, username)
    : await findBySecret(database, secret)
  if (!row || (certified.length > 0 && !certified.includes(row.gateway_id))) return undefined
  const isNamed = isByCertificate ? Boolean(username) : Boolean(password)
  if (isNamed && !isNameOf(row, username)) return undefined
  const isReader = row.gateway_type === 'home_assistant'
  return {
    tenantId: row.tenant_id,
    tenantUid: row.tenant_uid,
    gatewayId: row.gateway_id,
    ...(isReader && { isReader }),
  }
}

const gatewayIdsOf = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.toLowerCase()).filter((name) => GATEWAY_ID.test(name))),
]

const isNameOf = ({ gateway_id, client_id }: CredentialRow, username: string | undefined): boolean =>
  username === gateway_id || (Boolean(client_id) && username === client_id)

async function readCredential({ kysely, pool }: Database, secret: string) {
  const [, shortId, keyId] = SECRET.exec(secret) ?? []
  if (keyId === undefined) return undefined
  const tenantId =
    shortId === undefined ? await searchTokenTenant(pool, store.KEY_IDS, keyId) : tenantOfShortId(shortId)
  return tenantId === undefined ? undefined : store.findCredential(tenantDb(kysely, tenantId), keyId)
}

async function findBySecret(database: Database, secret: string): Promise<CredentialRow | undefined> {
  const row = await readCredential(database, secret)
  const isCorrect = timingSafeEqual(
    hashOf(row?.salt ?? UNKNOWN_CREDENTIAL.salt, secret),
    row?.secret_hash ?? UNKNOWN_CREDENTIAL.hash,
  )
  return isCorrect ? row : undefined
}

/** Of a certificate with the ids of several gateways the user name selects one. */
async function findByCertificate(
  { kysely }: Database,
  certified: readonly string[],
  username: string | undefined,
): Promise<CredentialRow | undefined> {
  const [first] = certified
  const gatewayId = certified.length === 1 ? first : certified.find((id) => id === username)
  if (gatewayId === undefined) return undefined
  const [tenantId, another] = await store.findTenantsOfGateway(systemDb(kysely), gatewayId)
  // The same id in two tenants identifies neither of them.
  if (tenantId === undefined || another !== undefined) return undefined
  return store.findCredentialOfGateway(tenantDb(kysely, tenantId), gatewayId)
}

/** An outside broker has its own users, so a credential issued here would be useless. 409 then. */
export function refuseWithOutsideBroker(mqttUrl: string | undefined): void {
  if (mqttUrl === undefined) return
  throw new AppError(409, 'STATE_CONFLICT', GATEWAY_TEXTS.GATEWAY_BROKER_OWN_USERS())
}

/** Closes the sessions of all gateways of a tenant, which is no longer active: its logins are refused. */
export async function disconnectGateways(
  { bus, database }: Pick<Deps, 'bus' | 'database'>,
  tenantId: number,
): Promise<void> {
  let after: string | undefined
  do {
    const page = await store.listGatewaysWithLogin(tenantDb(database.kysely, tenantId), {
      after,
      limit: GATEWAYS_DISCONNECTED_AT_ONCE,
    })
    for (const gatewayId of page) bus.emit('gateway_login_changed', { gatewayId })
    after = page.length < GATEWAYS_DISCONNECTED_AT_ONCE ? undefined : page.at(-1)
  } while (after !== undefined)
}
