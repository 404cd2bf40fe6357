import { systemDb } from '../../../platform/db/tenant.ts'
import { loadScenario } from '../scenarios/index.ts'
import {
  type Computation,
  type ComputationDeps,
  type ComputationKind,
  type ComputationRun,
  computeWaiting,
  REQUESTED_JOBS,
} from '../shared/index.ts'
import { OPTIMISATION_STEPS } from './compute-work.ts'
import { OPTIMISATION_SOLVER_MEMORY_MB, OPTIMISATION_SOLVER_TIME_MS } from './limits.ts'
import { loadTask } from './load-task.ts'
import { OPTIMISATION_TEXTS } from './messages.ts'
import * as store from './store.ts'
import { computeInThread } from './threads.ts'

const SOLVER = { timeMs: OPTIMISATION_SOLVER_TIME_MS, memoryMb: OPTIMISATION_SOLVER_MEMORY_MB }

const KIND: ComputationKind = {
  what: 'optimisation',
  job: REQUESTED_JOBS.optimisations,
  oldestWaiting: store.oldestWaiting,
  isWaiting: async (tenant, id) => (await store.find(tenant, id))?.state === 'waiting',
  begin: store.begin,
  progress: store.progress,
  fail: (tx, attempt, at) =>
    store.fail(tx, attempt, { field: null, content: OPTIMISATION_TEXTS.OPTIMISATION_FAILED(), at }),
  compute,
}

/** Computes the waiting optimisations: `shared/computations.ts`. */
export const computeOptimisations = (deps: ComputationDeps, run: ComputationRun): Promise<void> =>
  computeWaiting(deps, KIND, run)

async function compute({ database, clock }: ComputationDeps, computation: Computation): Promise<void> {
  const { tenant, inTx, attempt, signal, report, assertOwn } = computation
  const row = await store.find(tenant, attempt.id)
  if (!row) return
  const { from_period: from, to_period: to, group_ids: groupIds, request } = row
  const months = { from, to, groupIds, changes: [] }
  const needsSolar = request.kind === 'battery_next_day'
  const { work, runIds } = await loadScenario(tenant, systemDb(database.kysely), months, needsSolar)
  if (runIds.length === 0) {
    const content = OPTIMISATION_TEXTS.OPTIMISATION_WITHOUT_RESULTS()
    assertOwn(await inTx((tx) => store.fail(tx, attempt, { field: 'group_ids', content, at: clock.now() })))
    return
  }
  const task = await loadTask(tenant, request, clock.now())
  const answer = await computeInThread({ base: work, task, solver: SOLVER }, { onProgress: report, signal })
  const at = clock.now()
  if ('outcome' in answer) {
    const finished = { outcome: answer.outcome, runIds, steps: OPTIMISATION_STEPS, at }
    assertOwn(await inTx((tx) => store.finish(tx, attempt, finished)))
  } else {
    assertOwn(await inTx((tx) => store.fail(tx, attempt, { ...answer.fault, at })))
  }
}
