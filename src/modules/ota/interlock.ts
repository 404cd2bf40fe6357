import type { TenantDb, TenantTx } from '../../platform/db/tenant.ts'
import { lockedOutDevices, refuseLockedOut } from '../loto/index.ts'
import type { Command } from './command-store.ts'
import { devicesBehind, type Target } from './target-store.ts'

/**
 * 409 LOTO_LOCKED_OUT while people may be at work on one of the devices, or on one behind a gateway that is to be updated:
 * one that starts anew may switch what it commands.
 */
export async function refuseLockedTargets(
  tx: TenantTx,
  targets: readonly Pick<Target, 'kind' | 'id'>[],
): Promise<void> {
  const idsOf = (kind: Target['kind']) => targets.filter((target) => target.kind === kind).map(({ id }) => id)
  const behind = await devicesBehind(tx, idsOf('gateway'))
  await refuseLockedOut(tx, [...new Set([...idsOf('device'), ...behind])])
}

/** Whether it is so now: for what is told again. */
export async function isLockedOut(
  tenant: TenantDb,
  { device_id: deviceId, via_gateway_id: gatewayId }: Pick<Command, 'device_id' | 'via_gateway_id'>,
): Promise<boolean> {
  const ids = deviceId === null ? await devicesBehind(tenant, [gatewayId]) : [deviceId]
  return ids.length > 0 && (await lockedOutDevices(tenant, ids)).size > 0
}
