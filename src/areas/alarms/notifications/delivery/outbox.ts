import { inTenantTx, systemDb, type TenantTx } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import { MAIL_COLLECT_MS, TELL_BATCH, TELL_TENANTS_MAX } from '../limits.ts'
import * as telling from './outbox-store.ts'

type Telling = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Turns all untold events into notifications and wakes whoever sends them on. Event and mark share a
 * transaction: a stop in between leaves the events untold. A tenant whose events cannot be told keeps the
 * others waiting for nothing.
 */
export async function tellEvents(deps: Telling, isStopped: () => boolean): Promise<void> {
  const { database, clock, log } = deps
  for (const tenantId of await telling.listUntold(systemDb(database.kysely), TELL_TENANTS_MAX)) {
    try {
      let taken: number
      do {
        if (isStopped()) return
        taken = await inTenantTx(database.kysely, tenantId, (tx) => tellSome(tx, clock.now()))
      } while (taken === TELL_BATCH)
    } catch (error) {
      log.error({ err: error, tenantId }, 'the events of a tenant could not be told')
    }
  }
}

async function tellSome(tx: TenantTx, now: number): Promise<number> {
  await telling.lockNotifications(tx)
  const { taken, before, byEmail, byWebhook } = await telling.tellEvents(tx, TELL_BATCH, new Date(now))
  if (before !== null && byEmail) await telling.wakeMailOutlets(tx, before, new Date(now + MAIL_COLLECT_MS))
  if (before !== null && byWebhook) await telling.wakeWebhookOutlets(tx, new Date(now))
  return taken
}
