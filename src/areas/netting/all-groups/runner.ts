import { AppError } from '../../../kernel/errors.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { calculate } from '../calculation/index.ts'
import { correctGroup } from '../corrections/index.ts'
import { BULK_TEXTS } from './messages.ts'
import * as store from './store.ts'

/**
 * Calculates or corrects one group of a bulk request and records the result. After a crash before the record
 * the group is done again: a calculation finds its input unchanged, and a correction finds its chain.
 */
export async function runBulkGroup(deps: Deps, waiting: store.WaitingGroup): Promise<void> {
  const result = await resultOf(deps, waiting)
  await inTenantTx(deps.database.kysely, waiting.tenantId, (tx) =>
    store.record(tx, waiting, result, deps.clock.now()),
  )
}

async function resultOf(deps: Deps, waiting: store.WaitingGroup): Promise<store.GroupResult> {
  try {
    return await runAction(deps, waiting)
  } catch (error) {
    const none = { runIds: [], warnings: [] }
    if (error instanceof AppError) {
      return { status: 'refused', ...none, error: { code: error.code, content: error.content } }
    }
    deps.log.error({ err: error, ...waiting }, 'a group of a bulk request failed')
    return {
      status: 'failed',
      ...none,
      error: { code: 'INTERNAL_ERROR', content: BULK_TEXTS.BULK_GROUP_FAILED() },
    }
  }
}

async function runAction(
  deps: Deps,
  { tenantId, bulkId, groupId }: store.WaitingGroup,
): Promise<store.GroupResult> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const bulk = await store.find(tenant, bulkId)
  if (!bulk) throw new Error('a waiting group belongs to a bulk request')
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>) => inTenantTx(deps.database.kysely, tenantId, work)
  const request = { tenantId, userId: bulk.requested_by, groupId, inTx }
  const { billing_period, reason } = bulk
  if (reason === null) {
    const { runs, warnings } = await calculate(deps, { ...request, body: { billing_period } })
    return { status: runs.length > 0 ? 'completed' : 'unchanged', runIds: runs.map(({ id }) => id), warnings }
  }
  const since = new Date(bulk.created_at)
  const chain = { groupId, billingPeriod: billing_period, reason, since }
  const completed = await store.findCompleted(tenant, chain)
  if (completed) return { status: 'completed', runIds: completed, warnings: [] }
  const { runs, warnings, cascade_incomplete } = await correctGroup(deps, {
    ...request,
    body: { billing_period, reason },
  })
  return {
    status: cascade_incomplete ? 'incomplete' : 'completed',
    runIds: runs.map(({ id }) => id),
    warnings,
  }
}
