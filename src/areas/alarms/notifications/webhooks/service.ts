import { randomUUID } from 'node:crypto'
import { conflict, found } from '../../../../kernel/errors.ts'
import { makeSealer } from '../../../../platform/auth/sealer.ts'
import { changes } from '../../../../platform/db/columns.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import type { Principal } from '../../../../platform/http/app-type.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { ALARM_TEXTS } from '../../messages.ts'
import { tenantUid } from '../delivery/delivery-store.ts'
import { callSigned } from '../delivery/send.ts'
import { WEBHOOKS_MAX } from '../limits.ts'
import { secretContext } from '../receivers/secrets.ts'
import { resultOfTest, withDeliveryState } from '../receivers/service.ts'
import * as receivers from '../receivers/store.ts'
import { checkUrl } from './check-url.ts'
import type { CreateWebhook, UpdateWebhook, WebhookQuery } from './schema.ts'
import { newSecret } from './secrets.ts'
import * as webhooks from './store.ts'

const RESOURCE = 'webhook'
const WRITABLE = ['name', 'url', 'min_severity', 'is_active'] as const

type Configured = Pick<Deps, 'config' | 'clock' | 'ownEndpoints'>

/** Builds responses without the secret and with the delivery state. */
const toResponses = (db: TenantDb, rows: readonly webhooks.WebhookRow[]) =>
  withDeliveryState(
    db,
    'webhook',
    rows.map(({ secret_sealed: _sealed, ...webhook }) => webhook),
  )

/**
 * Hides the path and query of the address from users who may not change webhooks, because for many receivers
 * they contain the credential.
 */
export function redactUrl<W extends { readonly url: string }>(
  { permissions }: Pick<Principal, 'permissions'>,
  webhook: W,
): W {
  if (permissions.has('manage:alarm')) return webhook
  const { origin, pathname, search, hash } = new URL(webhook.url)
  return pathname + search + hash === '/' ? webhook : { ...webhook, url: `${origin}/********` }
}

export async function listWebhooks(db: TenantDb, query: WebhookQuery) {
  const { items, ...page } = await webhooks.listWebhooks(db, query)
  return { items: await toResponses(db, items), ...page }
}

async function toResponse(db: TenantDb, row: webhooks.WebhookRow) {
  const [one] = await toResponses(db, [row])
  return found(RESOURCE, one)
}

const foundWebhook = async (db: TenantDb, id: string) => found(RESOURCE, await webhooks.findWebhook(db, id))

export const getWebhook = async (db: TenantDb, id: string) => toResponse(db, await foundWebhook(db, id))

interface Creation {
  readonly body: CreateWebhook
  readonly userId: string
}

/**
 * Creates a webhook. Only this response contains the secret. Throws 503 encryption_not_configured when there
 * is no key to seal it.
 */
export async function createWebhook(deps: Configured, tx: TenantTx, { body, userId }: Creation) {
  const url = checkUrl(body.url, deps)
  const id = randomUUID()
  const secret = newSecret()
  const secret_sealed = makeSealer(deps.config.credentialEncryptionKey).seal(
    secret,
    secretContext({ kind: 'webhook', id }),
  )
  if ((await receivers.lockAndCount(tx, 'webhook')) >= WEBHOOKS_MAX)
    throw conflict('STATE_CONFLICT', ALARM_TEXTS.WEBHOOK_LIMIT_REACHED({ max: WEBHOOKS_MAX }))
  const at = new Date(deps.clock.now())
  const row = await webhooks.insertWebhook(tx, {
    ...{ id, name: body.name, url, secret_sealed, created_by: userId, created_at: at, updated_at: at },
    min_severity: body.min_severity ?? 'info',
    is_active: body.is_active ?? true,
  })
  return { ...(await toResponse(tx, row)), secret }
}

/**
 * Updates a webhook. After it is enabled or its address is changed, pending events are delivered without
 * delay.
 */
export async function updateWebhook(
  deps: Configured,
  tx: TenantTx,
  change: { id: string; body: UpdateWebhook },
) {
  const { id, body } = change
  const set = changes(body, WRITABLE)
  if (!set) return getWebhook(tx, id)
  const at = new Date(deps.clock.now())
  const row = found(
    RESOURCE,
    await webhooks.updateWebhook(tx, id, {
      ...set,
      ...(set.url !== undefined && { url: checkUrl(set.url, deps) }),
      ...(set.is_active && { disabled_at: null }),
      updated_at: at,
    }),
  )
  if (set.is_active || set.url !== undefined) await receivers.resetRetries(tx, { kind: 'webhook', id }, at)
  return toResponse(tx, row)
}

/** Replaces the secret; the previous one becomes invalid at once. */
export async function renewSecret(deps: Configured, tx: TenantTx, id: string) {
  const { config, clock } = deps
  await foundWebhook(tx, id)
  const secret = newSecret()
  const secret_sealed = makeSealer(config.credentialEncryptionKey).seal(
    secret,
    secretContext({ kind: 'webhook', id }),
  )
  const set = { secret_sealed, updated_at: new Date(clock.now()) }
  const row = found(RESOURCE, await webhooks.updateWebhook(tx, id, set))
  return { ...(await toResponse(tx, row)), secret }
}

export async function removeWebhook(tx: TenantTx, id: string): Promise<void> {
  found(RESOURCE, await receivers.remove(tx, { kind: 'webhook', id }))
}

/** Sends one signed delivery of type `test` and changes nothing. */
export async function testWebhook(deps: Configured, db: TenantDb, id: string) {
  const webhook = await foundWebhook(db, id)
  const data = { tenant_id: await tenantUid(db), message: 'a test of Netsaat' }
  const message = { id: randomUUID(), at: deps.clock.now(), type: 'test', data } as const
  return resultOfTest(() => callSigned(deps, webhook, message))
}
