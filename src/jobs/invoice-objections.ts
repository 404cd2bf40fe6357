import { clearOldChecks, listTenantsOfChecks, remindTenant } from '../areas/netting/index.ts'
import { systemDb } from '../platform/db/tenant.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { forEachPart } from './for-each-page.ts'

const forEachTenant = (deps: Deps, circumstances: JobContext, work: (tenantId: number) => Promise<void>) =>
  forEachPart<number>(deps, circumstances, {
    what: 'tenant',
    list: (page) => listTenantsOfChecks(systemDb(deps.database.kysely), page),
    work,
  })

/** Opens and closes the reminders of objections for the day of the slot. */
export const remindOfObjections = (deps: Deps, slot: number, circumstances: JobContext): Promise<void> =>
  forEachTenant(deps, circumstances, (tenantId) => remindTenant(deps, tenantId, slot))

/** Deletes invoice checks after their retention. */
export const clearInvoiceChecks = (deps: Deps, circumstances: JobContext): Promise<void> =>
  forEachTenant(deps, circumstances, (tenantId) => clearOldChecks(deps, tenantId))
