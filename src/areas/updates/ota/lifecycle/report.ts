import type { Message } from '../../../../kernel/messages.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import type { Progress } from '../devices/messages.ts'
import { OTA_ERROR_MAX_LENGTH } from '../limits.ts'
import { OTA_REASONS } from '../messages.ts'
import type { UpdateCommand } from '../updates/command-store.ts'
import { isUnderWay, type OtaTransition, statusAfter, transitionOfDeviceState } from '../updates/states.ts'
import * as updates from '../updates/store.ts'
import { applyTransition } from '../updates/transition.ts'
import { settleUpdate } from './settle-update.ts'

/** `error` is the text of a device, or a message for the status of a charging station. */
export type DeviceReport = Omit<Progress, 'kind' | 'update' | 'error'> & { readonly error?: string | Message }

interface Interpretation {
  readonly transition: OtaTransition | undefined
  readonly error?: Message
}

/** PostgreSQL cannot store NUL. */
const sanitize = (text: string): string => text.replaceAll('\0', '').slice(0, OTA_ERROR_MAX_LENGTH)

function reasonOf(error: string | Message = ''): Message {
  if (typeof error !== 'string') return error
  const text = sanitize(error)
  return text === '' ? OTA_REASONS.OTA_DEVICE_WITHOUT_REASON() : OTA_REASONS.OTA_DEVICE_REASON({ text })
}

/**
 * The transition that a report means. A device that has another file, or runs another version afterwards, has
 * failed whatever its state. A device that reports only that it runs the new version has succeeded.
 */
export function interpretReport(
  { state, error, sha256, version }: DeviceReport,
  command: Pick<UpdateCommand, 'sha256' | 'version' | 'status'>,
): Interpretation {
  const move = state === undefined ? undefined : transitionOfDeviceState(state)
  if (sha256 !== undefined && sha256.toLowerCase() !== command.sha256)
    return {
      transition: 'fail',
      error: OTA_REASONS.OTA_OTHER_FILE({ sha256: sanitize(sha256).slice(0, 64) }),
    }
  if (move === 'succeed' && version !== undefined && version !== command.version)
    return { transition: 'fail', error: OTA_REASONS.OTA_OTHER_VERSION({ version: sanitize(version) }) }
  if (move === 'fail') return { transition: move, error: reasonOf(error) }
  if (state === undefined && version === command.version && command.status !== 'notified')
    return { transition: 'succeed' }
  return { transition: move }
}

/**
 * True for a report of an attempt that is over. A report without an attempt is assigned by its time, and only
 * when it is a failure: a failure sent before the device was notified of this attempt must not end it, while
 * any other step of a device with a wrong clock still counts.
 */
async function isFromEarlierAttempt(
  tx: TenantTx,
  update: updates.UpdateRow,
  { attempt, reportedAt: saidAt, move }: DeviceReport & { readonly move: OtaTransition | undefined },
): Promise<boolean> {
  if (attempt !== undefined) return attempt !== update.attempt
  if (move !== 'fail' || saidAt === undefined) return false
  const notifiedAt = await updates.findNotifiedAt(tx, update.id)
  return notifiedAt !== undefined && saidAt < notifiedAt.getTime()
}

/** Applies a report and returns the ids of updates to notify. A late report changes nothing. */
export async function applyReport(
  tx: TenantTx,
  {
    command,
    report,
    at,
  }: { readonly command: UpdateCommand; readonly report: DeviceReport; readonly at: Date },
): Promise<string[]> {
  const update = await updates.lock(tx, command.id)
  if (!update) return []
  const { transition: move, error } = interpretReport(report, { ...command, status: update.status })
  if (await isFromEarlierAttempt(tx, update, { ...report, move })) return []
  const to = move && statusAfter(move, update.status, 'device')
  const { progressPct } = report
  if (!move || !to) {
    if (progressPct !== undefined && isUnderWay(update.status))
      await updates.setProgress(tx, update.id, progressPct)
    return []
  }
  const pct = to === 'succeeded' ? 100 : Math.max(progressPct ?? 0, update.progress_pct)
  await applyTransition(tx, update, {
    transition: move,
    by: 'device',
    at,
    detail: error ?? null,
    set: { progress_pct: pct, ...(error !== undefined && { error: toJson(error) }) },
  })
  if (to === 'succeeded' && update.gateway_id !== null)
    await updates.setGatewayVersion(tx, update.gateway_id, command.version)
  return to === 'succeeded' || to === 'failed' ? settleUpdate(tx, update.id, at) : []
}
