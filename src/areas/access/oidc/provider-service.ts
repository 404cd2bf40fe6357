import { AppError, found, invalidReference } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import { OIDC_FAILURES } from '../../../kernel/oidc-failures.ts'
import { PERMISSIONS } from '../../../kernel/permissions.ts'
import { makeSealer } from '../../../platform/auth/sealer.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { literalAddress, makeAddressPolicy } from '../../../platform/net/address-policy.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { assertNotStronger, findRolePermissions } from '../roles/index.ts'
import type { OidcClients } from './client.ts'
import { OIDC_TEXTS } from './messages.ts'
import { callbackUrl } from './return-url.ts'
import type { PutOidcProvider } from './schema.ts'
import { secretContext } from './secrets.ts'
import * as store from './store.ts'

const RESOURCE = 'provider'
const DEFAULT_SCOPES = ['openid', 'email']

/**
 * Who configures the provider decides who signs in as whom, so only a full administrator may do it, as for the
 * rules of logins.
 */
const assertFullAdmin = (principal: Principal) => assertNotStronger(principal, 'the role admin', PERMISSIONS)

function toResponse(config: Config, row: store.ProviderRow) {
  const { tenant_id: _tenant, client_secret_sealed: _sealed, ...provider } = row
  return { ...provider, redirect_uri: config.publicBaseUrl === undefined ? null : callbackUrl(config) }
}

export const getProvider = async ({ config }: Deps, db: TenantDb) =>
  toResponse(config, found(RESOURCE, await store.find(db)))

/** Checks an issuer; 422 when it cannot be called. A host name is resolved and checked only at the call. */
function checkIssuer({ webhookAllowedNetworks: allowedNetworks }: Config, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const literal = url && literalAddress(url.hostname)
  const isPublicPermitted = url?.protocol === 'https:'
  const isValid =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '' &&
    (literal === undefined || makeAddressPolicy({ allowedNetworks, isPublicPermitted }).permits(literal))
  if (!isValid) throw invalidInput(['body', 'issuer'], OIDC_TEXTS.OIDC_ISSUER_NOT_VALID())
  return text
}

/** A stored secret is sent only to the issuer for which it was entered. */
function sealedSecret(
  { config }: Deps,
  { tenantId }: TenantTx,
  { body, before }: { readonly body: PutOidcProvider; readonly before: store.ProviderRow | undefined },
): string {
  if (body.client_secret !== undefined)
    return makeSealer(config.credentialEncryptionKey).seal(body.client_secret, secretContext(tenantId))
  if (before?.issuer === body.issuer && before.client_id === body.client_id)
    return before.client_secret_sealed
  throw invalidInput(['body', 'client_secret'], OIDC_TEXTS.OIDC_SECRET_MISSING())
}

async function checkRole(tx: TenantTx, { creates_users, role_id }: PutOidcProvider): Promise<string | null> {
  if (role_id === undefined || role_id === null) {
    if (creates_users) throw invalidInput(['body', 'role_id'], OIDC_TEXTS.OIDC_ROLE_MISSING())
    return null
  }
  if ((await findRolePermissions(tx, [role_id])).length === 0) throw invalidReference('role_id')
  return role_id
}

/** Creates or replaces the provider. Omitted fields get their defaults; an omitted secret is unchanged. */
export async function putProvider(
  deps: Deps,
  tx: TenantTx,
  { principal, body }: { readonly principal: Principal; readonly body: PutOidcProvider },
) {
  assertFullAdmin(principal)
  const issuer = checkIssuer(deps.config, body.issuer)
  const before = await store.lock(tx)
  const at = new Date(deps.clock.now())
  const row = await store.put(tx, {
    ...{ issuer, client_id: body.client_id, client_secret_sealed: sealedSecret(deps, tx, { body, before }) },
    scopes: [...new Set(['openid', ...(body.scopes ?? DEFAULT_SCOPES)])],
    allowed_domains: [...new Set(body.allowed_domains.map((domain) => domain.toLowerCase()))],
    creates_users: body.creates_users ?? false,
    role_id: await checkRole(tx, body),
    is_enabled: body.is_enabled ?? true,
    allows_password: body.allows_password ?? true,
    ...{ created_at: before?.created_at ?? at, updated_at: at },
  })
  return toResponse(deps.config, row)
}

export async function removeProvider(tx: TenantTx, principal: Principal): Promise<void> {
  assertFullAdmin(principal)
  found(RESOURCE, await store.remove(tx))
}

/** The result of fetching the discovery document and the keys of the stored provider. */
export async function testProvider(
  clients: OidcClients,
  db: TenantDb,
  principal: Principal,
): Promise<{ readonly ok: boolean; readonly content: Message }> {
  assertFullAdmin(principal)
  const provider = found(RESOURCE, await store.find(db))
  try {
    await clients.probe(provider)
    return { ok: true, content: OIDC_TEXTS.OIDC_PROVIDER_WORKS() }
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code in OIDC_FAILURES)) throw error
    return { ok: false, content: error.content }
  }
}
