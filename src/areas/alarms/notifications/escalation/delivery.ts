/**
 * Sends the messages of escalations: all waiting messages to one recipient together, at least once. A claim is recorded
 * before it is sent, under a lease; when its process dies, the messages are sent again.
 */
import { randomUUID } from 'node:crypto'
import type { Message } from '../../../../kernel/messages.ts'
import { withTimeout } from '../../../../platform/async/with-timeout.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { inTenantTx, type TenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { channelTexts, isRefusedForGood, sendToChannel } from '../channels/send.ts'
import { type ChannelRow, findChannel } from '../channels/store.ts'
import type { DeliveryResult } from '../delivery/batches.ts'
import { reasonOf } from '../delivery/delivery-error.ts'
import { type DigestInput, digestMail } from '../delivery/mails.ts'
import { findRecipient } from '../delivery/outbox-store.ts'
import { mailTimeout } from '../delivery/send.ts'
import { quietEnd, resendAfterMs } from '../delivery/send-times.ts'
import {
  CHANNEL_LINES_MAX,
  ESCALATION_ATTEMPTS_MAX,
  ESCALATION_BATCH,
  MAIL_LINES_MAX,
  SENDING_LEASE_MS,
  SENDING_TIMEOUT_MS,
} from '../limits.ts'
import { DELIVERY_TEXTS } from '../messages.ts'
import { WebhookError } from '../webhooks/call.ts'
import * as store from './message-store.ts'
import { verifiedAddresses } from './policy-store.ts'

type SendDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'mail' | 'ownEndpoints'>

/** To a mail address in a language, or to a channel. */
type To = { readonly email: string; readonly language: 'tr' | 'en' } | { readonly channel: ChannelRow }

export interface EscalationClaim {
  readonly id: string
  readonly tenantId: number
  readonly to: To
  readonly messages: readonly store.WaitingMessage[]
  readonly attempts: number
}

type Decision = { readonly to: To } | { readonly skipped: Message } | { readonly later: number }

/** Claims the due messages of a recipient in the tenants; undefined when nothing of them is due. */
export async function claimEscalation(
  { database, clock, config }: SendDeps,
  tenantIds: readonly number[],
): Promise<EscalationClaim | undefined> {
  for (const tenantId of tenantIds)
    for (;;) {
      const claimed = await inTenantTx(database.kysely, tenantId, async (tx) => {
        const now = clock.now()
        const target = await store.lockDueTarget(tx, new Date(now))
        return target === undefined ? 'none' : claimTarget(tx, target, { now, config })
      })
      if (claimed === 'none') break
      if (claimed) return claimed
    }
  return undefined
}

const ids = (messages: readonly store.WaitingMessage[]) => messages.map(({ id }) => id)

async function claimTarget(
  db: TenantDb,
  target: string,
  { now, config }: { readonly now: number; readonly config: SendDeps['config'] },
): Promise<EscalationClaim | undefined> {
  const locked = await store.lockMessages(db, { target, now: new Date(now), limit: ESCALATION_BATCH })
  const messages = locked.filter((message) => message.incident_status === 'active')
  const over = locked.filter((message) => message.incident_status !== 'active')
  await store.changeMessages(db, ids(over), {
    status: 'skipped',
    error: toJson(DELIVERY_TEXTS.ESCALATION_INCIDENT_OVER()),
  })
  const [first] = messages
  if (!first) return undefined
  const decision = await decide(db, messages, { first, now, config })
  if ('skipped' in decision) {
    await store.changeMessages(db, ids(messages), { status: 'skipped', error: toJson(decision.skipped) })
    return undefined
  }
  if ('later' in decision) {
    await store.changeMessages(db, ids(messages), { due_at: new Date(decision.later) })
    return undefined
  }
  const id = randomUUID()
  const attempts = Math.max(...messages.map((message) => message.attempts)) + 1
  await store.changeMessages(db, ids(messages), {
    ...{ claim_id: id, attempts, due_at: new Date(now + SENDING_LEASE_MS) },
  })
  return { id, tenantId: db.tenantId, to: decision.to, messages, attempts }
}

/** The current address of the recipient; the quiet hours of a user delay messages without a critical incident. */
async function decide(
  db: TenantDb,
  messages: readonly store.WaitingMessage[],
  {
    first,
    now,
    config,
  }: { readonly first: store.WaitingMessage; readonly now: number; readonly config: SendDeps['config'] },
): Promise<Decision> {
  const { email, channel_id, user_id, language } = first
  if (email !== null) {
    // The setting may have changed since the policy was stored.
    const isPermitted = !config.tenantSignupEnabled || (await verifiedAddresses(db, [email])).has(email)
    return isPermitted
      ? { to: { email, language } }
      : { skipped: DELIVERY_TEXTS.ESCALATION_ADDRESS_UNVERIFIED() }
  }
  if (channel_id !== null) {
    const channel = await findChannel(db, channel_id)
    return channel?.is_active
      ? { to: { channel } }
      : { skipped: DELIVERY_TEXTS.ESCALATION_CHANNEL_INACTIVE() }
  }
  const user = await findRecipient(db, user_id ?? '')
  if (!user) return { skipped: DELIVERY_TEXTS.ESCALATION_USER_NOT_REACHED() }
  const isCritical = messages.some(({ severity }) => severity === 'critical')
  const quiet = user.quiet_from && user.quiet_to ? quietEnd(now, user.quiet_from, user.quiet_to) : undefined
  return !isCritical && quiet !== undefined ? { later: quiet } : { to: user }
}

/** Sends a claim once. A failure is returned as a result and not thrown. */
export async function sendEscalation(
  deps: SendDeps,
  { id, to, messages }: EscalationClaim,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number | undefined },
): Promise<DeliveryResult> {
  const digest = (language: 'tr' | 'en', linesMax: number): DigestInput => ({
    language,
    items: messages.slice(0, linesMax),
    total: messages.length,
    critical: messages.filter(({ severity }) => severity === 'critical').length,
    consoleUrl: deps.config.consoleUrl,
  })
  try {
    if ('channel' in to) {
      const texts = channelTexts(digest(to.channel.language, CHANNEL_LINES_MAX))
      await sendToChannel(deps, { channel: to.channel, texts }, options)
    } else {
      const mail = { ...digest(to.language, MAIL_LINES_MAX), to: to.email, messageId: `<${id}@netsaat>` }
      const sending = deps.mail.send(digestMail({ ...mail, isEscalation: true }))
      await withTimeout(SENDING_TIMEOUT_MS, sending, mailTimeout)
    }
    return { ok: true }
  } catch (error) {
    const reason = reasonOf(error)
    if (!(error instanceof WebhookError)) return { ok: false, error: reason }
    return { ok: false, error: reason, isGone: isRefusedForGood(error), retryAfterMs: error.retryAfterMs }
  }
}

export async function settleEscalation(
  { database, clock }: SendDeps,
  { id, tenantId, attempts }: EscalationClaim,
  result: DeliveryResult,
): Promise<void> {
  const now = clock.now()
  await inTenantTx(database.kysely, tenantId, async (tx) => {
    if (result.ok)
      return store.settleMessages(tx, id, { status: 'sent', sent_at: new Date(now), error: null })
    const error = toJson(result.error)
    if (result.isGone || attempts >= ESCALATION_ATTEMPTS_MAX)
      return store.settleMessages(tx, id, { status: 'failed', error })
    const pause = Math.max(resendAfterMs(attempts), result.retryAfterMs ?? 0)
    return store.settleMessages(tx, id, { error, due_at: new Date(now + pause) })
  })
}
