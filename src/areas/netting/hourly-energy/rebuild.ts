/**
 * Deriving facts again after a change of the registry.
 *
 * Purpose. Assignments, metering points, installations and memberships decide what the facts of a facility mean and
 * which hours have one. A change queues the hours concerned in its own transaction, so no crash loses them. The facts
 * are derived in parts of at most one billing period, each in one transaction that also takes its hours from the queue:
 * the work is idempotent and resumes where it was stopped.
 *
 * Three callers derive queued hours: the request that made the change, after its commit and for short ranges; a
 * calculation, before it reads the facts of its members; and the job `rebuild-facts`, which does the rest. So a
 * calculation does not see facts of before the change.
 */
import { splitByPeriod } from '../../../core/netting/window.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Range } from '../../../kernel/time.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { inTenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import { ALARM_TEXTS, withFailureAlarm } from '../alarms/index.ts'
import { REBUILD_IN_REQUEST_MS } from '../limits.ts'
import { HOURLY_ENERGY_TEXTS } from './messages.ts'
import { preparePartitions } from './official.ts'
import * as queue from './rebuild-store.ts'
import { type BuildDeps, buildWindow } from './service.ts'

interface QueuedHours {
  readonly tenantId: number
  readonly facilityId: string
  /** Only hours of this range. */
  readonly within?: Range
}

/** Derives the next queued part of a facility; false when there is none. */
async function rebuildNext(deps: BuildDeps, { tenantId, facilityId, within }: QueuedHours): Promise<boolean> {
  const { kysely } = deps.database
  const queued = await queue.firstRebuild(tenantDb(kysely, tenantId), facilityId, within)
  const part = queued && splitByPeriod(queued)[0]?.window
  if (!part) return false
  await preparePartitions(deps.database, [part])
  const failure = {
    policy: 'netting_hourly_build_failed',
    subject: { facilityId },
    what: ALARM_TEXTS.FAILURE_OF_BUILD(),
  } as const
  try {
    await withFailureAlarm(deps, tenantId, failure, () =>
      inTenantTx(kysely, tenantId, async (tx) => {
        await queue.takeRebuilds(tx, facilityId, part)
        await buildWindow(deps, tx, { facilityId, range: part })
      }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // A sealed month does not change. A calculation does not use its facts while their roles differ.
    deps.log.info({ facilityId, reason: error.message }, 'facts were not derived again')
    await inTenantTx(kysely, tenantId, (tx) => queue.takeRebuilds(tx, facilityId, part))
  }
  return true
}

/** Derives all queued hours of a facility; `signal` stops it between two parts. */
export async function rebuildFacility(
  deps: BuildDeps,
  { signal, ...hours }: QueuedHours & { readonly signal?: AbortSignal },
): Promise<void> {
  do signal?.throwIfAborted()
  while (await rebuildNext(deps, hours))
}

/** Derives the queued hours of the members of a group in a range. It precedes a calculation of the range. */
export async function rebuildMembers(
  deps: BuildDeps,
  tenantId: number,
  { groupId, range }: { readonly groupId: string; readonly range: Range },
): Promise<void> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  for (const facilityId of await queue.listQueuedMembers(tenant, groupId, range)) {
    await rebuildFacility(deps, { tenantId, facilityId, within: range })
  }
}

/**
 * Derives the queued hours of facilities after the commit of a change, where they are few. Returns a warning for the
 * rest, which the job derives. A failure is logged; the hours stay queued.
 */
export async function rebuildAfterChange(
  deps: BuildDeps,
  tenantId: number,
  facilityIds: readonly string[],
): Promise<Warning[]> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  for (const facilityId of new Set(facilityIds)) {
    const range = await queue.firstRebuild(tenant, facilityId, undefined)
    if (!range || range.to - range.from > REBUILD_IN_REQUEST_MS) continue
    try {
      await rebuildFacility(deps, { tenantId, facilityId, within: range })
    } catch (err) {
      deps.log.error({ err, facilityId }, 'facts could not be derived again after a change')
    }
  }
  if (!(await queue.hasRebuilds(tenant, facilityIds))) return []
  const message = HOURLY_ENERGY_TEXTS.FACTS_REBUILD_QUEUED()
  return [{ code: 'FACTS_REBUILD_QUEUED', subject: facilityIds.join(' '), message }]
}
