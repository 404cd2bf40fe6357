import { listWaitingBulkGroups, runBulkGroup, type WaitingGroup } from '../areas/netting/index.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { forEachPart } from './for-each-page.ts'

/** Works off the waiting groups of bulk requests. What a stop leaves, the next slot continues. */
export const runBulkCalculations = (deps: Deps, circumstances: JobContext): Promise<void> => {
  const { tenantId } = circumstances
  return forEachPart<WaitingGroup>(deps, circumstances, {
    what: 'group',
    list: (page) => listWaitingBulkGroups(systemDb(deps.database.kysely), { ...page, tenantId }),
    work: (waiting) => runBulkGroup(deps, waiting),
  })
}
