import { iso } from '../../../../kernel/time.ts'
import { withTimeout } from '../../../../platform/async/with-timeout.ts'
import { makeSealer } from '../../../../platform/auth/sealer.ts'
import { tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { channelTexts, isRefusedForGood, sendToChannel } from '../channels/send.ts'
import type { ChannelRow } from '../channels/store.ts'
import { CHANNEL_LINES_MAX, MAIL_LINES_MAX, SENDING_TIMEOUT_MS, WEBHOOK_EVENTS_MAX } from '../limits.ts'
import { DELIVERY_TEXTS } from '../messages.ts'
import { secretContext } from '../receivers/secrets.ts'
import { callWebhook, WebhookError, webhookGuard } from '../webhooks/call.ts'
import { signedHeaders } from '../webhooks/secrets.ts'
import type { WebhookRow } from '../webhooks/store.ts'
import type { Batch, DeliveryResult } from './batches.ts'
import { DeliveryError, reasonOf } from './delivery-error.ts'
import * as delivery from './delivery-store.ts'
import { digestMail } from './mails.ts'
import type { Recipient } from './outbox-store.ts'

type SendDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'mail' | 'ownEndpoints'>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** WEBHOOK_TIMEOUT_MS when absent. */
  readonly timeoutMs?: number | undefined
}

/** Sends a batch once. A failure is returned as a result and not thrown. */
export async function sendBatch(deps: SendDeps, batch: Batch, options: CallOptions): Promise<DeliveryResult> {
  try {
    if (batch.filter.channel === 'email') await sendMail(deps, batch, batch.recipient as Recipient)
    else if (batch.filter.channel === 'channel')
      await sendMessage(deps, batch, { channel: batch.recipient as ChannelRow, ...options })
    else await sendWebhook(deps, batch, { webhook: batch.recipient as WebhookRow, ...options })
    return { ok: true }
  } catch (error) {
    const reason = reasonOf(error)
    if (!(error instanceof WebhookError)) return { ok: false, error: reason }
    const isGone = batch.filter.channel === 'channel' ? isRefusedForGood(error) : error.isGone
    return { ok: false, error: reason, isGone, retryAfterMs: error.retryAfterMs }
  }
}

/** The mail server did not answer within SENDING_TIMEOUT_MS. */
export const mailTimeout = (): DeliveryError => new DeliveryError(DELIVERY_TEXTS.DELIVERY_MAIL_TIMEOUT())

async function sendMail(
  { config, database, mail }: SendDeps,
  { tenantId, id, filter }: Batch,
  to: Recipient,
): Promise<void> {
  const db = tenantDb(database.kysely, tenantId)
  const { total, critical } = await delivery.countPending(db, filter)
  // All notifications of the batch have become too old to be sent.
  if (total === 0) return
  const digest = digestMail({
    to: to.email,
    language: to.language,
    items: await delivery.readMailItems(db, filter, MAIL_LINES_MAX),
    total,
    critical,
    consoleUrl: config.consoleUrl,
    messageId: `<${id}@netsaat>`,
  })
  await withTimeout(SENDING_TIMEOUT_MS, mail.send(digest), mailTimeout)
}

interface MessageDelivery extends CallOptions {
  readonly channel: ChannelRow
}

async function sendMessage(
  deps: SendDeps,
  { tenantId, filter }: Batch,
  { channel, ...options }: MessageDelivery,
): Promise<void> {
  const db = tenantDb(deps.database.kysely, tenantId)
  const { total, critical } = await delivery.countPending(db, filter)
  // All notifications of the batch have become too old to be sent.
  if (total === 0) return
  const texts = channelTexts({
    language: channel.language,
    items: await delivery.readMailItems(db, filter, CHANNEL_LINES_MAX),
    total,
    critical,
    consoleUrl: deps.config.consoleUrl,
  })
  await sendToChannel(deps, { channel, texts }, options)
}

interface WebhookDelivery extends CallOptions {
  readonly webhook: WebhookRow
}

async function sendWebhook(
  deps: SendDeps,
  batch: Batch,
  { webhook, ...options }: WebhookDelivery,
): Promise<void> {
  const { database, clock } = deps
  const { tenantId, id, filter } = batch
  const db = tenantDb(database.kysely, tenantId)
  const events = await delivery.readWebhookEvents(db, filter, WEBHOOK_EVENTS_MAX)
  if (events.length === 0) return
  const data = {
    tenant_id: await delivery.tenantUid(db),
    events: events.map(({ occurred_at, ...event }) => ({
      ...event,
      occurred_at: iso(occurred_at.getTime()),
    })),
  }
  const message = { id, at: clock.now(), type: 'alarm.events', data } as const
  await callSigned(deps, webhook, { ...message, ...options })
}

export interface WebhookMessage extends CallOptions {
  readonly id: string
  readonly at: number
  readonly type: 'alarm.events' | 'test'
  readonly data: object
}

/**
 * Signs a message with the webhook's secret and posts it; throws WebhookError, or 503 when the secret cannot
 * be opened.
 */
export async function callSigned(
  deps: Pick<Deps, 'config' | 'ownEndpoints'>,
  { id: webhookId, url, secret_sealed }: WebhookRow,
  { id, at, type, data, ...options }: WebhookMessage,
): Promise<number> {
  const context = secretContext({ kind: 'webhook', id: webhookId })
  const secret = makeSealer(deps.config.credentialEncryptionKey).open(secret_sealed, context)
  const body = JSON.stringify({ type, timestamp: iso(at), data })
  return callWebhook({
    url,
    headers: signedHeaders(secret, { id, at, body }),
    body,
    guard: webhookGuard(deps),
    ...options,
  })
}
