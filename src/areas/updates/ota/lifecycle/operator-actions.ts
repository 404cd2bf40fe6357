import { conflict, found } from '../../../../kernel/errors.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { findFirmware, isInstallable, isReturnable } from '../../firmware/index.ts'
import { batchStatusAfter } from '../batches/states.ts'
import * as batches from '../batches/store.ts'
import { OTA_TEXTS } from '../messages.ts'
import { refuseLockedTargets } from '../targets/interlock.ts'
import { channelOf, checkTargetFits, findTargetOfUpdate } from '../updates/create-update.ts'
import { rollBack } from '../updates/rollback.ts'
import { checkOperatorTransition } from '../updates/states.ts'
import * as updates from '../updates/store.ts'
import { applyTransition, restarted } from '../updates/transition.ts'
import { settleUpdate } from './settle-update.ts'

export interface OperatorAction {
  readonly id: string
  readonly userId: string
  readonly at: Date
}

export async function readUpdate(tenant: TenantDb, id: string) {
  const update = found('update', await updates.find(tenant, id))
  return { ...update, events: await updates.listEvents(tenant, update.id) }
}

/**
 * Cancels an update; returns the ids to notify after the commit. Throws 409 once the installation has begun.
 */
export async function cancelUpdate(tx: TenantTx, { id, userId, at }: OperatorAction): Promise<string[]> {
  const update = found('update', await updates.lock(tx, id))
  checkOperatorTransition('cancel', update.status)
  await applyTransition(tx, update, { transition: 'cancel', by: 'operator', userId, at })
  return [update.id, ...(await settleUpdate(tx, update.id, at))]
}

/** True for an update in a wave of a running batch that has not begun. */
async function waitsForItsWave(tx: TenantTx, { batch_id: id, wave }: updates.UpdateRow): Promise<boolean> {
  const batch = id === null ? undefined : await batches.lock(tx, id)
  return batch !== undefined && batchStatusAfter('next_wave', batch.status) !== undefined && wave > batch.wave
}

/**
 * Restarts an update with all its retries; the version must still be installable. An update whose wave has
 * not begun waits for it.
 */
export async function retryUpdate(tx: TenantTx, { id, userId, at }: OperatorAction): Promise<string[]> {
  const update = found('update', await updates.lock(tx, id))
  checkOperatorTransition('retry', update.status)
  const firmware = await findFirmware(tx, update.firmware_version_id)
  const mayBe = update.rollback_of === null ? isInstallable : isReturnable
  if (!firmware || !mayBe(firmware.status))
    throw conflict('STATE_CONFLICT', OTA_TEXTS.OTA_FIRMWARE_WITHDRAWN({ status: firmware?.status ?? null }))
  const target = await findTargetOfUpdate(tx, update)
  checkTargetFits(target, firmware)
  await refuseLockedTargets(tx, [target])
  // The device may be behind another gateway by now.
  const via = channelOf(target)
  // Its batch may have marked it for rollback; an operator who restarts it decides otherwise.
  const rolls_back = update.rolls_back && update.batch_id === null
  const isDue = !(await waitsForItsWave(tx, update))
  const set = { ...restarted(update, at, isDue), ...via, rolls_back, retries_left: update.retries }
  await applyTransition(tx, update, { transition: 'retry', by: 'operator', userId, at, set })
  return [update.id]
}

export async function rollBackUpdate(tx: TenantTx, { id, userId, at }: OperatorAction): Promise<string> {
  const update = found('update', await updates.lock(tx, id))
  return rollBack(tx, update, { userId, now: at.getTime() })
}
