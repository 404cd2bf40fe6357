import { AppError } from '../../../../kernel/errors.ts'
import { inTenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import { messageOf } from '../../../../platform/observability/error-text.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { notifyCharger } from '../chargers/charger-updates.ts'
import { downloadUrlOf } from '../downloads/link.ts'
import { OTA_NOTIFY_CONCURRENCY } from '../limits.ts'
import { isLockedOut, refuseWhileLockedOut } from '../targets/interlock.ts'
import { findCommand, type UpdateCommand } from '../updates/command-store.ts'
import { statusAfter } from '../updates/states.ts'
import * as updates from '../updates/store.ts'
import { applyTransition } from '../updates/transition.ts'

export type NotifyDeps = Pick<Deps, 'broker' | 'bus' | 'clock' | 'config' | 'database' | 'log'>

/** The shared attributes that ThingsBoard devices read. */
export const encodeAttributes = (command: UpdateCommand): Readonly<Record<string, string | number>> => ({
  fw_title: command.device_model,
  fw_version: command.version,
  fw_tag: `${command.device_model} ${command.version}`,
  fw_size: command.size_bytes,
  fw_checksum: command.sha256,
  fw_checksum_algorithm: 'SHA256',
})

/**
 * The payload of `cmd/{update}`: everything that a device needs for an update; `url` is valid for this
 * attempt only.
 */
export function encodeCommand(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  tenantId: number,
  command: UpdateCommand,
): string {
  const { url, expiresAt } = downloadUrlOf({ config, clock }, tenantId, command)
  return JSON.stringify({
    id: command.id,
    type: 'firmware_update',
    attempt: command.attempt,
    device_id: command.device_id,
    device: command.device_name,
    device_model: command.device_model,
    version: command.version,
    file_name: command.file_name,
    size: command.size_bytes,
    sha256: command.sha256,
    signature: command.signature,
    url,
    url_expires_at: expiresAt.toISOString(),
    deadline_at: command.deadline_at?.toISOString() ?? null,
  })
}

const gatewayRoot = ({ tenant_uid: uid, via_gateway_id: id }: UpdateCommand): string => `ems/v1/${uid}/${id}/`

/** Marks an update as notified; false when its device is locked out, so that it stays queued. */
async function markNotified(deps: NotifyDeps, tenantId: number, id: string): Promise<boolean> {
  const at = new Date(deps.clock.now())
  try {
    return await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
      const update = await updates.lock(tx, id)
      if (!update?.is_due || statusAfter('notify', update.status, 'service') === undefined) return false
      await refuseWhileLockedOut(tx, update)
      await applyTransition(tx, update, { transition: 'notify', by: 'service', at, set: { notified_at: at } })
      return true
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'LOTO_LOCKED_OUT') return false
    throw error
  }
}

/**
 * Notifies one device. The update is marked before the command is published, because a device may respond at
 * once.
 */
async function notifyOne(deps: NotifyDeps, tenantId: number, id: string): Promise<void> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const command = await findCommand(tenant, id)
  if (!command) return
  if (command.via_charger_id !== null)
    return notifyDevices(deps, tenantId, await notifyCharger(deps, tenantId, id))
  const { broker } = deps
  const root = gatewayRoot(command)
  if (command.status === 'cancelled') {
    if (command.notified_at === null) return
    await broker.publish(`${root}cmd/${id}`, JSON.stringify({ id, type: 'firmware_cancel' }))
    return
  }
  if (command.status === 'queued') {
    if (!(await markNotified(deps, tenantId, id))) return
  } else if (command.status === 'notified') {
    if (await isLockedOut(tenant, command)) return
    await updates.setNotifiedAt(tenant, id, new Date(deps.clock.now()))
  } else return
  await broker.publish(`${root}cmd/${id}`, encodeCommand(deps, tenantId, command))
  await broker.publish(`${root}v1/devices/me/attributes`, JSON.stringify(encodeAttributes(command)))
}

/**
 * Notifies the devices of updates that an update begins or is cancelled. It never rejects: the watchdog
 * notifies again every device that this does not reach.
 */
export async function notifyDevices(
  deps: NotifyDeps,
  tenantId: number,
  ids: readonly string[],
): Promise<void> {
  const waiting = [...new Set(ids)]
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      await notifyOne(deps, tenantId, id).catch((error: unknown) =>
        deps.log.warn({ reason: messageOf(error), update: id }, 'a device was not notified of its update'),
      )
  }
  await Promise.all(Array.from({ length: OTA_NOTIFY_CONCURRENCY }, work))
}
