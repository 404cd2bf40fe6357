import { isTransient } from '../../../platform/db/errors.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import * as attempts from './attempt-store.ts'
import { SCENARIO_CANCEL_CHECK_MS } from './limits.ts'
import { SCENARIO_TEXTS } from './messages.ts'
import { loadScenario } from './source.ts'
import { find } from './store.ts'
import { computeInThread } from './threads.ts'

type RunnerDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Computes the waiting scenarios, one at a time: the oldest one of each tenant in turn, until none waits.
 *
 * Concurrency. The queue of the job lets one process compute. Another process takes the job over when the connection of
 * the first one was lost, or its stop took too long. So each computation has a number of its own, and only the last one
 * may write (attempt-store.ts): an earlier one notices this within SCENARIO_CANCEL_CHECK_MS, and its job ends.
 *
 * Crashes. A scenario waits until its result is stored, so a process that was killed leaves it to the next slot, which
 * computes it again.
 *
 * Trade-offs. Each slot asks for the scenarios of every tenant, by an index that contains only the waiting ones: a
 * statement about all tenants would run on all nodes (ADR 0103).
 */
export async function computeScenarios(deps: RunnerDeps, signal: AbortSignal): Promise<void> {
  let computed: number
  do {
    computed = 0
    for (const { id: tenantId } of await attempts.listTenants(systemDb(deps.database.kysely))) {
      signal.throwIfAborted()
      const scenario = await attempts.oldestWaiting(tenantDb(deps.database.kysely, tenantId))
      if (!scenario) continue
      if (!(await computeScenario(deps, { tenantId, id: scenario.id }, signal))) return
      computed += 1
    }
  } while (computed > 0)
}

/** The computation may not write any more. */
class NotWaiting extends Error {}

const assertOwn = (row: object | undefined): void => {
  if (!row) throw new NotWaiting('the scenario does not wait for this computation')
}

type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

/** Resolves to false when the scenario waits for the computation of another process. */
async function computeScenario(
  deps: RunnerDeps,
  { tenantId, id }: { readonly tenantId: number; readonly id: string },
  signal: AbortSignal,
): Promise<boolean> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work)
  const attempt = await inTx((tx) => attempts.begin(tx, id))
  if (!attempt) return true
  try {
    await computeAttempt(deps, { tenant, inTx, attempt }, signal)
  } catch (error) {
    if (error instanceof NotWaiting) return (await find(tenant, id))?.state !== 'waiting'
    if (signal.aborted || isTransient(error)) throw error
    deps.log.error({ err: error, tenantId, scenarioId: id }, 'a scenario was not computed')
    const content = SCENARIO_TEXTS.SCENARIO_FAILED()
    await inTx((tx) =>
      attempts.fail(tx, attempt, { change: null, field: null, content, at: deps.clock.now() }),
    )
  }
  return true
}

interface Computation {
  readonly tenant: TenantDb
  readonly inTx: InTx
  readonly attempt: attempts.Attempt
}

async function computeAttempt(
  { database, clock }: RunnerDeps,
  { tenant, inTx, attempt }: Computation,
  signal: AbortSignal,
): Promise<void> {
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
  let done = 0
  const ended = new AbortController()
  const check = setInterval(() => {
    const monthsDone = Math.min(done * groupIds.length, scenario.months_total)
    inTx((tx) => attempts.progress(tx, attempt, monthsDone)).then(
      (row) => row ?? ended.abort(new NotWaiting('the scenario does not wait for this computation')),
      // The end of the computation will report a database that is away.
      () => undefined,
    )
  }, SCENARIO_CANCEL_CHECK_MS)
  try {
    const onMonth = () => {
      done += 1
    }
    const message = await computeInThread(work, { onMonth, signal: AbortSignal.any([signal, ended.signal]) })
    const at = clock.now()
    if ('outcome' in message) {
      const { outcome } = message
      assertOwn(await inTx((tx) => attempts.finish(tx, attempt, { outcome, runIds, at })))
    } else {
      const { changeIndex: change, field, content } = message.fault
      assertOwn(await inTx((tx) => attempts.fail(tx, attempt, { change, field, content, at })))
    }
  } finally {
    clearInterval(check)
  }
}
