import { randomUUID } from 'node:crypto'
import { conflict, found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import { parseInstant } from '../../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import { type FirmwareRow, findFirmware, isInstallable } from '../../firmware/index.ts'
import * as batches from '../batches/store.ts'
import { wavesOf } from '../batches/wave-decision.ts'
import {
  OTA_BATCH_TARGETS_MAX,
  OTA_TIMEOUT_DEFAULT_S,
  OTA_TIMEOUT_MAX_S,
  OTA_TIMEOUT_MIN_S,
} from '../limits.ts'
import { refuseLockedTargets } from '../targets/interlock.ts'
import { filterTargets, findTargets, type Target, type TargetKind } from '../targets/store.ts'
import type { StartBatch, StartUpdate } from './schema.ts'
import * as updates from './store.ts'

export interface Ordered<Body> {
  readonly body: Body
  readonly userId: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Where stations find this service; undefined where PUBLIC_BASE_URL is not set. */
  readonly baseUrl: string | undefined
}

/** 409 for a charging station without an address that it could fetch its firmware from. */
function checkReach(targets: readonly Target[], baseUrl: string | undefined): void {
  if (baseUrl === undefined && targets.some(({ viaCharger }) => viaCharger !== null))
    throw conflict(
      'STATE_CONFLICT',
      'PUBLIC_BASE_URL is not set, so a charging station cannot be told where its firmware is',
    )
}

/** So many seconds each attempt has. 422 for a deadline that is over, too near or too far. */
function timeoutOf(deadline: string | undefined, now: number): number {
  if (deadline === undefined) return OTA_TIMEOUT_DEFAULT_S
  const seconds = Math.floor(((parseInstant(deadline)?.at ?? now) - now) / 1000)
  if (seconds < OTA_TIMEOUT_MIN_S || seconds > OTA_TIMEOUT_MAX_S)
    throw invalidInput(['body', 'deadline'], 'must lie between a minute and 30 days from now')
  return seconds
}

async function installable(tenant: TenantDb, id: string): Promise<FirmwareRow> {
  const firmware = await findFirmware(tenant, id)
  if (!firmware) throw invalidReference('firmware_version_id')
  if (!isInstallable(firmware.status))
    throw conflict(
      'STATE_CONFLICT',
      `the firmware version is ${firmware.status}: only a released one is installed`,
    )
  return firmware
}

/** 422 for a target that the firmware is not for, or that nobody can tell. */
export function checkFit(
  { kind, name, models, via, viaCharger }: Target,
  { device_model }: Pick<FirmwareRow, 'device_model'>,
): void {
  if (!models.includes(device_model)) {
    const has = models.length === 0 ? 'has no model' : `is a ${models.join(' / ')}`
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      `the firmware is for ${device_model}; the ${kind} ${name} ${has}`,
    )
  }
  if (via === null && viaCharger === null)
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      `the ${kind} ${name} cannot be told: it is no charger, and no gateway of type mqtt speaks for it`,
    )
}

export interface Making {
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

/** Who speaks for a target that fits. */
export const viaOf = ({ via, viaCharger }: Target) => ({ via_gateway_id: via, via_charger_id: viaCharger })

export function newUpdate(making: Making): updates.NewUpdate {
  const { target, firmwareId, timeoutS, retries, userId, now, rollsBack = false, rollbackOf, batch } = making
  const { kind, id, version } = target
  const isDue = batch === undefined || batch.wave === 1
  return {
    id: randomUUID(),
    device_id: kind === 'device' ? id : null,
    gateway_id: kind === 'gateway' ? id : null,
    ...viaOf(target),
    firmware_version_id: firmwareId,
    batch_id: batch?.id ?? null,
    wave: batch?.wave ?? 1,
    is_due: isDue,
    retries,
    retries_left: retries,
    rolls_back: rollsBack,
    timeout_s: timeoutS,
    begun_at: isDue ? new Date(now) : null,
    deadline_at: isDue ? new Date(now + timeoutS * 1000) : null,
    from_version: version,
    rollback_of: rollbackOf ?? null,
    created_by: userId,
    created_at: new Date(now),
    changed_at: new Date(now),
  }
}

/** Begins the update of one device or gateway; answers its id. It is told after the commit. */
export async function startUpdate(
  tx: TenantTx,
  { body, userId, now, baseUrl }: Ordered<StartUpdate>,
): Promise<string> {
  const { device_id: deviceId, gateway_id: gatewayId } = body
  if ((deviceId === undefined) === (gatewayId === undefined))
    throw invalidInput(['body'], 'must have either device_id or gateway_id')
  const timeoutS = timeoutOf(body.deadline, now)
  const firmware = await installable(tx, body.firmware_version_id)
  const kind: TargetKind = deviceId === undefined ? 'gateway' : 'device'
  const [target] = await findTargets(tx, kind, [deviceId ?? gatewayId ?? ''])
  if (!target) throw invalidReference(`${kind}_id`)
  checkFit(target, firmware)
  checkReach([target], baseUrl)
  await refuseLockedTargets(tx, [target])
  const { retries, rollback_on_failure: rollsBack } = body
  const update = newUpdate({ target, firmwareId: firmware.id, timeoutS, retries, userId, now, rollsBack })
  await updates.insert(tx, [update])
  return update.id
}

/** In the order of the request, each once; 422 for one that is not there. */
async function namedTargets(tx: TenantTx, kind: TargetKind, ids: readonly string[] = []): Promise<Target[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const known = new Map((await findTargets(tx, kind, wanted)).map((target) => [target.id, target]))
  return wanted.map((id) => {
    const target = known.get(id)
    if (!target) throw invalidReference(`${kind}_ids`)
    return target
  })
}

async function targetsOf(tx: TenantTx, body: StartBatch, firmware: FirmwareRow): Promise<Target[]> {
  const { device_ids: deviceIds, gateway_ids: gatewayIds, filter } = body
  if ((filter === undefined) === (deviceIds === undefined && gatewayIds === undefined))
    throw invalidInput(['body'], 'must have either ids or a filter')
  const targets = filter
    ? await filterTargets(tx, {
        kind: filter.target,
        model: firmware.device_model,
        subregionId: filter.subregion_id,
        limit: OTA_BATCH_TARGETS_MAX + 1,
      })
    : [...(await namedTargets(tx, 'device', deviceIds)), ...(await namedTargets(tx, 'gateway', gatewayIds))]
  if (targets.length > OTA_BATCH_TARGETS_MAX)
    throw unprocessable('BUSINESS_RULE_VIOLATION', `a batch has at most ${OTA_BATCH_TARGETS_MAX} updates`)
  if (targets.length === 0)
    throw unprocessable('BUSINESS_RULE_VIOLATION', 'the filter finds nothing that can be updated')
  return targets
}

/** Begins one version for many, all or nothing; answers the batch's id. Its first wave is told after the commit. */
export async function startBatch(
  tx: TenantTx,
  { body, userId, now, baseUrl }: Ordered<StartBatch>,
): Promise<string> {
  const timeoutS = timeoutOf(body.deadline, now)
  const firmware = await installable(tx, body.firmware_version_id)
  const targets = await targetsOf(tx, body, firmware)
  for (const target of targets) checkFit(target, firmware)
  checkReach(targets, baseUrl)
  const busy = targets.filter(({ hasOpenUpdate }) => hasOpenUpdate)
  if (busy.length > 0)
    throw conflict(
      'STATE_CONFLICT',
      `${busy.length} of them have an update that is not finished: ${busy[0]?.name}`,
    )
  await refuseLockedTargets(tx, targets)
  const waves = wavesOf(targets.length, body.groups)
  const id = await batches.insert(tx, {
    firmware_version_id: firmware.id,
    wave_sizes: waves,
    success_threshold_pct: body.success_threshold_pct,
    error_threshold_pct: body.error_threshold_pct,
    rollback_on_error: body.rollback_on_error,
    created_by: userId,
    created_at: new Date(now),
  })
  const waveOf = waves.flatMap((size, place) => Array<number>(size).fill(place + 1))
  const rows = targets.map((target, place) => {
    const batch = { id, wave: waveOf[place] ?? 1 }
    return newUpdate({ target, firmwareId: firmware.id, timeoutS, retries: body.retries, userId, now, batch })
  })
  await updates.insert(tx, rows)
  return id
}

/** The device or gateway of an update, as it is now. */
export async function targetOfUpdate(
  tx: TenantTx,
  { device_id: deviceId, gateway_id: gatewayId }: Pick<updates.UpdateRow, 'device_id' | 'gateway_id'>,
): Promise<Target> {
  const [target] = await (deviceId === null
    ? findTargets(tx, 'gateway', gatewayId === null ? [] : [gatewayId])
    : findTargets(tx, 'device', [deviceId]))
  return found('device', target)
}
