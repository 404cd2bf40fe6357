import { randomUUID } from 'node:crypto'
import { conflict, found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import { parseInstant } from '../../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import { type FirmwareRow, findFirmware, isInstallable } from '../../firmware/index.ts'
import { OTA_TIMEOUT_DEFAULT_S, OTA_TIMEOUT_MAX_S, OTA_TIMEOUT_MIN_S } from '../limits.ts'
import { OTA_TEXTS } from '../messages.ts'
import { refuseLockedTargets } from '../targets/interlock.ts'
import { findTargets, type Target, type TargetKind } from '../targets/store.ts'
import type { StartUpdate } from './schema.ts'
import * as updates from './store.ts'

export interface CreateInput<Body> {
  readonly body: Body
  readonly userId: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The base of the URLs that charging stations fetch; undefined where PUBLIC_BASE_URL is not set. */
  readonly baseUrl: string | undefined
}

/**
 * Throws 409 STATE_CONFLICT when one of the targets is a charging station and there is no base URL for its
 * download.
 */
export function requireBaseUrl(targets: readonly Target[], baseUrl: string | undefined): void {
  if (baseUrl === undefined && targets.some(({ viaCharger }) => viaCharger !== null))
    throw conflict('STATE_CONFLICT', OTA_TEXTS.OTA_WITHOUT_BASE_URL())
}

/** Seconds that each attempt has. Throws 422 for a deadline in the past, too near or too far. */
export function timeoutOf(deadline: string | undefined, now: number): number {
  if (deadline === undefined) return OTA_TIMEOUT_DEFAULT_S
  const seconds = Math.floor(((parseInstant(deadline)?.at ?? now) - now) / 1000)
  if (seconds < OTA_TIMEOUT_MIN_S || seconds > OTA_TIMEOUT_MAX_S)
    throw invalidInput(['body', 'deadline'], OTA_TEXTS.OTA_DEADLINE_RANGE())
  return seconds
}

/** Throws 422 when the version does not exist and 409 when it is not released. */
export async function requireInstallable(tenant: TenantDb, id: string): Promise<FirmwareRow> {
  const firmware = await findFirmware(tenant, id)
  if (!firmware) throw invalidReference('firmware_version_id')
  if (!isInstallable(firmware.status))
    throw conflict('STATE_CONFLICT', OTA_TEXTS.OTA_FIRMWARE_NOT_RELEASED({ status: firmware.status }))
  return firmware
}

/** Throws 422 for a target of another model, and for one that no channel reaches. */
export function checkTargetFits(
  { kind, name, models, via, viaCharger }: Target,
  { device_model }: Pick<FirmwareRow, 'device_model'>,
): void {
  if (!models.includes(device_model)) {
    const target = { device_model, kind, name }
    const content =
      models.length === 0
        ? OTA_TEXTS.OTA_TARGET_WITHOUT_MODEL(target)
        : OTA_TEXTS.OTA_TARGET_OTHER_MODEL({ ...target, models: models.join(' / ') })
    throw unprocessable('BUSINESS_RULE_VIOLATION', content)
  }
  if (via === null && viaCharger === null)
    throw unprocessable('BUSINESS_RULE_VIOLATION', OTA_TEXTS.OTA_TARGET_WITHOUT_CHANNEL({ kind, name }))
}

export interface NewUpdateInput {
  readonly target: Target
  readonly firmwareId: string
  readonly timeoutS: number
  readonly retries: number
  readonly userId: string | null
  readonly now: number
  readonly rollsBack?: boolean
  readonly rollbackOf?: string
  readonly batch?: { readonly id: string; readonly wave: number }
}

/** The gateway or charging station through which a target is notified. */
export const channelOf = ({ via, viaCharger }: Target) => ({
  via_gateway_id: via,
  via_charger_id: viaCharger,
})

export function newUpdate(input: NewUpdateInput): updates.NewUpdate {
  const { target, firmwareId, timeoutS, retries, userId, now, rollsBack = false, rollbackOf, batch } = input
  const { kind, id, version } = target
  const isDue = batch === undefined || batch.wave === 1
  return {
    id: randomUUID(),
    device_id: kind === 'device' ? id : null,
    gateway_id: kind === 'gateway' ? id : null,
    ...channelOf(target),
    firmware_version_id: firmwareId,
    batch_id: batch?.id ?? null,
    wave: batch?.wave ?? 1,
    is_due: isDue,
    retries,
    retries_left: retries,
    rolls_back: rollsBack,
    timeout_s: timeoutS,
    attempt_started_at: isDue ? new Date(now) : null,
    deadline_at: isDue ? new Date(now + timeoutS * 1000) : null,
    from_version: version,
    rollback_of: rollbackOf ?? null,
    created_by: userId,
    created_at: new Date(now),
    changed_at: new Date(now),
  }
}

/**
 * Creates the update of one device or gateway and returns its id. The caller notifies the device after the
 * commit.
 */
export async function startUpdate(
  tx: TenantTx,
  { body, userId, now, baseUrl }: CreateInput<StartUpdate>,
): Promise<string> {
  const { device_id: deviceId, gateway_id: gatewayId } = body
  const targetId = deviceId ?? gatewayId
  if (targetId === undefined || (deviceId !== undefined && gatewayId !== undefined))
    throw invalidInput(['body'], OTA_TEXTS.OTA_DEVICE_OR_GATEWAY())
  const timeoutS = timeoutOf(body.deadline, now)
  const firmware = await requireInstallable(tx, body.firmware_version_id)
  const kind: TargetKind = deviceId === undefined ? 'gateway' : 'device'
  const [target] = await findTargets(tx, kind, [targetId])
  if (!target) throw invalidReference(`${kind}_id`)
  checkTargetFits(target, firmware)
  requireBaseUrl([target], baseUrl)
  await refuseLockedTargets(tx, [target])
  const { retries, rollback_on_failure: rollsBack } = body
  const update = newUpdate({ target, firmwareId: firmware.id, timeoutS, retries, userId, now, rollsBack })
  await updates.insert(tx, [update])
  return update.id
}

/** The device or gateway of an update in its present state. */
export async function findTargetOfUpdate(
  tx: TenantTx,
  { device_id: deviceId, gateway_id: gatewayId }: Pick<updates.UpdateRow, 'device_id' | 'gateway_id'>,
): Promise<Target> {
  const [target] = await (deviceId === null
    ? findTargets(tx, 'gateway', gatewayId === null ? [] : [gatewayId])
    : findTargets(tx, 'device', [deviceId]))
  return found('device', target)
}
