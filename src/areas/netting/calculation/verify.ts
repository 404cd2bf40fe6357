import type { BillingPeriod } from '../../../kernel/time.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { removeHours } from '../stale/index.ts'
import { facilityHours, inEngine, loadBase, loadEngine } from './input.ts'

/**
 * Removes the marks of runs whose input is equal to the present one in spite of a change, such as a price of
 * another subscriber group. Computes the marked runs of a period without storing anything.
 */
export async function verifyMarks(tx: TenantTx, { isMarked, ...period }: VerifyRequest): Promise<void> {
  const base = await loadBase(tx, period)
  for (const run of base.runs.filter(({ window }) => isMarked(window))) {
    const hours = facilityHours(base, run.window)
    const result = await inEngine(tx, hours, async (engine) => {
      await loadEngine(engine, tx, base, run.window)
      return engine.result()
    })
    if (result.inputHash === run.inputHash) await removeHours(tx, base.markIds, run.window)
  }
}

interface VerifyRequest {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  /** Determines whether the period is over. */
  readonly now: number
  /** True when a mark overlaps the window. */
  readonly isMarked: (window: { readonly from: number; readonly to: number }) => boolean
}
