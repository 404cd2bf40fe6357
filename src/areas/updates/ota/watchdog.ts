import type { Message } from '../../../kernel/messages.ts'
import { toJson } from '../../../platform/db/json-columns.ts'
import { inTenantTx, systemDb } from '../../../platform/db/tenant.ts'
import { settleBatch } from './batches/service.ts'
import { listWithSettledWave } from './batches/store.ts'
import { type NotifyDeps, notifyDevices } from './devices/notify-devices.ts'
import { settleUpdate } from './lifecycle/settle-update.ts'
import { OTA_NOTIFY_AGAIN_MS, OTA_UPDATES_PER_RUN } from './limits.ts'
import { OTA_REASONS } from './messages.ts'
import { currentDeadline } from './targets/interlock.ts'
import { isOpen, type OtaStatus } from './updates/states.ts'
import * as updates from './updates/store.ts'
import { applyTransition, restarted } from './updates/transition.ts'

const TIMEOUT_REASONS: Readonly<Partial<Record<OtaStatus, Message>>> = {
  queued: OTA_REASONS.OTA_NOT_NOTIFIED_IN_TIME(),
  notified: OTA_REASONS.OTA_NO_ANSWER_IN_TIME(),
  downloading: OTA_REASONS.OTA_DOWNLOAD_NOT_IN_TIME(),
  downloaded: OTA_REASONS.OTA_INSTALLATION_NOT_BEGUN(),
  installing: OTA_REASONS.OTA_INSTALLATION_NOT_IN_TIME(),
}

/**
 * Ends the attempt of an update after its deadline, and begins the next one if retries remain. The deadline
 * is postponed by the time during which the device was locked out.
 */
async function timeOut(deps: NotifyDeps, { tenantId, id }: updates.UpdateRef): Promise<string[]> {
  const at = new Date(deps.clock.now())
  return inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const update = await updates.lock(tx, id)
    if (!update || !isOpen(update.status) || !update.deadline_at || update.deadline_at > at) return []
    const begun = update.attempt_started_at?.getTime()
    if (begun !== undefined) {
      const deadline = await currentDeadline(tx, update, { from: begun, to: at.getTime() })
      if (deadline > at.getTime()) {
        await updates.postponeDeadline(tx, id, new Date(deadline))
        return []
      }
    }
    const error = TIMEOUT_REASONS[update.status] ?? null
    await applyTransition(tx, update, {
      transition: 'time_out',
      by: 'service',
      at,
      detail: error,
      set: { error: error && toJson(error) },
    })
    if (update.retries_left === 0) return settleUpdate(tx, id, at)
    const failed = { ...update, status: 'failed' as const }
    const set = { ...restarted(update, at), retries_left: update.retries_left - 1 }
    await applyTransition(tx, failed, { transition: 'try_again', by: 'service', at, set })
    return [id]
  })
}

/**
 * The watchdog, which ensures that no update waits indefinitely. An attempt whose deadline has passed fails
 * and is retried. A device that was not notified, or has not begun since, is notified again. A batch whose
 * last devices were deleted goes on.
 */
export async function watchUpdates(deps: NotifyDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const db = systemDb(deps.database.kysely)
  const toNotify = new Map<number, Set<string>>()
  const add = (tenantId: number, ids: readonly string[]): void => {
    const known = toNotify.get(tenantId) ?? new Set()
    toNotify.set(tenantId, known)
    for (const id of ids) known.add(id)
  }
  const overdue = await updates.listOverdue(db, { now: new Date(now), limit: OTA_UPDATES_PER_RUN })
  for (const one of overdue) {
    signal.throwIfAborted()
    add(one.tenantId, await timeOut(deps, one))
  }
  for (const { tenantId, id } of await listWithSettledWave(db, OTA_UPDATES_PER_RUN)) {
    signal.throwIfAborted()
    const begun = await inTenantTx(deps.database.kysely, tenantId, (tx) => settleBatch(tx, id, new Date(now)))
    add(tenantId, begun)
  }
  const since = new Date(now - OTA_NOTIFY_AGAIN_MS)
  const unnotified = await updates.listUnnotified(db, { since, limit: OTA_UPDATES_PER_RUN })
  for (const { tenantId, id } of unnotified) add(tenantId, [id])
  for (const [tenantId, ids] of toNotify) {
    signal.throwIfAborted()
    await notifyDevices(deps, tenantId, [...ids])
  }
}
