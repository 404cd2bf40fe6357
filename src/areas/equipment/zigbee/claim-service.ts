import { AppError, conflict, invalidReference } from '../../../kernel/errors.ts'
import { searchTokenTenant } from '../../../platform/auth/token-tenant-store.ts'
import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { issueCredential, tlsPortOf } from '../gateway-link/index.ts'
import { GATEWAY_NAME_MAX_LENGTH } from '../limits.ts'
import { GATEWAY_TEXTS } from '../messages.ts'
import { codeEnding, generateCode, hashCode, maskCode, tenantOfCode } from './claim-code.ts'
import { type ClaimStatus, claimStatus, nextClaimStatus } from './claim-states.ts'
import * as claims from './claim-store.ts'
import * as gateways from './gateway-store.ts'
import { ZIGBEE_CLAIM_RETENTION_MS, ZIGBEE_CLAIM_TTL_MINUTES, ZIGBEE_CLAIMS_PENDING_MAX } from './limits.ts'
import type { ClaimQuery, GenerateClaim, RedeemClaim } from './schema.ts'

const MINUTE_MS = 60_000

type ClaimRow = Awaited<ReturnType<typeof claims.insert>>
const toResponse = ({ code_ending, ...claim }: ClaimRow, code = maskCode(code_ending)) => ({
  ...claim,
  code,
  status: 'pending' satisfies ClaimStatus,
})

interface Caller {
  readonly deps: Deps
  readonly principal: Principal
}

/**
 * Creates a claim. Only this response contains the whole code. 409 for a taken name and for too many pending
 * claims.
 */
export async function generateClaim(tx: TenantTx, body: GenerateClaim, { deps, principal }: Caller) {
  const { gateway_name, subregion_id = null, expires_in_minutes = ZIGBEE_CLAIM_TTL_MINUTES } = body
  const now = deps.clock.now()
  await claims.lockClaims(tx)
  await claims.deleteExpired(tx, new Date(now - ZIGBEE_CLAIM_RETENTION_MS))
  if (subregion_id !== null && !(await claims.subregionExists(tx, subregion_id))) {
    throw invalidReference('subregion_id')
  }
  if (await gateways.isNameTaken(tx, gateway_name)) {
    throw conflict('DUPLICATE_ENTRY', GATEWAY_TEXTS.GATEWAY_NAME_EXISTS())
  }
  if ((await claims.countPending(tx, new Date(now))) >= ZIGBEE_CLAIMS_PENDING_MAX) {
    throw conflict('STATE_CONFLICT', GATEWAY_TEXTS.CLAIM_LIMIT_REACHED({ max: ZIGBEE_CLAIMS_PENDING_MAX }))
  }
  const code = generateCode(tx.tenantId)
  const claim = await claims.insert(tx, {
    code_hash: hashCode(deps.config.secretKey, code),
    code_ending: codeEnding(code),
    gateway_name,
    subregion_id,
    created_by: principal.id,
    created_at: new Date(now),
    expires_at: new Date(now + expires_in_minutes * MINUTE_MS),
  })
  return toResponse(claim, code)
}

export async function listPendingClaims(
  tx: Parameters<typeof claims.listPending>[0],
  query: ClaimQuery,
  now: Date,
) {
  const page = await claims.listPending(tx, query, now)
  return { ...page, items: page.items.map((claim) => toResponse(claim)) }
}

const invalidCode = () => new AppError(400, 'INVALID_CLAIM_CODE', GATEWAY_TEXTS.CLAIM_CODE_NOT_VALID())

/** Shortens a name to leave `room` characters. Counts code points, as the schema does. */
const truncateName = (name: string, room: number): string =>
  [...name]
    .slice(0, GATEWAY_NAME_MAX_LENGTH - room)
    .join('')
    .trimEnd()

/**
 * Appends the end of the code when the name was taken meanwhile; drops a subregion that was deleted
 * meanwhile.
 */
async function createGateway(tx: TenantTx, { gateway_name, subregion_id, code_ending }: claims.LockedClaim) {
  const isTaken = await gateways.isNameTaken(tx, gateway_name)
  const name = isTaken ? `${truncateName(gateway_name, code_ending.length + 1)} ${code_ending}` : gateway_name
  const subregionExists = subregion_id !== null && (await claims.subregionExists(tx, subregion_id))
  return gateways.create(tx, { name, subregion_id: subregionExists ? subregion_id : null })
}

/**
 * Redeems a claim once: creates the gateway and its login. The same 400 for every invalid code, whatever the
 * reason.
 */
export async function redeemClaim(deps: Deps, { code, ieee_address }: RedeemClaim) {
  const { clock, config, database, bus } = deps
  const now = new Date(clock.now())
  const codeHash = hashCode(config.secretKey, code)
  const tenantId = tenantOfCode(code) ?? (await searchTokenTenant(database.pool, claims.CODES, codeHash))
  if (tenantId === undefined) throw invalidCode()
  const redeemed = await inTenantTx(database.kysely, tenantId, async (tx) => {
    const claim = await claims.lockByCode(tx, codeHash)
    if (!claim || nextClaimStatus('redeem', claimStatus(claim, now)) !== 'claimed') throw invalidCode()
    const known = ieee_address ? await gateways.findByAddress(tx, ieee_address) : undefined
    const gateway = known ?? (await createGateway(tx, claim))
    await gateways.upsertDetails(
      tx,
      gateway.id,
      ieee_address ? { ieee_address: ieee_address.toLowerCase() } : {},
    )
    await claims.markClaimed(tx, claim.id, { claimed_at: now, gateway_id: gateway.id })
    const login = await issueCredential(tx, gateway.id, now)
    return { gateway, login }
  })
  const { gateway, login } = redeemed
  bus.emit('gateway_login_changed', { gatewayId: gateway.id })
  return {
    gateway_id: gateway.id,
    gateway_name: gateway.name,
    mqtt: {
      username: login.username,
      // An outside broker does not know this password.
      password: config.mqttUrl === undefined ? login.password : null,
      topic_root: login.topic_root,
      base_topic: 'zigbee2mqtt',
      ...tlsPortOf(config),
    },
  }
}
