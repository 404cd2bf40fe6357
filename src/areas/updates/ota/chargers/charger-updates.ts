import { AppError } from '../../../../kernel/errors.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/deps.ts'
import {
  type ChargerRef,
  cancelIfPending,
  placeCommand,
  recordEvent,
  type UpdateFirmware,
} from '../../../charging/index.ts'
import { linkOf } from '../downloads/link-of.ts'
import { type Report, takeReport } from '../lifecycle/report.ts'
import { settleUpdate } from '../lifecycle/settle-update.ts'
import { type Command, findCommand } from '../updates/command-store.ts'
import * as updates from '../updates/store.ts'
import { moveUpdate } from '../updates/transition.ts'
import * as store from './store.ts'

type ChargerDeps = Pick<Deps, 'bus' | 'clock' | 'config' | 'database'>

/** What `update_firmware` is asked to do, as its record has it. */
function requestOf(deps: ChargerDeps, tenantId: number, command: Command): UpdateFirmware {
  const { signing_certificate, certificate_signature } = command
  return {
    update_id: command.id,
    attempt: command.attempt,
    location: linkOf(deps, tenantId, command).url,
    retrieve_at: new Date(deps.clock.now()).toISOString(),
    ...(signing_certificate !== null &&
      certificate_signature !== null && { signing_certificate, signature: certificate_signature }),
  }
}

async function place(
  deps: ChargerDeps,
  tx: TenantTx,
  { command, chargerId, now }: { readonly command: Command; readonly chargerId: string; readonly now: Date },
): Promise<void> {
  const request = requestOf(deps, tx.tenantId, command)
  const deadline = command.deadline_at?.getTime() ?? now.getTime()
  await placeCommand(tx, {
    charger: { chargerId },
    action: request.signature === undefined ? 'update_firmware' : 'update_signed_firmware',
    request,
    requestedBy: null,
    now,
    timeoutMs: Math.max(0, deadline - now.getTime()),
  })
}

/** What came of the command of an attempt that is waited for: nothing to do, another one, or the end of the attempt. */
type Next = 'wait' | 'tell' | { readonly error: string }

function nextAfter(told: Awaited<ReturnType<typeof store.lastCommand>>): Next {
  switch (told?.state) {
    case 'pending':
    case 'sent':
    case 'accepted':
      return 'wait'
    case 'rejected':
    case 'failed':
      return { error: told.error ?? 'the charging station refused the update' }
    default:
      // None yet, or one that was not delivered or not answered.
      return 'tell'
  }
}

/**
 * Has a charging station told of its update by a command, and looks what came of the one that it was told by. One that is
 * refused ends the attempt. Answers the updates whose devices are to be told then.
 */
export async function tellCharger(deps: ChargerDeps, tenantId: number, id: string): Promise<string[]> {
  const { database, clock, bus } = deps
  const now = new Date(clock.now())
  let isPlaced = false
  let chargerId: string | null = null
  const work = async (tx: TenantTx): Promise<string[]> => {
    const update = await updates.lock(tx, id)
    const command = await findCommand(tx, id)
    if (!update || !command || update.via_charger_id === null) return []
    chargerId = update.via_charger_id
    const told = await store.lastCommand(tx, update)
    if (update.status === 'cancelled' && told) await cancelIfPending(tx, told.id, now)
    if (!update.is_due || (update.status !== 'queued' && update.status !== 'notified')) return []
    const next = nextAfter(told)
    if (next === 'wait') return []
    if (next === 'tell') {
      await place(deps, tx, { command, chargerId, now })
      isPlaced = true
      if (update.status === 'notified') await updates.noteTold(tx, id, now)
      else await moveUpdate(tx, update, { move: 'notify', by: 'service', at: now, set: { notified_at: now } })
      return []
    }
    const { error } = next
    await moveUpdate(tx, update, { move: 'fail', by: 'device', at: now, detail: error, set: { error } })
    return settleUpdate(tx, id, now)
  }
  try {
    const touched = await inTenantTx(database.kysely, tenantId, work)
    if (isPlaced && chargerId !== null) bus.emit('charger_command', { tenantId, chargerId })
    return touched
  } catch (error) {
    // It stays queued until nobody is at work on it any more.
    if (error instanceof AppError && error.code === 'LOTO_LOCKED_OUT') return []
    throw error
  }
}

/** The words of both versions of OCPP; the others (Idle, scheduled, paused) change nothing. */
const MEANINGS: Readonly<Record<string, Report>> = {
  Downloading: { state: 'downloading' },
  Downloaded: { state: 'downloaded' },
  SignatureVerified: { state: 'downloaded' },
  Installing: { state: 'installing' },
  InstallRebooting: { state: 'installing' },
  Installed: { state: 'succeeded' },
  DownloadFailed: { state: 'failed', error: 'the download failed' },
  InvalidSignature: { state: 'failed', error: 'the charging station did not accept the signature' },
  InstallVerificationFailed: { state: 'failed', error: 'the station could not verify the installation' },
  InstallationFailed: { state: 'failed', error: 'the installation failed' },
}

interface StationTells extends ChargerRef {
  readonly tenantId: number
}

async function report(
  deps: ChargerDeps,
  { tenantId }: StationTells,
  { id, said }: { readonly id: string; readonly said: Report },
): Promise<string[]> {
  const command = await findCommand(tenantDb(deps.database.kysely, tenantId), id)
  if (!command) return []
  const at = new Date(deps.clock.now())
  return inTenantTx(deps.database.kysely, tenantId, (tx) => takeReport(tx, { command, report: said, at }))
}

/** Takes FirmwareStatusNotification and its signed sister; answers the updates whose devices are to be told then. */
export async function takeFirmwareStatus(
  deps: ChargerDeps,
  station: StationTells,
  { status, commandNumber }: { readonly status: string; readonly commandNumber?: number | undefined },
): Promise<string[]> {
  const { kysely } = deps.database
  const { tenantId, chargerId } = station
  const spoken = await store.findSpokenOf(tenantDb(kysely, tenantId), { chargerId, commandNumber })
  const details = { status, update_id: spoken?.updateId ?? null, attempt: spoken?.attempt ?? null }
  const now = new Date(deps.clock.now())
  await inTenantTx(kysely, tenantId, (tx) =>
    recordEvent(tx, station, { type: 'firmware_status', details, now }),
  )
  const said = MEANINGS[status]
  if (!said || !spoken) return []
  return report(deps, station, { id: spoken.updateId, said: { ...said, attempt: spoken.attempt } })
}

/** A station that starts with the new version has taken it, whether it said so or not. */
export async function takeBootVersion(
  deps: ChargerDeps,
  station: StationTells,
  version: string,
): Promise<string[]> {
  const open = await store.findOpenOf(tenantDb(deps.database.kysely, station.tenantId), station.chargerId)
  return open ? report(deps, station, { id: open.id, said: { version, attempt: open.attempt } }) : []
}
