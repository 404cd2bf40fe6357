import { conflict } from '../../../../kernel/errors.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { type FirmwareRow, findFirmware, findVersion, isReturnable } from '../../firmware/index.ts'
import { OTA_TEXTS } from '../messages.ts'
import { refuseLockedTargets } from '../targets/interlock.ts'
import { findPreviousVersion } from '../targets/store.ts'
import { checkTargetFits, findTargetOfUpdate, newUpdate } from './create-update.ts'
import { isOpen } from './states.ts'
import * as updates from './store.ts'

export interface RollbackInput {
  /** null when the service begins the rollback. */
  readonly userId: string | null
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * The last good version of the device of an update: the one that last succeeded there before, else the one
 * that the device reported then, where there is a firmware of that version. Undefined when it is not known.
 */
async function findLastGoodVersion(
  tx: TenantTx,
  update: updates.UpdateRow,
): Promise<FirmwareRow | undefined> {
  const bad = await findFirmware(tx, update.firmware_version_id)
  if (!bad) return undefined
  const before = await findPreviousVersion(tx, update)
  const succeeded = before === undefined ? undefined : await findFirmware(tx, before)
  const { from_version: version } = update
  const reported =
    version === null || version === bad.version
      ? undefined
      : await findVersion(tx, { deviceModel: bad.device_model, version })
  return [succeeded, reported].find(
    (row) => row && isReturnable(row.status) && row.device_model === bad.device_model,
  )
}

/**
 * Creates an update to the last good version and returns its id. Throws 409 when the update has not ended,
 * when no version is known to return to, or when the device has another open update; for an operator also
 * while the device is locked out.
 */
export async function rollBack(
  tx: TenantTx,
  update: updates.UpdateRow,
  { userId, now }: RollbackInput,
): Promise<string> {
  if (isOpen(update.status))
    throw conflict('STATE_CONFLICT', OTA_TEXTS.OTA_CANCEL_FIRST({ status: update.status }))
  const firmware = await findLastGoodVersion(tx, update)
  if (!firmware) throw conflict('STATE_CONFLICT', OTA_TEXTS.OTA_NO_EARLIER_VERSION())
  const target = await findTargetOfUpdate(tx, update)
  checkTargetFits(target, firmware)
  // An automatic rollback has one chance to be created: it is queued, and a locked-out device is not
  // notified.
  if (userId !== null) await refuseLockedTargets(tx, [target])
  const { timeout_s: timeoutS, retries, id: rollbackOf } = update
  const back = newUpdate({ target, firmwareId: firmware.id, timeoutS, retries, userId, now, rollbackOf })
  await updates.insert(tx, [back])
  return back.id
}
