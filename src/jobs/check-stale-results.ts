import { checkStaleGroup, listMarkedGroups, type TenantKey } from '../areas/netting/index.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { forEachPart } from './for-each-page.ts'
import { STALE_SLOT_MAX_MS } from './limits.ts'

/** Checks the groups whose input has changed. After STALE_SLOT_MAX_MS the rest is left to the next slot. */
export function checkStaleResults(deps: Deps, circumstances: JobContext): Promise<void> {
  const started = performance.now()
  return forEachPart<TenantKey>(deps, circumstances, {
    what: 'group',
    list: (page) => listMarkedGroups(systemDb(deps.database.kysely), page),
    async work(group) {
      if (performance.now() - started < STALE_SLOT_MAX_MS) await checkStaleGroup(deps, group)
    },
  })
}
