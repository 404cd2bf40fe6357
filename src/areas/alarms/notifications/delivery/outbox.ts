import { inTenantTx, type TenantTx } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { CHANNEL_COLLECT_MS, MAIL_COLLECT_MS, OUTBOX_BATCH } from '../limits.ts'
import * as outbox from './outbox-store.ts'

type OutboxDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Turns all pending events of the tenants into notifications and schedules their delivery. Notifications and marks are
 * written in one transaction, so events stay pending when the process stops in between. A failure in one
 * tenant does not affect the others.
 */
export async function processOutbox(
  deps: OutboxDeps,
  tenantIds: readonly number[],
  isStopped: () => boolean,
): Promise<void> {
  const { database, clock, log } = deps
  for (const tenantId of tenantIds) {
    try {
      let processed: number
      do {
        if (isStopped()) return
        processed = await inTenantTx(database.kysely, tenantId, (tx) => processBatch(tx, clock.now()))
      } while (processed === OUTBOX_BATCH)
    } catch (error) {
      log.error({ err: error, tenantId }, 'the events of a tenant could not be processed')
    }
  }
}

async function processBatch(tx: TenantTx, now: number): Promise<number> {
  await outbox.lockNotifications(tx)
  const {
    processed,
    before,
    byEmail: hasEmail,
    byWebhook: hasWebhook,
    byChannel: hasChannel,
  } = await outbox.createNotifications(tx, OUTBOX_BATCH, new Date(now))
  if (before !== null && hasEmail) await outbox.scheduleMails(tx, before, new Date(now + MAIL_COLLECT_MS))
  if (before !== null && hasWebhook) await outbox.scheduleWebhooks(tx, new Date(now))
  if (before !== null && hasChannel) await outbox.scheduleChannels(tx, new Date(now + CHANNEL_COLLECT_MS))
  return processed
}
