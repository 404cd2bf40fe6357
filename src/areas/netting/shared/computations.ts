import { isTransient } from '../../../platform/db/errors.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { requestJob } from '../../../platform/jobs/job-requests.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { listTenants } from './computation-store.ts'
import { COMPUTATION_CANCEL_CHECK_MS } from './limits.ts'

export type ComputationDeps = Pick<Deps, 'database' | 'clock' | 'log' | 'bus'>

/** A computation. It may not write after its record was cancelled, deleted, or begun by another computation. */
export interface Attempt {
  readonly id: string
  readonly attempt: number
}

/** A run of the job: for all tenants, or for the one that has asked for it. */
export type ComputationRun = Pick<JobContext, 'signal' | 'tenantId'>

type Row = object | undefined
type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export interface Computation {
  readonly tenant: TenantDb
  readonly inTx: InTx
  readonly attempt: Attempt
  /** Aborted when the service stops, or the attempt may not write any more. */
  readonly signal: AbortSignal
  /** Records the progress within COMPUTATION_CANCEL_CHECK_MS. */
  readonly report: (done: number) => void
  /** Throws when a statement of the attempt has found no row. */
  readonly assertOwn: (row: Row) => void
}

/** Records that wait for a job: scenarios, sizings, forecasts by hour, optimisations. */
export interface ComputationKind {
  /** Name in log messages. */
  readonly what: string
  /** The job that computes them. */
  readonly job: string
  oldestWaiting(tenant: TenantDb): Promise<{ readonly id: string } | undefined>
  isWaiting(tenant: TenantDb, id: string): Promise<boolean>
  /** Begins a computation and ends the right of any other one to write. Undefined when the record does not wait. */
  begin(tx: TenantTx, id: string): Promise<Attempt | undefined>
  /** Undefined when the attempt may not write any more. */
  progress(tx: TenantTx, attempt: Attempt, done: number): Promise<Row>
  /** Ends the record as failed after an unexpected error. */
  fail(tx: TenantTx, attempt: Attempt, at: number): Promise<Row>
  /** Computes the record and stores its result, or its failure. */
  compute(deps: ComputationDeps, computation: Computation): Promise<void>
}

/**
 * Computes the waiting records of a kind, one at a time: the oldest one of each tenant in turn, until none waits. A run
 * that a tenant has asked for computes one record of this tenant, and asks for the next one, so that records of tenants
 * that have asked meanwhile are computed before it.
 *
 * Concurrency. The queue of the job lets one process compute. Another process takes the job over when the connection of
 * the first one was lost, or its stop took too long. So each computation has a number of its own, and only the last one
 * may write: an earlier one notices this within COMPUTATION_CANCEL_CHECK_MS, and its job ends.
 *
 * Crashes. A record waits until its result is stored, so a process that was killed leaves it to the next slot, which
 * computes it again.
 *
 * Trade-offs. Each slot asks for the records of every tenant, by an index that contains only the waiting ones: a
 * statement about all tenants would run on all nodes (ADR 0103).
 */
export async function computeWaiting(
  deps: ComputationDeps,
  kind: ComputationKind,
  { signal, tenantId: only }: ComputationRun,
): Promise<void> {
  let computed: number
  do {
    computed = 0
    for (const { id: tenantId } of await listTenants(systemDb(deps.database.kysely), only)) {
      signal.throwIfAborted()
      const tenant = tenantDb(deps.database.kysely, tenantId)
      const record = await kind.oldestWaiting(tenant)
      if (!record) continue
      if (!(await computeRecord(deps, kind, { tenantId, id: record.id, signal }))) return
      computed += 1
      if (only !== undefined && (await kind.oldestWaiting(tenant)))
        requestJob(deps, { job: kind.job, tenantId })
    }
  } while (computed > 0 && only === undefined)
}

/** The computation may not write any more. */
class NotWaiting extends Error {}

interface RecordToCompute {
  readonly tenantId: number
  readonly id: string
  readonly signal: AbortSignal
}

/** Resolves to false when the record waits for the computation of another process. */
async function computeRecord(
  deps: ComputationDeps,
  kind: ComputationKind,
  { tenantId, id, signal }: RecordToCompute,
): Promise<boolean> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work)
  const attempt = await inTx((tx) => kind.begin(tx, id))
  if (!attempt) return true
  try {
    await computeAttempt(deps, kind, { tenant, inTx, attempt, signal })
  } catch (error) {
    if (error instanceof NotWaiting) return !(await kind.isWaiting(tenant, id))
    if (signal.aborted || isTransient(error)) throw error
    deps.log.error({ err: error, tenantId, recordId: id }, `the computation failed: ${kind.what}`)
    await inTx((tx) => kind.fail(tx, attempt, deps.clock.now()))
  }
  return true
}

async function computeAttempt(
  deps: ComputationDeps,
  kind: ComputationKind,
  { tenant, inTx, attempt, signal }: Omit<Computation, 'report' | 'assertOwn'>,
): Promise<void> {
  const assertOwn = (row: Row): void => {
    if (!row) throw new NotWaiting(`the ${kind.what} does not wait for this computation`)
  }
  let done = 0
  const ended = new AbortController()
  const check = setInterval(() => {
    inTx((tx) => kind.progress(tx, attempt, done)).then(
      (row) => row ?? ended.abort(new NotWaiting(`the ${kind.what} does not wait for this computation`)),
      // The end of the computation will report a database that is away.
      () => undefined,
    )
  }, COMPUTATION_CANCEL_CHECK_MS)
  try {
    await kind.compute(deps, {
      ...{ tenant, inTx, attempt, assertOwn },
      signal: AbortSignal.any([signal, ended.signal]),
      report(now) {
        done = now
      },
    })
  } finally {
    clearInterval(check)
  }
}
