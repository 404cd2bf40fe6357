import { isTransient } from '../../../platform/db/errors.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { loadScenario } from '../scenarios/index.ts'
import { OPTIMISATION_STEPS } from './compute-work.ts'
import { decodeTask } from './decode-request.ts'
import { OPTIMISATION_CANCEL_CHECK_MS } from './limits.ts'
import { OPTIMISATION_TEXTS } from './messages.ts'
import * as store from './store.ts'
import { computeInThread } from './threads.ts'

type RunnerDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Computes the waiting optimisations, one at a time: the oldest one of each tenant in turn, until none waits. Processes
 * and crashes are handled as for scenarios (`scenarios/runner.ts`): each computation has a number, and only the last
 * one may write.
 */
export async function computeOptimisations(deps: RunnerDeps, signal: AbortSignal): Promise<void> {
  let computed: number
  do {
    computed = 0
    for (const { id: tenantId } of await store.listTenants(systemDb(deps.database.kysely))) {
      signal.throwIfAborted()
      const waiting = await store.oldestWaiting(tenantDb(deps.database.kysely, tenantId))
      if (!waiting) continue
      if (!(await computeOptimisation(deps, { tenantId, id: waiting.id }, signal))) return
      computed += 1
    }
  } while (computed > 0)
}

/** The computation may not write any more. */
class NotWaiting extends Error {}

const NOT_WAITING = 'the optimisation does not wait for this computation'
const assertOwn = (row: object | undefined): void => {
  if (!row) throw new NotWaiting(NOT_WAITING)
}

type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

/** Resolves to false when the optimisation waits for the computation of another process. */
async function computeOptimisation(
  deps: RunnerDeps,
  { tenantId, id }: { readonly tenantId: number; readonly id: string },
  signal: AbortSignal,
): Promise<boolean> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work)
  const attempt = await inTx((tx) => store.begin(tx, id))
  if (!attempt) return true
  try {
    await computeAttempt(deps, { tenant, inTx, attempt }, signal)
  } catch (error) {
    if (error instanceof NotWaiting) return (await store.find(tenant, id))?.state !== 'waiting'
    if (signal.aborted || isTransient(error)) throw error
    deps.log.error({ err: error, tenantId, optimisationId: id }, 'an optimisation was not computed')
    const content = OPTIMISATION_TEXTS.OPTIMISATION_FAILED()
    await inTx((tx) => store.fail(tx, attempt, { field: null, content, at: deps.clock.now() }))
  }
  return true
}

interface Computation {
  readonly tenant: TenantDb
  readonly inTx: InTx
  readonly attempt: store.Attempt
}

async function computeAttempt(
  { database, clock }: RunnerDeps,
  { tenant, inTx, attempt }: Computation,
  signal: AbortSignal,
): Promise<void> {
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
  let stepsDone = 0
  const ended = new AbortController()
  const check = setInterval(() => {
    inTx((tx) => store.progress(tx, attempt, stepsDone)).then(
      (own) => own ?? ended.abort(new NotWaiting(NOT_WAITING)),
      // The end of the computation will report a database that is away.
      () => undefined,
    )
  }, OPTIMISATION_CANCEL_CHECK_MS)
  try {
    const onStep = () => {
      stepsDone += 1
    }
    const sent = { base: work, task: decodeTask(request, clock.now()) }
    const message = await computeInThread(sent, { onStep, signal: AbortSignal.any([signal, ended.signal]) })
    const at = clock.now()
    if ('outcome' in message) {
      const finished = { outcome: message.outcome, runIds, steps: OPTIMISATION_STEPS, at }
      assertOwn(await inTx((tx) => store.finish(tx, attempt, finished)))
    } else {
      assertOwn(await inTx((tx) => store.fail(tx, attempt, { ...message.fault, at })))
    }
  } finally {
    clearInterval(check)
  }
}
