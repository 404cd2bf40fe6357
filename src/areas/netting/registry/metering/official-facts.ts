import { type TenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import {
  facilitiesOfMeters,
  moveOfficialMeterFacts,
  prepareMeterMove,
  rebuildAfterChange,
} from '../../hourly-energy/index.ts'

interface NamesInstallation {
  readonly osos_installation_id?: string | null | undefined
}

export interface PointChange<T> {
  readonly tenantId: number
  readonly inTx: (work: (tx: TenantTx) => Promise<T>) => Promise<T>
  /** The stored point; undefined for a new one. */
  readonly before: NamesInstallation | undefined
  readonly body: NamesInstallation & { readonly valid_from?: unknown; readonly valid_to?: unknown }
  readonly change: (tx: TenantTx) => Promise<T>
}

/**
 * Changes a metering point, and moves the official facts when the change affects the location of an
 * installation.
 */
export async function changePoint<T>(
  deps: Pick<Deps, 'clock' | 'database' | 'log'>,
  { tenantId, inTx, before, body, change }: PointChange<T>,
): Promise<T> {
  const { osos_installation_id: now, valid_from: from, valid_to: to } = body
  const isMove = now !== undefined || from !== undefined || to !== undefined
  const ids = [before?.osos_installation_id, now].flatMap((id) => id ?? [])
  if (!isMove || ids.length === 0) return inTx(change)
  await prepareMeterMove(deps, tenantId, ids)
  const result = await inTx((tx) => moveOfficialMeterFacts(deps, tx, { ids, change: () => change(tx) }))
  const facilityIds = await facilitiesOfMeters(tenantDb(deps.database.kysely, tenantId), ids)
  await rebuildAfterChange(deps, tenantId, facilityIds)
  return result
}
