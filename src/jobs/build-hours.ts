import {
  type DeviceRef,
  deleteLateHours,
  listLateDevices,
  mergeRanges,
  readLateHours,
} from '../areas/metering/rollup/index.ts'
import {
  buildFacts,
  listFacilitiesOf,
  listMeasuredFacilities,
  listQueuedFacilities,
  rebuildFacility,
  type TenantKey,
} from '../areas/netting/index.ts'
import { FACTS_BACKFILL_MS, LATE_AFTER_MS } from '../kernel/limits.ts'
import { DAY_MS, floorHour, type Range } from '../kernel/time.ts'
import { systemDb, tenantDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { forEachPart, hoursDue } from './for-each-page.ts'
import { JOB_MAKE_UP_MAX_MS } from './limits.ts'

/**
 * Builds the hourly energy of every facility with meters over a range, and corrects stored hours that
 * differ.
 */
export const buildRange = (deps: Deps, circumstances: JobContext, range: Range): Promise<void> =>
  forEachPart<TenantKey>(deps, circumstances, {
    what: 'facility',
    list: (page) => listMeasuredFacilities(systemDb(deps.database.kysely), range, page),
    work: ({ tenantId, id: facilityId }) => buildFacts(deps, tenantId, { facilityIds: [facilityId], range }),
  })

/** Builds the hour that has just ended. */
export const buildHours = (deps: Deps, slot: number, circumstances: JobContext): Promise<void> =>
  buildRange(deps, circumstances, hoursDue(slot, circumstances))

/**
 * Builds the last days each night to include late samples, and older hours for which samples have arrived.
 * After nights without a build it starts where the last one ended.
 */
export async function backfillHours(deps: Deps, slot: number, circumstances: JobContext): Promise<void> {
  const { after = slot - DAY_MS } = circumstances
  const to = floorHour(slot)
  const back = Math.min(to - FACTS_BACKFILL_MS, floorHour(after) - LATE_AFTER_MS)
  await buildRange(deps, circumstances, { from: Math.max(back, to - JOB_MAKE_UP_MAX_MS), to })
  await forEachPart<DeviceRef>(deps, circumstances, {
    what: 'device',
    list: (page) => listLateDevices(deps.database.pool, page),
    work: (device) => buildLate(deps, device),
  })
}

/** Derives the queued hours of facilities after changes of the registry. */
export const rebuildFacts = (deps: Deps, circumstances: JobContext): Promise<void> =>
  forEachPart<TenantKey>(deps, circumstances, {
    what: 'facility',
    list: (page) => listQueuedFacilities(systemDb(deps.database.kysely), page),
    work: ({ tenantId, id: facilityId }) =>
      rebuildFacility(deps, { tenantId, facilityId, signal: circumstances.signal }),
  })

async function buildLate(deps: Deps, device: DeviceRef): Promise<void> {
  const { pool, kysely } = deps.database
  const { ids, ranges } = await readLateHours(pool, device)
  for (const range of mergeRanges(ranges)) {
    const tenant = tenantDb(kysely, device.tenantId)
    const facilityIds = await listFacilitiesOf(tenant, device.deviceKey, range)
    await buildFacts(deps, device.tenantId, { facilityIds, range })
  }
  await deleteLateHours(pool, device, ids)
}
