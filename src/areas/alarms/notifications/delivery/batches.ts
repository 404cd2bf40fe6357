import { randomUUID } from 'node:crypto'
import type { Message } from '../../../../kernel/messages.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { inTenantTx, type TenantDb, type TenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import * as channels from '../channels/store.ts'
import {
  CHANNEL_EVERY_MS,
  MAIL_AGE_MAX_MS,
  MAIL_EVERY_MS,
  SENDING_LEASE_MS,
  WEBHOOK_EVENTS_MAX,
  WEBHOOK_FAILURES_MAX,
} from '../limits.ts'
import { DELIVERY_TEXTS } from '../messages.ts'
import * as receivers from '../receivers/store.ts'
import * as webhooks from '../webhooks/store.ts'
import * as delivery from './delivery-store.ts'
import * as outbox from './outbox-store.ts'
import { quietEnd, resendAfterMs } from './send-times.ts'

type DeliveryDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/**
 * Notifications that are sent together. The batch is recorded before it is sent and keeps its `id` over all
 * attempts.
 */
export interface Batch {
  readonly tenantId: number
  readonly cursorId: string
  readonly id: string
  readonly filter: delivery.NotificationFilter
  readonly recipient: outbox.Recipient | webhooks.WebhookRow | channels.ChannelRow
}

/**
 * Claims the next batch of a channel of the tenants; undefined when nothing of them is due. The caller owns it
 * until the lease expires. If settleBatch() is not called by then, the caller is assumed to have died, and the
 * batch is sent again.
 */
export async function claimBatch(
  { config, database, clock }: DeliveryDeps,
  channel: delivery.Channel,
  tenantIds: readonly number[],
): Promise<Batch | undefined> {
  for (const tenantId of tenantIds)
    for (;;) {
      const claimed = await inTenantTx(database.kysely, tenantId, async (tx) => {
        const cursor = await delivery.lockDueCursor(tx, channel, new Date(clock.now()))
        if (!cursor) return 'none'
        return channel === 'email'
          ? claimMailBatch(tx, cursor, { now: clock.now(), sendsMails: config.smtpUrl !== undefined })
          : claimReceiverBatch(tx, cursor, { kind: channel, now: clock.now() })
      })
      if (claimed === 'none') break
      if (claimed) return claimed
    }
  return undefined
}

/**
 * Moves the cursor to the newest notification and clears its due time, because no pending notification
 * matches.
 */
async function markIdle(tx: TenantTx, cursor: delivery.DeliveryCursor): Promise<undefined> {
  const done_through = await delivery.lastSeq(tenantDb(tx.db, cursor.tenantId))
  await delivery.updateCursor(tx, cursor, { done_through, due_at: null, batch_id: null, batch_through: null })
}

interface MailContext {
  readonly now: number
  /** Mails leave the service, so only users with a verified address receive them. */
  readonly sendsMails: boolean
}

async function claimMailBatch(
  tx: TenantTx,
  cursor: delivery.DeliveryCursor,
  { now, sendsMails }: MailContext,
): Promise<Batch | undefined> {
  const db = tenantDb(tx.db, cursor.tenantId)
  const recipient = await outbox.findRecipient(db, cursor.userId ?? '')
  if (!recipient?.wants || (sendsMails && !recipient.is_email_verified)) return markIdle(tx, cursor)
  const filter: delivery.NotificationFilter = {
    channel: 'email',
    after: cursor.doneThrough,
    minSeverity: recipient.min_severity,
    since: new Date(now - MAIL_AGE_MAX_MS),
  }
  if (cursor.batchId !== null) return recordBatch(tx, cursor, { filter, recipient, now })
  // A mail of the future was sent before the clock was set back.
  const soonest = Math.min(cursor.lastSentAt?.getTime() ?? 0, now) + MAIL_EVERY_MS
  const { critical, last } = await delivery.countPending(db, filter)
  if (last === null) return markIdle(tx, cursor)
  const quiet =
    recipient.quiet_from && recipient.quiet_to
      ? quietEnd(now, recipient.quiet_from, recipient.quiet_to)
      : undefined
  // Quiet hours delay a batch without critical notifications.
  const sendAt = critical === 0 && quiet !== undefined ? quiet : soonest
  if (sendAt > now) {
    await delivery.updateCursor(tx, cursor, { due_at: new Date(sendAt) })
    return undefined
  }
  return recordBatch(tx, cursor, { filter, recipient, now, through: last })
}

interface ReceiverContext {
  readonly kind: receivers.ReceiverKind
  readonly now: number
}

const LIMITS_OF_BATCHES = {
  webhook: { itemsMax: WEBHOOK_EVENTS_MAX, ageMaxMs: undefined },
  channel: { itemsMax: undefined, ageMaxMs: MAIL_AGE_MAX_MS },
} as const

const findReceiver = (
  db: TenantDb,
  { webhookId, channelId }: delivery.DeliveryCursor,
  kind: receivers.ReceiverKind,
) =>
  kind === 'webhook' ? webhooks.findWebhook(db, webhookId ?? '') : channels.findChannel(db, channelId ?? '')

async function claimReceiverBatch(
  tx: TenantTx,
  cursor: delivery.DeliveryCursor,
  { kind, now }: ReceiverContext,
): Promise<Batch | undefined> {
  const db = tenantDb(tx.db, cursor.tenantId)
  const recipient = await findReceiver(db, cursor, kind)
  if (!recipient?.is_active) {
    await delivery.updateCursor(tx, cursor, { due_at: null })
    return undefined
  }
  const { itemsMax, ageMaxMs } = LIMITS_OF_BATCHES[kind]
  const filter: delivery.NotificationFilter = {
    channel: kind,
    after: cursor.doneThrough,
    minSeverity: recipient.min_severity,
    since: ageMaxMs === undefined ? undefined : new Date(now - ageMaxMs),
  }
  if (cursor.batchId !== null) return recordBatch(tx, cursor, { filter, recipient, now })
  const { last } = await delivery.countPending(db, filter, itemsMax)
  if (last === null) return markIdle(tx, cursor)
  // A batch of the future was sent before the clock was set back.
  const soonest = Math.min(cursor.lastSentAt?.getTime() ?? 0, now) + PAUSES[kind]
  if (soonest > now) {
    await delivery.updateCursor(tx, cursor, { due_at: new Date(soonest) })
    return undefined
  }
  return recordBatch(tx, cursor, { filter, recipient, now, through: last })
}

interface BatchInput {
  readonly filter: delivery.NotificationFilter
  readonly recipient: Batch['recipient']
  readonly now: number
  /** The last sequence number of a new batch; absent when a recorded batch is sent again. */
  readonly through?: string
}

async function recordBatch(tx: TenantTx, cursor: delivery.DeliveryCursor, input: BatchInput): Promise<Batch> {
  const { filter, recipient, now } = input
  const id = cursor.batchId ?? randomUUID()
  const through = input.through ?? cursor.batchThrough ?? cursor.doneThrough
  await delivery.updateCursor(tx, cursor, {
    batch_id: id,
    batch_through: through,
    attempts: cursor.attempts + 1,
    due_at: new Date(now + SENDING_LEASE_MS),
  })
  return {
    tenantId: cursor.tenantId,
    cursorId: cursor.id,
    id,
    filter: { ...filter, through },
    recipient,
  }
}

export type DeliveryResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly error: Message
      /** The receiver will never accept the batch. */
      readonly isGone?: boolean
      /** The pause that the receiver requested. */
      readonly retryAfterMs?: number | undefined
    }

/**
 * Records the result of a batch. It has no effect when the lease has expired and another process has claimed
 * the batch.
 */
export async function settleBatch(deps: DeliveryDeps, batch: Batch, result: DeliveryResult): Promise<void> {
  const { database, clock } = deps
  const now = clock.now()
  await inTenantTx(database.kysely, batch.tenantId, async (tx) => {
    // Lock order: notifications, webhook or channel, cursor; the outbox and changes of a recipient lock in the
    // same order.
    if (!result.ok) await outbox.lockNotifications(tx)
    const receiver = receiverOf(batch)
    if (receiver) await receivers.lock(tx, receiver)
    const locked = await delivery.lockBatch(tx, batch.cursorId, batch.id)
    if (!locked) return
    const cursor = { tenantId: batch.tenantId, id: batch.cursorId }
    if (result.ok) return advanceCursor(tx, batch, now)
    const isOver = locked.attempts >= WEBHOOK_FAILURES_MAX || result.isGone === true
    const isDisabled = isOver && receiver !== undefined
    const pause = Math.max(resendAfterMs(locked.attempts), result.retryAfterMs ?? 0)
    await delivery.updateCursor(tx, cursor, {
      due_at: isDisabled ? null : new Date(now + pause),
      failing_since: locked.failing_since ?? new Date(now),
      last_error: toJson(result.error),
    })
    if (isDisabled) await disableReceiver(tx, receiver, { now, error: result.error })
  })
}

/** The webhook or channel of a batch; undefined for a mail. */
const receiverOf = ({ filter: { channel }, recipient: { id } }: Batch): receivers.Receiver | undefined =>
  channel === 'email' ? undefined : { kind: channel, id }

/** Shortest time between two batches of a recipient. */
const PAUSES = { email: MAIL_EVERY_MS, webhook: 0, channel: CHANNEL_EVERY_MS } as const

/**
 * Advances the locked cursor. The lock serializes this with processes that add notifications, so that none is
 * skipped.
 */
async function advanceCursor(tx: TenantTx, batch: Batch, now: number): Promise<void> {
  const { tenantId, cursorId, filter } = batch
  const through = filter.through ?? filter.after
  const { last } = await delivery.countPending(tx, { ...filter, after: through, through: undefined }, 1)
  const pause = PAUSES[filter.channel]
  await delivery.updateCursor(
    tx,
    { tenantId, id: cursorId },
    {
      done_through: through,
      batch_id: null,
      batch_through: null,
      attempts: 0,
      due_at: last === null ? null : new Date(now + pause),
      last_sent_at: new Date(now),
      failing_since: null,
      last_error: null,
    },
  )
  const receiver = receiverOf(batch)
  if (receiver) await receivers.recordSuccess(tx, receiver, new Date(now))
}

/**
 * Disables the webhook or channel of a batch and notifies the tenant. Pending notifications are sent once it is
 * enabled again.
 */
async function disableReceiver(
  tx: TenantTx,
  receiver: receivers.Receiver,
  { now, error }: { readonly now: number; readonly error: Message },
): Promise<void> {
  const disabled = await receivers.disable(tx, receiver, new Date(now))
  if (!disabled) return
  const { WEBHOOK_DISABLED, CHANNEL_DISABLED } = DELIVERY_TEXTS
  const content = receiver.kind === 'webhook' ? WEBHOOK_DISABLED : CHANNEL_DISABLED
  const before = await outbox.addServiceNotification(tx, {
    type: `${receiver.kind}_disabled`,
    title: disabled.name,
    content: content({ reason: error }),
    at: new Date(now),
  })
  await outbox.scheduleMails(tx, before, new Date(now))
}
