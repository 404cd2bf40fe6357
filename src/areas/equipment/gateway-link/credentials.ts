import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, found, unprocessable } from '../../../kernel/errors.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { systemDb, type TenantTx } from '../../../platform/db/tenant.ts'
import * as store from './credential-store.ts'
import { MQTT_KEY_BYTES, MQTT_SECRET_BYTES } from './limits.ts'

/** Format `<key id>.<random>`: the key id finds the row, only the gateway knows the rest. */
const SECRET = /^([\w-]{12})\.([\w-]{32})$/

const hashOf = (salt: Buffer, secret: string): Buffer => createHmac('sha256', salt).update(secret).digest()

export interface IssuedCredential {
  readonly gateway_id: string
  readonly username: string
  /** Returned only in this response. */
  readonly password: string
  readonly topic_root: string
  readonly created_at: Date
}

/** Issues a credential, which replaces the gateway's previous one. */
export async function issueCredential(tx: TenantTx, gatewayId: string, now: Date): Promise<IssuedCredential> {
  const gateway = found('gateway', await store.lockGateway(tx, gatewayId))
  if (gateway.gateway_type === 'modbus') {
    throw unprocessable('BUSINESS_RULE_VIOLATION', 'a Modbus gateway does not log in at a message broker')
  }
  const keyId = randomBytes(MQTT_KEY_BYTES).toString('base64url')
  const password = `${keyId}.${randomBytes(MQTT_SECRET_BYTES).toString('base64url')}`
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
}

const UNKNOWN_CREDENTIAL = { salt: randomBytes(16), hash: randomBytes(32) }

/**
 * Finds the gateway of a login, undefined for every invalid one. The user name is the gateway's id or
 * client_id. Clients that send only a user name (ThingsBoard's) send the secret as the name.
 */
export async function verifyLogin({ kysely }: Database, { username, password }: GatewayLogin) {
  const secret = password || username || ''
  const keyId = SECRET.exec(secret)?.[1]
  const row = keyId === undefined ? undefined : await store.findCredential(systemDb(kysely), keyId)
  const isCorrect = timingSafeEqual(
    hashOf(row?.salt ?? UNKNOWN_CREDENTIAL.salt, secret),
    row?.secret_hash ?? UNKNOWN_CREDENTIAL.hash,
  )
  if (!row || !isCorrect) return undefined
  const hasValidName =
    !password || username === row.gateway_id || (row.client_id && username === row.client_id)
  if (!hasValidName) return undefined
  return { tenantId: row.tenant_id, tenantUid: row.tenant_uid, gatewayId: row.gateway_id }
}

/** An outside broker has its own users, so a credential issued here would be useless. 409 then. */
export function refuseWithOutsideBroker(mqttUrl: string | undefined): void {
  if (mqttUrl === undefined) return
  throw new AppError(
    409,
    'STATE_CONFLICT',
    'gateways log in at the broker of MQTT_URL, which keeps its own users',
  )
}
