import { randomUUID } from 'node:crypto'
import {
  inSystemTx,
  inTenantTx,
  type SystemTx,
  type TenantTx,
  tenantDb,
} from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import {
  MAIL_AGE_MAX_MS,
  MAIL_EVERY_MS,
  SENDING_ERROR_MAX,
  SENDING_LEASE_MS,
  WEBHOOK_EVENTS_MAX,
  WEBHOOK_FAILURES_MAX,
} from '../limits.ts'
import * as webhooks from '../webhooks/store.ts'
import * as outlets from './delivery-store.ts'
import * as telling from './outbox-store.ts'
import { quietEnd, resendAfterMs } from './send-times.ts'

type DeliveryDeps = Pick<Deps, 'database' | 'clock'>

/** What goes out together, noted before it is sent: `id` stays the same however often that takes. */
export interface Batch {
  readonly tenantId: number
  readonly cursorId: string
  readonly id: string
  readonly filter: outlets.NotificationFilter
  readonly recipient: telling.Recipient | webhooks.WebhookRow
}

/**
 * The next batch of a channel; undefined when nothing is due. It is this caller's until the lease ends:
 * whoever does not come back with settleBatch by then is taken for dead, and it is sent again.
 */
export async function claimBatch(
  { database, clock }: DeliveryDeps,
  channel: outlets.Channel,
): Promise<Batch | undefined> {
  for (;;) {
    const claimed = await inSystemTx(database.kysely, async (tx) => {
      const cursor = await outlets.lockDueCursor(tx, channel, new Date(clock.now()))
      if (!cursor) return 'none'
      return channel === 'email'
        ? claimMailBatch(tx, cursor, clock.now())
        : claimWebhookBatch(tx, cursor, clock.now())
    })
    if (claimed === 'none') return undefined
    if (claimed) return claimed
  }
}

/** Nothing to send: it rests until it is woken. What was left out so far stays left out. */
async function markIdle(tx: SystemTx, cursor: outlets.DeliveryCursor): Promise<undefined> {
  const done_through = await outlets.lastSeq(tenantDb(tx.db, cursor.tenantId))
  await outlets.updateCursor(tx, cursor, { done_through, due_at: null, batch_id: null, batch_through: null })
}

async function claimMailBatch(
  tx: SystemTx,
  cursor: outlets.DeliveryCursor,
  now: number,
): Promise<Batch | undefined> {
  const db = tenantDb(tx.db, cursor.tenantId)
  const recipient = await telling.findRecipient(db, cursor.userId ?? '')
  if (!recipient?.wants) return markIdle(tx, cursor)
  const filter: outlets.NotificationFilter = {
    channel: 'email',
    after: cursor.doneThrough,
    minSeverity: recipient.min_severity,
    since: new Date(now - MAIL_AGE_MAX_MS),
  }
  if (cursor.batchId !== null) return recordBatch(tx, cursor, { filter, recipient, now })
  const soonest = (cursor.lastSentAt?.getTime() ?? 0) + MAIL_EVERY_MS
  const { critical, last } = await outlets.countPending(db, filter)
  if (last === null) return markIdle(tx, cursor)
  const quiet =
    recipient.quiet_from && recipient.quiet_to
      ? quietEnd(now, recipient.quiet_from, recipient.quiet_to)
      : undefined
  // Quiet hours hold back what can wait; what is critical takes the rest along.
  const sendAt = critical === 0 && quiet !== undefined ? quiet : soonest
  if (sendAt > now) {
    await outlets.updateCursor(tx, cursor, { due_at: new Date(sendAt) })
    return undefined
  }
  return recordBatch(tx, cursor, { filter, recipient, now, through: last })
}

async function claimWebhookBatch(
  tx: SystemTx,
  cursor: outlets.DeliveryCursor,
  now: number,
): Promise<Batch | undefined> {
  const db = tenantDb(tx.db, cursor.tenantId)
  const recipient = await webhooks.findWebhook(db, cursor.webhookId ?? '')
  if (!recipient?.is_active) {
    await outlets.updateCursor(tx, cursor, { due_at: null })
    return undefined
  }
  const filter: outlets.NotificationFilter = {
    channel: 'webhook',
    after: cursor.doneThrough,
    minSeverity: recipient.min_severity,
  }
  if (cursor.batchId !== null) return recordBatch(tx, cursor, { filter, recipient, now })
  const { last } = await outlets.countPending(db, filter, WEBHOOK_EVENTS_MAX)
  if (last === null) return markIdle(tx, cursor)
  return recordBatch(tx, cursor, { filter, recipient, now, through: last })
}

interface BatchInput {
  readonly filter: outlets.NotificationFilter
  readonly recipient: Batch['recipient']
  readonly now: number
  /** Of a new batch. */
  readonly through?: string
}

async function recordBatch(tx: SystemTx, cursor: outlets.DeliveryCursor, input: BatchInput): Promise<Batch> {
  const { filter, recipient, now } = input
  const id = cursor.batchId ?? randomUUID()
  const through = input.through ?? cursor.batchThrough ?? cursor.doneThrough
  await outlets.updateCursor(tx, cursor, {
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
  | { readonly ok: false; readonly error: string; readonly isGone?: boolean }

/**
 * Writes down what became of a batch; nothing when it was taken for lost meanwhile and is somebody else's
 * now.
 */
export async function settleBatch(deps: DeliveryDeps, batch: Batch, result: DeliveryResult): Promise<void> {
  const { database, clock } = deps
  const now = clock.now()
  await inTenantTx(database.kysely, batch.tenantId, async (tx) => {
    // The outlet last, as whoever tells, and whoever edits a webhook, has it.
    if (!result.ok) await telling.lockNotifications(tx)
    if (batch.filter.channel === 'webhook') await webhooks.lockWebhook(tx, batch.recipient.id)
    const locked = await outlets.lockBatch(tx, batch.cursorId, batch.id)
    if (!locked) return
    const cursor = { tenantId: batch.tenantId, id: batch.cursorId }
    if (result.ok) return advanceCursor(tx, batch, now)
    const isOver = locked.attempts >= WEBHOOK_FAILURES_MAX || result.isGone === true
    const disables = locked.webhook_id !== null && isOver
    await outlets.updateCursor(tx, cursor, {
      due_at: disables ? null : new Date(now + resendAfterMs(locked.attempts)),
      failing_since: locked.failing_since ?? new Date(now),
      last_error: result.error.slice(0, SENDING_ERROR_MAX),
    })
    if (disables) await disableWebhook(tx, locked.webhook_id ?? '', { now, error: result.error })
  })
}

/** The outlet is locked, so whoever wakes it comes after, and whatever they wrote before is seen here. */
async function advanceCursor(
  tx: TenantTx,
  { tenantId, cursorId, filter, recipient }: Batch,
  now: number,
): Promise<void> {
  const through = filter.through ?? filter.after
  const { last } = await outlets.countPending(tx, { ...filter, after: through, through: undefined }, 1)
  const pause = filter.channel === 'email' ? MAIL_EVERY_MS : 0
  await outlets.updateCursor(
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
  if (filter.channel === 'webhook') await webhooks.recordSuccess(tx, recipient.id, new Date(now))
}

/** Nothing is lost by it: what waits is sent when somebody has put it right and switches it on again. */
async function disableWebhook(
  tx: TenantTx,
  webhookId: string,
  { now, error }: { readonly now: number; readonly error: string },
): Promise<void> {
  const webhook = await webhooks.disable(tx, webhookId, new Date(now))
  if (!webhook) return
  const before = await telling.addServiceNotification(tx, {
    type: 'webhook_disabled',
    title: webhook.name,
    message: `Nothing is sent to this webhook any more, since it failed too often: ${error}`,
    at: new Date(now),
  })
  await telling.scheduleMails(tx, before, new Date(now))
}
