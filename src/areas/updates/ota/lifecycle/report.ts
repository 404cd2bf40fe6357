import type { TenantTx } from '../../../../platform/db/tenant.ts'
import type { Progress } from '../devices/messages.ts'
import { OTA_ERROR_MAX_LENGTH } from '../limits.ts'
import type { Command } from '../updates/command-store.ts'
import { isUnderWay, moveOfWord, type OtaMove, statusAfter } from '../updates/states.ts'
import * as updates from '../updates/store.ts'
import { moveUpdate } from '../updates/transition.ts'
import { settleUpdate } from './settle-update.ts'

export type Report = Omit<Progress, 'kind' | 'update'>

interface Meant {
  readonly move: OtaMove | undefined
  readonly error?: string
}

/** NUL cannot be kept. */
const textOf = (text: string): string => text.replaceAll('\0', '').slice(0, OTA_ERROR_MAX_LENGTH)

/**
 * What a report comes to: a device whose file is not ours, or that runs something else afterwards, has failed whatever it
 * says. One that says no more than that it runs the new version has succeeded.
 */
export function meaningOf(
  { state, error, sha256, version }: Report,
  command: Pick<Command, 'sha256' | 'version' | 'status'>,
): Meant {
  const move = state === undefined ? undefined : moveOfWord(state)
  if (sha256 !== undefined && sha256.toLowerCase() !== command.sha256)
    return { move: 'fail', error: `the device has a file with the SHA-256 ${textOf(sha256).slice(0, 64)}` }
  if (move === 'succeed' && version !== undefined && version !== command.version)
    return { move: 'fail', error: `the device runs ${textOf(version)} after the installation` }
  if (move === 'fail') return { move, error: textOf(error ?? '') || 'the device gives no reason' }
  if (state === undefined && version === command.version && command.status !== 'notified')
    return { move: 'succeed' }
  return { move }
}

/**
 * Whether a report speaks of an attempt that is over. A device that does not say which one it means is taken at its time, and
 * that only when it has failed: what was sent before this attempt was told to it must not end it, while any other step of a
 * device with a wrong clock still counts.
 */
async function isOfBefore(
  tx: TenantTx,
  update: updates.UpdateRow,
  { attempt, saidAt, move }: Report & { readonly move: OtaMove | undefined },
): Promise<boolean> {
  if (attempt !== undefined) return attempt !== update.attempt
  if (move !== 'fail' || saidAt === undefined) return false
  const told = await updates.toldAt(tx, update.id)
  return told !== undefined && saidAt < told.getTime()
}

/** Writes a report down; answers the updates whose devices are to be told. What comes late changes nothing. */
export async function takeReport(
  tx: TenantTx,
  { command, report, at }: { readonly command: Command; readonly report: Report; readonly at: Date },
): Promise<string[]> {
  const update = await updates.lock(tx, command.id)
  if (!update) return []
  const { move, error } = meaningOf(report, { ...command, status: update.status })
  if (await isOfBefore(tx, update, { ...report, move })) return []
  const to = move && statusAfter(move, update.status, 'device')
  const { progressPct } = report
  if (!move || !to) {
    if (progressPct !== undefined && isUnderWay(update.status))
      await updates.noteProgress(tx, update.id, progressPct)
    return []
  }
  const pct = to === 'succeeded' ? 100 : Math.max(progressPct ?? 0, update.progress_pct)
  await moveUpdate(tx, update, {
    move,
    by: 'device',
    at,
    detail: error ?? null,
    set: { progress_pct: pct, ...(error !== undefined && { error }) },
  })
  if (to === 'succeeded' && update.gateway_id !== null)
    await updates.noteGatewayVersion(tx, update.gateway_id, command.version)
  return to === 'succeeded' || to === 'failed' ? settleUpdate(tx, update.id, at) : []
}
