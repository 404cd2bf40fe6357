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

type Db = Pick<Deps, 'database' | 'clock'>

/** What goes out together, noted before it is sent: `id` stays the same however often that takes. */
export interface Batch {
  readonly tenantId: number
  readonly outletId: string
  readonly id: string
  readonly which: outlets.Wanted
  readonly to: telling.Recipient | webhooks.WebhookRow
}

/**
 * The next batch of a channel; undefined when nothing is due. It is this caller's until the lease ends:
 * whoever does not come back with settleBatch by then is taken for dead, and it is sent again.
 */
export async function claimBatch(
  { database, clock }: Db,
  channel: outlets.Channel,
): Promise<Batch | undefined> {
  for (;;) {
    const claimed = await inSystemTx(database.kysely, async (tx) => {
      const outlet = await outlets.takeDue(tx, channel, new Date(clock.now()))
      if (!outlet) return 'none'
      return channel === 'email' ? claimMail(tx, outlet, clock.now()) : claimDelivery(tx, outlet, clock.now())
    })
    if (claimed === 'none') return undefined
    if (claimed) return claimed
  }
}

/** Nothing to send: it rests until it is woken. What was left out so far stays left out. */
async function rest(tx: SystemTx, outlet: outlets.Outlet): Promise<undefined> {
  const done_through = await outlets.lastSeq(tenantDb(tx.db, outlet.tenantId))
  await outlets.changeOutlet(tx, outlet, { done_through, due_at: null, batch_id: null, batch_through: null })
}

async function claimMail(tx: SystemTx, outlet: outlets.Outlet, now: number): Promise<Batch | undefined> {
  const db = tenantDb(tx.db, outlet.tenantId)
  const to = await telling.findRecipient(db, outlet.userId ?? '')
  if (!to?.wants) return rest(tx, outlet)
  const which: outlets.Wanted = {
    channel: 'email',
    after: outlet.doneThrough,
    minSeverity: to.min_severity,
    since: new Date(now - MAIL_AGE_MAX_MS),
  }
  if (outlet.batchId !== null) return note(tx, outlet, { which, to, now })
  const soonest = (outlet.lastSentAt?.getTime() ?? 0) + MAIL_EVERY_MS
  const { critical, last } = await outlets.countPending(db, which)
  if (last === null) return rest(tx, outlet)
  const quiet = to.quiet_from && to.quiet_to ? quietEnd(now, to.quiet_from, to.quiet_to) : undefined
  // Quiet hours hold back what can wait; what is critical takes the rest along.
  const waits = critical === 0 && quiet !== undefined ? quiet : soonest
  if (waits > now) {
    await outlets.changeOutlet(tx, outlet, { due_at: new Date(waits) })
    return undefined
  }
  return note(tx, outlet, { which, to, now, through: last })
}

async function claimDelivery(tx: SystemTx, outlet: outlets.Outlet, now: number): Promise<Batch | undefined> {
  const db = tenantDb(tx.db, outlet.tenantId)
  const to = await webhooks.findWebhook(db, outlet.webhookId ?? '')
  if (!to?.is_active) {
    await outlets.changeOutlet(tx, outlet, { due_at: null })
    return undefined
  }
  const which: outlets.Wanted = {
    channel: 'webhook',
    after: outlet.doneThrough,
    minSeverity: to.min_severity,
  }
  if (outlet.batchId !== null) return note(tx, outlet, { which, to, now })
  const { last } = await outlets.countPending(db, which, WEBHOOK_EVENTS_MAX)
  if (last === null) return rest(tx, outlet)
  return note(tx, outlet, { which, to, now, through: last })
}

interface Noted {
  readonly which: outlets.Wanted
  readonly to: Batch['to']
  readonly now: number
  /** Of a new batch. */
  readonly through?: string
}

async function note(tx: SystemTx, outlet: outlets.Outlet, noted: Noted): Promise<Batch> {
  const { which, to, now } = noted
  const id = outlet.batchId ?? randomUUID()
  const through = noted.through ?? outlet.batchThrough ?? outlet.doneThrough
  await outlets.changeOutlet(tx, outlet, {
    batch_id: id,
    batch_through: through,
    attempts: outlet.attempts + 1,
    due_at: new Date(now + SENDING_LEASE_MS),
  })
  return { tenantId: outlet.tenantId, outletId: outlet.id, id, which: { ...which, through }, to }
}

export type Outcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly isGone?: boolean }

/**
 * Writes down what became of a batch; nothing when it was taken for lost meanwhile and is somebody else's
 * now.
 */
export async function settleBatch(deps: Db, batch: Batch, outcome: Outcome): Promise<void> {
  const { database, clock } = deps
  const now = clock.now()
  await inTenantTx(database.kysely, batch.tenantId, async (tx) => {
    // The outlet last, as whoever tells, and whoever edits a webhook, has it.
    if (!outcome.ok) await telling.lockNotifications(tx)
    if (batch.which.channel === 'webhook') await webhooks.lockWebhook(tx, batch.to.id)
    const held = await outlets.lockBatch(tx, batch.outletId, batch.id)
    if (!held) return
    const outlet = { tenantId: batch.tenantId, id: batch.outletId }
    if (outcome.ok) return done(tx, batch, now)
    const isOver = held.attempts >= WEBHOOK_FAILURES_MAX || outcome.isGone === true
    const disables = held.webhook_id !== null && isOver
    await outlets.changeOutlet(tx, outlet, {
      due_at: disables ? null : new Date(now + resendAfterMs(held.attempts)),
      failing_since: held.failing_since ?? new Date(now),
      last_error: outcome.error.slice(0, SENDING_ERROR_MAX),
    })
    if (disables) await disable(tx, held.webhook_id ?? '', { now, error: outcome.error })
  })
}

/** The outlet is locked, so whoever wakes it comes after, and whatever they wrote before is seen here. */
async function done(tx: TenantTx, { tenantId, outletId, which, to }: Batch, now: number): Promise<void> {
  const through = which.through ?? which.after
  const { last } = await outlets.countPending(tx, { ...which, after: through, through: undefined }, 1)
  const pause = which.channel === 'email' ? MAIL_EVERY_MS : 0
  await outlets.changeOutlet(
    tx,
    { tenantId, id: outletId },
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
  if (which.channel === 'webhook') await webhooks.noteSuccess(tx, to.id, new Date(now))
}

/** Nothing is lost by it: what waits is sent when somebody has put it right and switches it on again. */
async function disable(
  tx: TenantTx,
  webhookId: string,
  { now, error }: { readonly now: number; readonly error: string },
): Promise<void> {
  const webhook = await webhooks.disable(tx, webhookId, new Date(now))
  if (!webhook) return
  const before = await telling.addNote(tx, {
    type: 'webhook_disabled',
    title: webhook.name,
    message: `Nothing is sent to this webhook any more, since it failed too often: ${error}`,
    at: new Date(now),
  })
  await telling.wakeMailOutlets(tx, before, new Date(now))
}
