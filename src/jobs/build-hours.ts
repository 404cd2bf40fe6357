import { FACTS_BACKFILL_MS } from '../kernel/limits.ts'
import { floorHour, type Range } from '../kernel/time.ts'
import { buildFacts, listMeasuredFacilities } from '../modules/netting/index.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { Deps } from '../platform/deps.ts'
import type { Circumstances } from '../platform/job.ts'
import { forEachPart, hoursDue } from './parts.ts'

/** Builds the hourly energy of every facility with meters over a range; what stands there and differs is corrected. */
export const buildRange = (deps: Deps, circumstances: Circumstances, range: Range): Promise<void> =>
  forEachPart(deps, circumstances, {
    what: 'facility',
    list: (page) => listMeasuredFacilities(systemDb(deps.database.kysely), range, page),
    work: (tenantId, facilityId) => buildFacts(deps, tenantId, { facilityIds: [facilityId], range }),
  })

/** The hourly build: the hour that has just ended. */
export const buildHours = (deps: Deps, slot: number, circumstances: Circumstances): Promise<void> =>
  buildRange(deps, circumstances, hoursDue(slot, circumstances))

/** The nightly build of the last days, for what came late. */
export const backfillHours = (deps: Deps, slot: number, circumstances: Circumstances): Promise<void> =>
  buildRange(deps, circumstances, { from: floorHour(slot) - FACTS_BACKFILL_MS, to: floorHour(slot) })
