import {
  evaluateGroup,
  listActiveGroups,
  scanTariffs,
  type TenantKey,
  wasEvaluatedSince,
} from '../areas/netting/index.ts'
import { inTenantTx, systemDb, tenantDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { forEachPart } from './for-each-page.ts'

/** Evaluates the groups without an evaluation since the slot. An evaluation uses the current data. */
export const evaluateGroups = (deps: Deps, slot: number, circumstances: JobContext): Promise<void> => {
  const { kysely } = deps.database
  const evaluator = { by: null, clock: deps.clock, triggeredBy: 'schedule' } as const
  return forEachPart<TenantKey>(deps, circumstances, {
    what: 'group',
    list: (page) => listActiveGroups(systemDb(kysely), page),
    async work({ tenantId, id: groupId }) {
      if (await wasEvaluatedSince(tenantDb(kysely, tenantId), groupId, slot)) return
      await inTenantTx(kysely, tenantId, (tx) => evaluateGroup(tx, groupId, evaluator))
    },
  })
}

/** Reports the groups without an approved price for the month of the slot. */
export const scanForMissingTariffs = (deps: Deps, slot: number, circumstances: JobContext): Promise<void> =>
  forEachPart<TenantKey>(deps, circumstances, {
    what: 'group',
    list: (page) => listActiveGroups(systemDb(deps.database.kysely), page),
    work: ({ tenantId, id: groupId }) =>
      inTenantTx(deps.database.kysely, tenantId, (tx) => scanTariffs(tx, groupId, slot)),
  })
