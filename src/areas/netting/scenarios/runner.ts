import { systemDb } from '../../../platform/db/tenant.ts'
import {
  type Computation,
  type ComputationDeps,
  type ComputationKind,
  type ComputationRun,
  computeWaiting,
  REQUESTED_JOBS,
} from '../shared/index.ts'
import * as attempts from './attempt-store.ts'
import { SCENARIO_TEXTS } from './messages.ts'
import { loadScenario } from './source.ts'
import { find } from './store.ts'
import { computeInThread } from './threads.ts'

const KIND: ComputationKind = {
  what: 'scenario',
  job: REQUESTED_JOBS.scenarios,
  oldestWaiting: attempts.oldestWaiting,
  isWaiting: async (tenant, id) => (await find(tenant, id))?.state === 'waiting',
  begin: attempts.begin,
  progress: attempts.progress,
  fail: (tx, attempt, at) =>
    attempts.fail(tx, attempt, { change: null, field: null, content: SCENARIO_TEXTS.SCENARIO_FAILED(), at }),
  compute,
}

/** Computes the waiting scenarios: `shared/computations.ts`. */
export const computeScenarios = (deps: ComputationDeps, run: ComputationRun): Promise<void> =>
  computeWaiting(deps, KIND, run)

async function compute({ database, clock }: ComputationDeps, computation: Computation): Promise<void> {
  const { tenant, inTx, attempt, signal, report, assertOwn } = computation
  const scenario = await find(tenant, attempt.id)
  if (!scenario) return
  const { from_period: from, to_period: to, group_ids: groupIds, changes } = scenario
  const request = { from, to, groupIds, changes }
  const { work, runIds } = await loadScenario(tenant, systemDb(database.kysely), request)
  if (runIds.length === 0) {
    const content = SCENARIO_TEXTS.SCENARIO_WITHOUT_RESULTS()
    const failure = { change: null, field: 'group_ids', content, at: clock.now() }
    assertOwn(await inTx((tx) => attempts.fail(tx, attempt, failure)))
    return
  }
  const onProgress = (months: number) => report(Math.min(months * groupIds.length, scenario.months_total))
  const answer = await computeInThread(work, { onProgress, signal })
  const at = clock.now()
  if ('outcome' in answer) {
    const { outcome } = answer
    assertOwn(await inTx((tx) => attempts.finish(tx, attempt, { outcome, runIds, at })))
  } else {
    const { changeIndex: change, field, content } = answer.fault
    assertOwn(await inTx((tx) => attempts.fail(tx, attempt, { change, field, content, at })))
  }
}
