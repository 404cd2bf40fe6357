import { at } from '../../../../kernel/checked.ts'
import { conflict, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import type { TenantTx } from '../../../../platform/db/tenant.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import type { FirmwareRow } from '../../firmware/index.ts'
import { OTA_BATCH_TARGETS_MAX } from '../limits.ts'
import { OTA_TEXTS } from '../messages.ts'
import { refuseLockedTargets } from '../targets/interlock.ts'
import { findTargets, findUpdatableTargets, type Target, type TargetKind } from '../targets/store.ts'
import {
  type CreateInput,
  checkTargetFits,
  newUpdate,
  requireBaseUrl,
  requireInstallable,
  timeoutOf,
} from '../updates/create-update.ts'
import * as updates from '../updates/store.ts'
import type { StartBatch } from './schema.ts'
import * as batches from './store.ts'
import { splitIntoWaves } from './wave-decision.ts'

/** Targets in the order of the request, without duplicates. Throws 422 for an id that does not exist. */
async function findNamedTargets(
  tx: TenantTx,
  kind: TargetKind,
  ids: readonly string[] = [],
): Promise<Target[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const known = new Map((await findTargets(tx, kind, wanted)).map((target) => [target.id, target]))
  return wanted.map((id) => {
    const target = known.get(id)
    if (!target) throw invalidReference(`${kind}_ids`)
    return target
  })
}

async function resolveTargets(tx: TenantTx, body: StartBatch, firmware: FirmwareRow): Promise<Target[]> {
  const { device_ids: deviceIds, gateway_ids: gatewayIds, filter } = body
  if ((filter === undefined) === (deviceIds === undefined && gatewayIds === undefined))
    throw invalidInput(['body'], OTA_TEXTS.OTA_IDS_OR_FILTER())
  const targets = filter
    ? await findUpdatableTargets(tx, {
        kind: filter.target,
        model: firmware.device_model,
        subregionId: filter.subregion_id,
        limit: OTA_BATCH_TARGETS_MAX + 1,
      })
    : [
        ...(await findNamedTargets(tx, 'device', deviceIds)),
        ...(await findNamedTargets(tx, 'gateway', gatewayIds)),
      ]
  if (targets.length > OTA_BATCH_TARGETS_MAX)
    throw unprocessable(
      'BUSINESS_RULE_VIOLATION',
      OTA_TEXTS.OTA_BATCH_TOO_LARGE({ max: OTA_BATCH_TARGETS_MAX }),
    )
  if (targets.length === 0) throw unprocessable('BUSINESS_RULE_VIOLATION', OTA_TEXTS.OTA_BATCH_EMPTY())
  return targets
}

/**
 * Creates the updates of a batch, all or none, and returns the id of the batch. The caller notifies the
 * devices of the first wave after the commit.
 */
export async function startBatch(
  tx: TenantTx,
  { body, userId, now, baseUrl }: CreateInput<StartBatch>,
): Promise<string> {
  const timeoutS = timeoutOf(body.deadline, now)
  const firmware = await requireInstallable(tx, body.firmware_version_id)
  const targets = await resolveTargets(tx, body, firmware)
  for (const target of targets) checkTargetFits(target, firmware)
  requireBaseUrl(targets, baseUrl)
  const busy = targets.filter(({ hasOpenUpdate }) => hasOpenUpdate)
  if (busy.length > 0)
    throw conflict(
      'STATE_CONFLICT',
      OTA_TEXTS.OTA_BATCH_BUSY({ count: busy.length, name: busy[0]?.name ?? null }),
    )
  await refuseLockedTargets(tx, targets)
  const waves = splitIntoWaves(targets.length, body.groups)
  const id = await batches.insert(tx, {
    firmware_version_id: firmware.id,
    wave_sizes: waves,
    success_threshold_pct: body.success_threshold_pct,
    error_threshold_pct: body.error_threshold_pct,
    rollback_on_error: body.rollback_on_error,
    created_by: userId,
    created_at: new Date(now),
  })
  const waveByTarget = waves.flatMap((size, index) => Array<number>(size).fill(index + 1))
  const rows = targets.map((target, index) => {
    const batch = { id, wave: at(waveByTarget, index) }
    return newUpdate({ target, firmwareId: firmware.id, timeoutS, retries: body.retries, userId, now, batch })
  })
  await updates.insert(tx, rows)
  return id
}
