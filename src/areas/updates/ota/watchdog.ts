import { inTenantTx, systemDb } from '../../../platform/db/tenant.ts'
import { settleBatch } from './batches/service.ts'
import { listSettled } from './batches/store.ts'
import { type TellDeps, tellDevices } from './devices/notify-devices.ts'
import { settleUpdate } from './lifecycle/settle-update.ts'
import { OTA_DUE_AT_ONCE, OTA_TELL_AGAIN_MS } from './limits.ts'
import { deadlineOf } from './targets/interlock.ts'
import { isOpen, type OtaStatus } from './updates/states.ts'
import * as updates from './updates/store.ts'
import { anew, moveUpdate } from './updates/transition.ts'

const WHY: Readonly<Partial<Record<OtaStatus, string>>> = {
  queued: 'the device could not be told in time',
  notified: 'the device did not answer in time',
  downloading: 'the device did not finish the download in time',
  downloaded: 'the device did not begin to install in time',
  installing: 'the device did not finish the installation in time',
}

/**
 * Ends the attempt of an update that did not come through, and begins the next one if it has any left. Where the device was
 * locked out meanwhile, the attempt has so much longer.
 */
async function timeOut(deps: TellDeps, { tenantId, id }: updates.Foreign): Promise<string[]> {
  const at = new Date(deps.clock.now())
  return inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    const update = await updates.lock(tx, id)
    if (!update || !isOpen(update.status) || !update.deadline_at || update.deadline_at > at) return []
    const begun = update.begun_at?.getTime()
    if (begun !== undefined) {
      const deadline = await deadlineOf(tx, update, { from: begun, to: at.getTime() })
      if (deadline > at.getTime()) {
        await updates.putOff(tx, id, new Date(deadline))
        return []
      }
    }
    const error = WHY[update.status] ?? null
    await moveUpdate(tx, update, { move: 'time_out', by: 'service', at, detail: error, set: { error } })
    if (update.retries_left === 0) return settleUpdate(tx, id, at)
    const failed = { ...update, status: 'failed' as const }
    const set = { ...anew(update, at), retries_left: update.retries_left - 1 }
    await moveUpdate(tx, failed, { move: 'try_again', by: 'service', at, set })
    return [id]
  })
}

/**
 * The watchdog: no update waits for ever. An attempt whose deadline has passed fails and is tried again; who was not told, or
 * was told and has not begun, is told again. A batch whose last devices were deleted goes on.
 */
export async function watchUpdates(deps: TellDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const db = systemDb(deps.database.kysely)
  const told = new Map<number, Set<string>>()
  const add = (tenantId: number, ids: readonly string[]): void => {
    const known = told.get(tenantId) ?? new Set()
    told.set(tenantId, known)
    for (const id of ids) known.add(id)
  }
  const overdue = await updates.listOverdue(db, { now: new Date(now), limit: OTA_DUE_AT_ONCE })
  for (const one of overdue) {
    signal.throwIfAborted()
    add(one.tenantId, await timeOut(deps, one))
  }
  for (const { tenantId, id } of await listSettled(db, OTA_DUE_AT_ONCE)) {
    signal.throwIfAborted()
    const begun = await inTenantTx(deps.database.kysely, tenantId, (tx) => settleBatch(tx, id, new Date(now)))
    add(tenantId, begun)
  }
  const since = new Date(now - OTA_TELL_AGAIN_MS)
  const untold = await updates.listUntold(db, { since, limit: OTA_DUE_AT_ONCE })
  for (const { tenantId, id } of untold) add(tenantId, [id])
  for (const [tenantId, ids] of told) {
    signal.throwIfAborted()
    await tellDevices(deps, tenantId, [...ids])
  }
}
