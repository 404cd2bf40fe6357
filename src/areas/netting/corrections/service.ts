import assert from 'node:assert/strict'
import { found } from '../../../kernel/errors.ts'
import { parsePeriod } from '../../../kernel/time.ts'
import { tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { findGroup, refuseInactive, refusePeriod } from '../calculation/index.ts'
import { type InTx, runCorrection } from './cascade.ts'
import type { CorrectionBody } from './schema.ts'

export interface CorrectionRequest {
  readonly tenantId: number
  /** Null for a user who was deleted after a bulk request. */
  readonly userId: string | null
  readonly groupId: string
  readonly body: CorrectionBody
  readonly inTx: InTx
}

/**
 * Handles POST corrections: checks that the group exists (404), then the rules of the period and the group,
 * then runs the cascade.
 */
export async function correctGroup(deps: Deps, { tenantId, userId, groupId, body, inTx }: CorrectionRequest) {
  const group = found('group', await findGroup(tenantDb(deps.database.kysely, tenantId), groupId))
  const billingPeriod = parsePeriod(body.billing_period)
  assert(billingPeriod, 'the schema lets only periods in')
  refusePeriod(billingPeriod, deps.clock.now())
  refuseInactive(group)
  const { runs, failedPeriod, warnings } = await runCorrection(deps, inTx, {
    groupId,
    billingPeriod,
    reason: body.reason,
    cause: 'request',
    startedBy: userId,
  })
  return {
    billing_period: billingPeriod,
    runs: [...runs],
    periods_corrected: runs.map((run) => run.billing_period),
    cascade_incomplete: failedPeriod !== undefined,
    failed_period: failedPeriod ?? null,
    warnings,
  }
}
