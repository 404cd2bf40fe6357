import { AppError } from '../../../../kernel/errors.ts'
import type { Message } from '../../../../kernel/messages.ts'
import { toJson } from '../../../../platform/db/json-columns.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import {
  type ChargerRef,
  cancelCommandIfPending,
  enqueueCommand,
  recordEvent,
  type UpdateFirmware,
} from '../../../charging/index.ts'
import { downloadUrlOf } from '../downloads/link.ts'
import { applyReport, type DeviceReport } from '../lifecycle/report.ts'
import { settleUpdate } from '../lifecycle/settle-update.ts'
import { OTA_REASONS } from '../messages.ts'
import { findCommand, type UpdateCommand } from '../updates/command-store.ts'
import * as updates from '../updates/store.ts'
import { applyTransition } from '../updates/transition.ts'
import * as store from './store.ts'

type ChargerDeps = Pick<Deps, 'bus' | 'clock' | 'config' | 'database'>

/** The stored request of the command `update_firmware`. */
function requestOf(deps: ChargerDeps, tenantId: number, command: UpdateCommand): UpdateFirmware {
  const { signing_certificate, certificate_signature } = command
  return {
    update_id: command.id,
    attempt: command.attempt,
    location: downloadUrlOf(deps, tenantId, command).url,
    retrieve_at: new Date(deps.clock.now()).toISOString(),
    ...(signing_certificate !== null &&
      certificate_signature !== null && { signing_certificate, signature: certificate_signature }),
  }
}

async function queueCommand(
  deps: ChargerDeps,
  tx: TenantTx,
  {
    command,
    chargerId,
    now,
  }: { readonly command: UpdateCommand; readonly chargerId: string; readonly now: Date },
): Promise<void> {
  const request = requestOf(deps, tx.tenantId, command)
  const deadline = command.deadline_at?.getTime() ?? now.getTime()
  await enqueueCommand(tx, {
    charger: { chargerId },
    action: request.signature === undefined ? 'update_firmware' : 'update_signed_firmware',
    request,
    requestedBy: null,
    now,
    timeoutMs: Math.max(0, deadline - now.getTime()),
  })
}

/** The next step after the last command of an attempt: wait, send another command, or end the attempt. */
type Next = 'wait' | 'notify' | { readonly error: Message }

function nextAfter(lastCommand: Awaited<ReturnType<typeof store.findLastCommand>>): Next {
  switch (lastCommand?.state) {
    case 'pending':
    case 'sent':
    case 'accepted':
      return 'wait'
    case 'rejected':
    case 'failed':
      return {
        error:
          lastCommand.error === null
            ? OTA_REASONS.OTA_STATION_REFUSED()
            : OTA_REASONS.OTA_COMMAND_FAILED({ reason: lastCommand.error }),
      }
    default:
      // There is no command yet, or it was not delivered or got no response.
      return 'notify'
  }
}

/**
 * Queues the command that notifies a charging station of its update, and checks the outcome of the last one.
 * A refused command ends the attempt. Returns the ids of updates whose devices the caller notifies then.
 */
export async function notifyCharger(deps: ChargerDeps, tenantId: number, id: string): Promise<string[]> {
  const { database, clock, bus } = deps
  const now = new Date(clock.now())
  let isQueued = false
  let chargerId: string | null = null
  const work = async (tx: TenantTx): Promise<string[]> => {
    const update = await updates.lock(tx, id)
    const command = await findCommand(tx, id)
    if (!update || !command || update.via_charger_id === null) return []
    chargerId = update.via_charger_id
    const lastCommand = await store.findLastCommand(tx, update)
    if (update.status === 'cancelled' && lastCommand) await cancelCommandIfPending(tx, lastCommand.id, now)
    if (!update.is_due || (update.status !== 'queued' && update.status !== 'notified')) return []
    const next = nextAfter(lastCommand)
    if (next === 'wait') return []
    if (next === 'notify') {
      await queueCommand(deps, tx, { command, chargerId, now })
      isQueued = true
      if (update.status === 'notified') await updates.setNotifiedAt(tx, id, now)
      else
        await applyTransition(tx, update, {
          transition: 'notify',
          by: 'service',
          at: now,
          set: { notified_at: now },
        })
      return []
    }
    const { error } = next
    await applyTransition(tx, update, {
      transition: 'fail',
      by: 'device',
      at: now,
      detail: error,
      set: { error: toJson(error) },
    })
    return settleUpdate(tx, id, now)
  }
  try {
    const toNotify = await inTenantTx(database.kysely, tenantId, work)
    if (isQueued && chargerId !== null) bus.emit('charger_command', { tenantId, chargerId })
    return toNotify
  } catch (error) {
    // The update stays queued until the lock-out ends.
    if (error instanceof AppError && error.code === 'LOTO_LOCKED_OUT') return []
    throw error
  }
}

/** Reports by the statuses of both versions of OCPP; the others (Idle, scheduled, paused) change nothing. */
const REPORT_OF_STATUS: Readonly<Record<string, DeviceReport>> = {
  Downloading: { state: 'downloading' },
  Downloaded: { state: 'downloaded' },
  SignatureVerified: { state: 'downloaded' },
  Installing: { state: 'installing' },
  InstallRebooting: { state: 'installing' },
  Installed: { state: 'succeeded' },
  DownloadFailed: { state: 'failed', error: OTA_REASONS.OTA_DOWNLOAD_FAILED() },
  InvalidSignature: { state: 'failed', error: OTA_REASONS.OTA_SIGNATURE_REFUSED() },
  InstallVerificationFailed: {
    state: 'failed',
    error: OTA_REASONS.OTA_INSTALLATION_NOT_VERIFIED(),
  },
  InstallationFailed: { state: 'failed', error: OTA_REASONS.OTA_INSTALLATION_FAILED() },
}

interface StationRef extends ChargerRef {
  readonly tenantId: number
}

async function applyStationReport(
  deps: ChargerDeps,
  { tenantId }: StationRef,
  { id, report }: { readonly id: string; readonly report: DeviceReport },
): Promise<string[]> {
  const command = await findCommand(tenantDb(deps.database.kysely, tenantId), id)
  if (!command) return []
  const at = new Date(deps.clock.now())
  return inTenantTx(deps.database.kysely, tenantId, (tx) => applyReport(tx, { command, report: report, at }))
}

/**
 * Handles FirmwareStatusNotification, signed or not; returns the ids of updates whose devices the caller
 * notifies then.
 */
export async function handleFirmwareStatus(
  deps: ChargerDeps,
  station: StationRef,
  { status, commandNumber }: { readonly status: string; readonly commandNumber?: number | undefined },
): Promise<string[]> {
  const { kysely } = deps.database
  const { tenantId, chargerId } = station
  const command = await store.findUpdateOfCommand(tenantDb(kysely, tenantId), { chargerId, commandNumber })
  const details = { status, update_id: command?.updateId ?? null, attempt: command?.attempt ?? null }
  const now = new Date(deps.clock.now())
  await inTenantTx(kysely, tenantId, (tx) =>
    recordEvent(tx, station, { type: 'firmware_status', details, now }),
  )
  const report = REPORT_OF_STATUS[status]
  if (!report || !command) return []
  return applyStationReport(deps, station, {
    id: command.updateId,
    report: { ...report, attempt: command.attempt },
  })
}

/** A station that boots with the new version has installed it, whether it reported so or not. */
export async function handleBootVersion(
  deps: ChargerDeps,
  station: StationRef,
  version: string,
): Promise<string[]> {
  const open = await store.findOpenUpdate(tenantDb(deps.database.kysely, station.tenantId), station.chargerId)
  return open
    ? applyStationReport(deps, station, { id: open.id, report: { version, attempt: open.attempt } })
    : []
}
