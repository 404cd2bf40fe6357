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
import { hashWork } from './compute-work.ts'
import { SIZING_TEXTS as TEXTS } from './messages.ts'
import { requiredUnit } from './service.ts'
import { parseSize } from './size-unit.ts'
import * as store from './store.ts'
import { computeInThreads } from './threads.ts'

const KIND: ComputationKind = {
  what: 'sizing',
  job: REQUESTED_JOBS.sizings,
  oldestWaiting: store.oldestWaiting,
  isWaiting: async (tenant, id) => (await store.find(tenant, id))?.state === 'waiting',
  begin: store.begin,
  progress: store.progress,
  fail: (tx, attempt, at) =>
    store.fail(tx, attempt, { change: null, field: null, content: TEXTS.SIZING_FAILED(), at }),
  compute,
}

/** Computes the waiting sizings: `shared/computations.ts`. */
export const computeSizings = (deps: ComputationDeps, run: ComputationRun): Promise<void> =>
  computeWaiting(deps, KIND, run)

async function compute({ database, clock }: ComputationDeps, computation: Computation): Promise<void> {
  const { tenant, inTx, attempt, signal, report, assertOwn } = computation
  const sizing = await store.find(tenant, attempt.id)
  if (!sizing) return
  const { from_period: from, to_period: to, group_ids: groupIds, changes, change_index: changeIndex } = sizing
  const request = { from, to, groupIds, changes }
  const { work: scenario, runIds } = await loadScenario(tenant, systemDb(database.kysely), request)
  if (runIds.length === 0) {
    const content = TEXTS.SIZING_WITHOUT_RESULTS()
    const failure = { change: null, field: 'group_ids', content, at: clock.now() }
    assertOwn(await inTx((tx) => store.fail(tx, attempt, failure)))
    return
  }
  const unit = requiredUnit(changes, changeIndex)
  const work = { scenario, changeIndex, sizes: sizing.sizes.map((size) => parseSize(unit, size)) }
  const answer = await computeInThreads(work, { onProgress: report, signal })
  const at = clock.now()
  if ('outcome' in answer) {
    const finished = { outcome: answer.outcome, runIds, inputHash: hashWork(work), at }
    assertOwn(await inTx((tx) => store.finish(tx, attempt, finished)))
  } else {
    const { changeIndex: change, field, content } = answer.fault
    assertOwn(await inTx((tx) => store.fail(tx, attempt, { change, field, content, at })))
  }
}
