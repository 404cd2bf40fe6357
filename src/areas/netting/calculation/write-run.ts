import { randomUUID } from 'node:crypto'
import { ENGINE_VERSION } from '../../../core/netting/input-hash.ts'
import { reapplyMovements, reversalMovements, usageMovements } from '../../../core/netting/ledger.ts'
import type { Warning } from '../../../kernel/warnings.ts'
import { failureOf } from '../../../platform/db/savepoint.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import { logEligibility } from '../eligibility/index.ts'
import type { Engine } from './engine.ts'
import type { WindowResult } from './engine-steps.ts'
import type { LoadedWindow, PeriodBase } from './input.ts'
import { type AccountUsed, appendMovements } from './ledger-store.ts'
import { CALCULATION_TEXTS } from './messages.ts'
import type { PeriodRequest } from './period-request.ts'
import { completeRun, insertResultRows, insertRun, supersedeRuns } from './run-store.ts'
import type { Run } from './schema.ts'
import { refreshSummary } from './summary-store.ts'

export interface RunWrite {
  readonly clock: Clock
  /** Holds the window. */
  readonly engine: Engine
  readonly base: PeriodBase
  readonly loaded: LoadedWindow
  /** The usage of the replaced runs. */
  readonly used: readonly AccountUsed[]
  readonly request: PeriodRequest
  readonly startedAt: number
}

/**
 * Supersedes the replaced runs and writes the new one. While its first rows are inserted, the engine computes the later
 * ones, where their result was not needed before. With the last row the input's hash and the usage are known: the run
 * is completed, the bookings of the replaced runs are reversed, those of the new one follow, and the summary.
 */
export async function writeRun(
  tx: TenantTx,
  { clock, engine, base, loaded, used, request, startedAt }: RunWrite,
): Promise<Pick<SummaryOutcome, 'warnings'> & { readonly run: Run; readonly result: WindowResult }> {
  const { window, openings } = loaded
  const { groupId, billingPeriod, triggeredBy, startedBy, correction } = request
  const runId = randomUUID()
  const pieces = engine.rows({ tenantId: tx.tenantId, runId, groupId, at: startedAt })
  const replaced = loaded.replaced.map((run) => run.id)
  await supersedeRuns(tx, replaced, runId)
  const origin = { correctionReason: correction?.reason, by: startedBy, at: clock.now() }
  const eligibilityRunId = await logEligibility(tx, base.eligibility, origin)
  await insertRun(tx, {
    id: runId,
    groupId,
    billingPeriod,
    window,
    scenario: base.scenario,
    triggeredBy,
    startedAt,
    parentRunId: correction ? (correction.rootRunId ?? runId) : null,
    engineVersion: ENGINE_VERSION,
    startedBy,
    openings,
    eligibilityRunId,
    stage: request.stage,
  })
  await insertResultRows(tx, pieces, (rows) => engine.reuse(rows))
  const result = await engine.result()
  const finishedAt = clock.now()
  const run = await completeRun(tx, runId, { inputHash: result.inputHash, finishedAt })
  const booked = correction ? reapplyMovements : usageMovements
  const movements = [...reversalMovements(used), ...booked(result.usageByAccount)]
  const reason = correction?.reason ?? null
  await appendMovements(tx, movements, { runId, by: startedBy, at: finishedAt, reason })
  return { run, result, ...(await summarisePeriod(tx, { base, request, runId, result, finishedAt })) }
}

interface SummaryOutcome {
  readonly warnings: readonly Warning[]
}

interface WrittenRun extends Pick<RunWrite, 'base' | 'request'> {
  readonly runId: string
  readonly result: WindowResult
  readonly finishedAt: number
}

/**
 * Refreshes the monthly summary. In a correction a failure becomes a warning, and the previous summary stays.
 */
async function summarisePeriod(
  tx: TenantTx,
  { base, request, runId, result, finishedAt }: WrittenRun,
): Promise<SummaryOutcome> {
  const { scenario, summary } = result
  const { groupId, billingPeriod, correction } = request
  const refresh = () =>
    refreshSummary(tx, {
      groupId,
      billingPeriod,
      runId,
      scenario,
      members: base.members,
      accountIds: base.accounts.map((account) => account.id),
      now: finishedAt,
      month: scenario === 'mesken_monthly' ? summary : undefined,
    })
  if (!correction) {
    await refresh()
    return { warnings: [] }
  }
  const failure = await failureOf(tx, refresh)
  if (!failure) return { warnings: [] }
  correction.report(failure)
  const message = CALCULATION_TEXTS.MONTHLY_REFRESH_FAILED({ group: base.group.name, period: billingPeriod })
  return { warnings: [{ code: 'MONTHLY_REFRESH_FAILED', subject: billingPeriod, message }] }
}
