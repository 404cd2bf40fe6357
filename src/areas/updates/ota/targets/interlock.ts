import type { Range } from '../../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { lockedOutDevices, lockedOutTimes, refuseLockedOut } from '../../../safety/loto/index.ts'
import type { UpdateCommand } from '../updates/command-store.ts'
import { listDevicesBehind, type Target } from './store.ts'

/**
 * Throws 409 LOTO_LOCKED_OUT while people may be at work on one of the devices, or on one behind a gateway to
 * be updated: a device that restarts may switch what it controls.
 */
export async function refuseLockedTargets(
  tx: TenantTx,
  targets: readonly Pick<Target, 'kind' | 'id'>[],
): Promise<void> {
  const idsOf = (kind: Target['kind']) => targets.filter((target) => target.kind === kind).map(({ id }) => id)
  const behind = await listDevicesBehind(tx, idsOf('gateway'))
  await refuseLockedOut(tx, [...new Set([...idsOf('device'), ...behind])])
}

/** The subject of an update; without a device it is the gateway. */
type UpdateSubject = Pick<UpdateCommand, 'device_id' | 'via_gateway_id'>

/** The devices that an update may set in motion. */
const affectedDevices = async (
  tenant: TenantDb,
  { device_id: id, via_gateway_id: gatewayId }: UpdateSubject,
) => (id === null ? listDevicesBehind(tenant, gatewayId === null ? [] : [gatewayId]) : [id])

/** Throws 409 LOTO_LOCKED_OUT: a device may install by itself what it fetches now. */
export const refuseWhileLockedOut = async (tx: TenantTx, update: UpdateSubject): Promise<void> =>
  refuseLockedOut(tx, await affectedDevices(tx, update))

/** True while a subject is locked out. */
export async function isLockedOut(tenant: TenantDb, update: UpdateSubject): Promise<boolean> {
  const ids = await affectedDevices(tenant, update)
  return ids.length > 0 && (await lockedOutDevices(tenant, ids)).size > 0
}

/** The deadline of an attempt that began at `from`; the time of lock-outs does not count. */
export function extendDeadline(from: number, timeoutMs: number, locked: readonly Range[]): number {
  let end = from + timeoutMs
  for (const range of locked) if (range.from < end) end += range.to - Math.max(range.from, from)
  return end
}

/** The deadline of an attempt by what is known at `to`. */
export async function currentDeadline(
  tenant: TenantDb,
  update: UpdateSubject & { readonly timeout_s: number },
  span: Range,
): Promise<number> {
  const locked = await lockedOutTimes(tenant, await affectedDevices(tenant, update), span)
  return extendDeadline(span.from, update.timeout_s * 1000, locked)
}
