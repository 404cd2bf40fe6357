import { type FacilityHourEnergy, facilityHours } from '../../../core/netting/facility-hours.ts'
import type { Range } from '../../../kernel/time.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { listFacts } from '../calculation/index.ts'
import { listRoles } from '../hourly-energy/index.ts'

export type { FacilityHourEnergy }

/** Production and consumption of facilities by hour, from their facts; every hour of the range is listed. */
export async function readFacilityHours(
  db: TenantDb,
  facilityIds: readonly string[],
  window: Range,
): Promise<Map<string, readonly FacilityHourEnergy[]>> {
  const assignments = await listRoles(db, facilityIds, window)
  const facts = await listFacts(db, facilityIds, window)
  return facilityHours({ facilityIds, assignments, facts, window })
}
