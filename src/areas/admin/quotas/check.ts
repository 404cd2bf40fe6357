import { DAY_MS, localDate } from '../../../kernel/time.ts'
import { inTenantTx, systemDb, tenantDb } from '../../../platform/db/tenant.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  listActiveTenants,
  measureStorage,
  type QuotaUse,
  readUse,
  removeDaysBefore,
} from '../../access/quotas/index.ts'
import { type AlarmChange, applyAlarms } from '../../alarms/system-alarms/index.ts'
import { QUOTA_DAYS_KEPT, QUOTA_WARNING_SHARE } from './limits.ts'
import { QUOTA_TEXTS } from './messages.ts'

type CheckDeps = Pick<Deps, 'config' | 'clock' | 'database' | 'log'>

const POLICY = 'tenant_quota_used'

/** The alarm of a quota: open from QUOTA_WARNING_SHARE on, critical when it is used up. */
function quotaAlarm({ name, limit, used }: QuotaUse, samplesRefused: number): AlarmChange {
  const cause = `quota:${name}`
  if (limit === null || used < limit * QUOTA_WARNING_SHARE)
    return { policy: POLICY, cause, isOpen: false, reason: QUOTA_TEXTS.QUOTA_HAS_ROOM() }
  const isUsedUp = used >= limit
  const parameters = { quota: name, used, max: limit }
  const isRefusing =
    isUsedUp && samplesRefused > 0 && (name === 'samples_per_day' || name === 'storage_bytes')
  const message = isRefusing
    ? QUOTA_TEXTS.QUOTA_SAMPLES_REFUSED({ ...parameters, refused: samplesRefused })
    : (isUsedUp ? QUOTA_TEXTS.QUOTA_USED_UP : QUOTA_TEXTS.QUOTA_NEARLY_USED)(parameters)
  return {
    policy: POLICY,
    cause,
    isOpen: true,
    severity: isUsedUp ? 'critical' : 'warning',
    message,
    lastValue: String(used),
    payload: parameters,
  }
}

/** Estimates the storage of every tenant, and opens and closes the alarms of quotas. */
export async function checkQuotas(deps: CheckDeps, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const { clock, database, log } = deps
  const system = systemDb(database.kysely)
  // The statistics of a table are visible to a role that may read it, and partitions are readable for their owner only.
  await measureStorage(systemDb(database.owner.kysely), new Date(clock.now()))
  await removeDaysBefore(system, localDate(clock.now() - QUOTA_DAYS_KEPT * DAY_MS))
  for (const { id } of await listActiveTenants(system)) {
    if (signal.aborted) return
    try {
      const { quotas, samples_refused } = await readUse(deps, tenantDb(database.kysely, id))
      const changes = quotas.map((use) => quotaAlarm(use, samples_refused))
      await inTenantTx(database.kysely, id, (tx) => applyAlarms(tx, changes, { at: clock.now() }))
    } catch (error) {
      log.error({ err: error, tenantId: id }, 'the quotas of a tenant could not be checked')
    }
  }
}
