import { inTenantTx, systemDb, type TenantTx } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { MAIL_COLLECT_MS, OUTBOX_BATCH, OUTBOX_TENANTS_MAX } from '../limits.ts'
import * as telling from './outbox-store.ts'

type OutboxDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Turns all untold events into notifications and wakes whoever sends them on. Event and mark share a
 * transaction: a stop in between leaves the events untold. A tenant whose events cannot be told keeps the
 * others waiting for nothing.
 */
export async function processOutbox(deps: OutboxDeps, isStopped: () => boolean): Promise<void> {
  const { database, clock, log } = deps
  for (const tenantId of await telling.listTenantsWithEvents(systemDb(database.kysely), OUTBOX_TENANTS_MAX)) {
    try {
      let processed: number
      do {
        if (isStopped()) return
        processed = await inTenantTx(database.kysely, tenantId, (tx) => processBatch(tx, clock.now()))
      } while (processed === OUTBOX_BATCH)
    } catch (error) {
      log.error({ err: error, tenantId }, 'the events of a tenant could not be told')
    }
  }
}

async function processBatch(tx: TenantTx, now: number): Promise<number> {
  await telling.lockNotifications(tx)
  const {
    processed,
    before,
    byEmail: hasEmail,
    byWebhook: hasWebhook,
  } = await telling.createNotifications(tx, OUTBOX_BATCH, new Date(now))
  if (before !== null && hasEmail) await telling.scheduleMails(tx, before, new Date(now + MAIL_COLLECT_MS))
  if (before !== null && hasWebhook) await telling.scheduleWebhooks(tx, new Date(now))
  return processed
}
