/**
 * Alarm evaluation: one transaction that turns marked samples into incidents.
 *
 * Purpose. Every stored sample of a watched device is evaluated exactly once against the active policies,
 * although the process may be killed between storing and evaluating, samples arrive late and out of order,
 * and several processes work at once.
 *
 * Marks. The transaction that stores samples of watched devices inserts a mark (table unevaluated_batch):
 * which devices, from which instant on. The evaluating transaction deletes marks and writes states, incidents
 * and their trail. The transaction is atomic, so a crash neither loses an alarm nor opens one twice. The bus
 * event `samples_stored` is only a hint to begin at once.
 *
 * Sample time. Rules are evaluated by the time of the samples (src/core/alarms). A transaction evaluates no
 * further than its marks reach: samples stored since then have a mark of their own, and evaluating them now
 * would make them look late then. A sample that is older than the state of a pair takes the pair back to a
 * checkpoint, and the incidents are corrected.
 *
 * Modes:
 * - live-evaluation.ts: the process that stored the samples evaluates them ALARM_DEBOUNCE_MS later.
 * - scheduled-evaluation.ts: the minutely job evaluates marks that were left, and opens incidents of silence,
 *   which no sample triggers.
 * - preview.ts: a dry run over stored samples that writes nothing.
 *
 * Yielding to ingest. Evaluation shares the thread and the database with ingest. While ingest is busy,
 * evaluate-tenant.ts delays the begin for up to ALARM_DEFER_MAX_MS and pauses between transactions for
 * ALARM_REST_FACTOR times their duration, until the run is ALARM_BEHIND_MAX_MS old: evaluation that always
 * yields would never finish.
 *
 * Tenants take turns. A tenant gets at most ALARM_TURNS_MAX transactions before the next tenant: with devices
 * that never stop sending, something is always left, and the alarms of other tenants would wait for it.
 *
 * Trade-offs. One process at a time evaluates a tenant, under the advisory lock that system alarms use too
 * (lockAlarms): simple and free of deadlocks, but a netting calculation that raises an alarm may wait for a
 * transaction of 250 devices. All reads and writes are set-based, one statement for all devices of the
 * transaction. A mark costs the storing transaction one row for a batch; a cursor over the samples would be
 * cheaper, but late samples have no position in any growing order.
 *
 * See docs/understand/alarms.md and the ADRs 0033 and 0044.
 */
import { LATE_EVALUATION_MS } from '../../../core/alarms/evaluate.ts'
import { SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { inTenantTx, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  addWatchMarks,
  readWatchedSamples,
  takeWatchMarks,
  type WatchMark,
} from '../../metering/sample-watch/index.ts'
import * as incidents from '../incidents/index.ts'
import { type ChangedIncidents, lockAlarms, publishChanges } from '../incidents/index.ts'
import { type MaintenancePeriod, readMaintenance } from '../maintenance/index.ts'
import {
  ALARM_DEVICES_AT_ONCE,
  ALARM_MARKED_AT_ONCE,
  ALARM_MARKS_AT_ONCE,
  ALARM_ROWS_AT_ONCE,
  ALARM_SAMPLES_PER_TURN,
} from './limits.ts'
import {
  addSamples,
  beginPair,
  completePairs,
  type IncidentChanges,
  incidentChangesOf,
  type PairEvaluation,
} from './pair-evaluation.ts'
import * as store from './store.ts'

/**
 * Returns the subset of the devices whose silence is expected, for example because they are locked out. The
 * silence of such a device opens no incident. The function is called within the evaluating transaction and
 * should need one query.
 */
export type Suppressor = (tenant: TenantDb, deviceIds: readonly string[]) => Promise<ReadonlySet<string>>

export interface EvaluationDeps extends Pick<Deps, 'database' | 'clock' | 'bus' | 'log' | 'ingest'> {
  readonly suppressor?: Suppressor | undefined
}

const NONE: ReadonlySet<string> = new Set()

const LIMITS = { marks: ALARM_MARKS_AT_ONCE, marked: ALARM_MARKED_AT_ONCE, devices: ALARM_DEVICES_AT_ONCE }

/**
 * Evaluates some of the marked devices of a tenant in one transaction. Resolves with true when marked devices
 * remain.
 */
export async function evaluateMarked(deps: EvaluationDeps, tenantId: number): Promise<boolean> {
  const now = deps.clock.now()
  const changed: ChangedIncidents = { opened: [], closed: [] }
  const isRemaining = await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    await lockAlarms(tx)
    const { arrivals, hasMore } = await takeWatchMarks(tx, LIMITS)
    if (arrivals.size === 0) return false
    const maintenance = await readMaintenance(tx, now - LATE_EVALUATION_MS)
    return (await evaluateDevices({ ...deps, tx, now, maintenance, changed }, arrivals)) || hasMore
  })
  publishChanges(deps, tenantId, changed)
  return isRemaining
}

interface EvaluationContext extends EvaluationDeps {
  readonly tx: TenantTx
  readonly now: number
  readonly maintenance: readonly MaintenancePeriod[]
  readonly changed: ChangedIncidents
}

/** Resolves with true when samples of some devices remain for another transaction. */
async function evaluateDevices(
  context: EvaluationContext,
  arrivals: ReadonlyMap<number, WatchMark>,
): Promise<boolean> {
  const { tx, now, maintenance, changed } = context
  const pairs = await store.readPairs(tx, { deviceKeys: [...arrivals.keys()], now })
  if (pairs.length === 0) return false
  const evaluations = pairs.map((pair) =>
    beginPair(pair, arrivals.get(pair.deviceKey)?.from ?? now, maintenance),
  )
  const isRemaining = await feedSamples(context, evaluations, arrivals)
  const suppressed = await findSuppressed(context, evaluations)
  const { states, completed, affected } = completePairs(evaluations, { now, suppressed })
  await store.savePairStates(tx, states)
  if (affected.length === 0) return isRemaining
  const changes = incidentChangesOf(completed, await incidents.readIncidents(tx, affected), now)
  await writeChanges(tx, changes, { now, changed })
  return isRemaining
}

async function findSuppressed(
  { suppressor, tx }: EvaluationContext,
  evaluations: readonly PairEvaluation[],
): Promise<ReadonlySet<string>> {
  const silent = evaluations.filter(({ rule }) => rule.kind === 'offline' || rule.kind === 'no_data')
  if (!suppressor || silent.length === 0) return NONE
  return suppressor(tx, [...new Set(silent.map(({ pair }) => pair.deviceId))])
}

/**
 * Writes the ends of incidents before the new incidents, because a policy and device have at most one open
 * incident.
 */
async function writeChanges(
  tx: TenantTx,
  { openings, endings, amendments }: IncidentChanges,
  { now, changed }: { readonly now: number; readonly changed: ChangedIncidents },
): Promise<void> {
  await incidents.endDeviceIncidents(tx, endings, now)
  await incidents.amendDeviceIncidents(tx, amendments, now)
  changed.opened.push(...(await incidents.openDeviceIncidents(tx, openings, now)))
  changed.closed.push(...endings.filter(({ incident }) => !incident.isClosed).map(({ incident }) => incident))
}

/**
 * Adds the new samples of its device to every pair, page by page. Resolves with true when samples beyond
 * ALARM_SAMPLES_PER_TURN were deferred.
 */
async function feedSamples(
  { tx, now }: EvaluationContext,
  evaluations: readonly PairEvaluation[],
  arrivals: ReadonlyMap<number, WatchMark>,
): Promise<boolean> {
  const metrics = [...new Set(evaluations.flatMap(({ rule }) => rule.metric ?? []))]
  const columnOf = new Map(metrics.map((metric, index) => [metric, index]))
  const byDevice = new Map<number, PairEvaluation[]>()
  const after = new Map<number, number>()
  for (const evaluation of evaluations) {
    const { deviceKey } = evaluation.pair
    byDevice.set(deviceKey, [...(byDevice.get(deviceKey) ?? []), evaluation])
    after.set(deviceKey, Math.min(after.get(deviceKey) ?? evaluation.after, evaluation.after))
  }
  // Samples beyond the marks are not read: they were stored later and would look late when their own mark is
  // evaluated.
  const to = (key: number) =>
    Math.min(arrivals.get(key)?.to ?? Number.POSITIVE_INFINITY, now + SAMPLE_FUTURE_MAX_MS)
  let evaluated = 0
  let isRemaining = false
  while (after.size > 0) {
    const perDevice = Math.max(1, Math.floor(ALARM_ROWS_AT_ONCE / after.size))
    const query = { after, to, metrics, perDevice }
    const read = await readWatchedSamples(tx, query)
    for (const key of [...after.keys()]) {
      const samples = read.get(key) ?? []
      for (const evaluation of byDevice.get(key) ?? []) {
        const { metric } = evaluation.rule
        const column = metric === null ? undefined : columnOf.get(metric)
        const ruleSamples = samples.map(({ at, values }) => ({
          at,
          value: column === undefined ? 0 : values[column],
        }))
        addSamples(evaluation, ruleSamples)
      }
      const last = samples.at(-1)
      if (!last || samples.length < perDevice) after.delete(key)
      else after.set(key, last.at)
      evaluated += samples.length
    }
    if (evaluated >= ALARM_SAMPLES_PER_TURN)
      isRemaining = (await deferBacklog(tx, { after, byDevice })) || isRemaining
  }
  return isRemaining
}

interface Backlog {
  readonly after: Map<number, number>
  readonly byDevice: ReadonlyMap<number, readonly PairEvaluation[]>
}

/**
 * Marks the rest of a long backlog for another transaction. A pair that restarted for late samples is not
 * split: its incidents can only be compared with the complete series.
 */
async function deferBacklog(tx: TenantTx, { after, byDevice }: Backlog): Promise<boolean> {
  const deferred: { deviceKey: number; from: number }[] = []
  for (const [deviceKey, at] of [...after]) {
    if (byDevice.get(deviceKey)?.some(({ isLate }) => isLate)) continue
    after.delete(deviceKey)
    deferred.push({ deviceKey, from: at + 1 })
  }
  await addWatchMarks(tx, deferred)
  return deferred.length > 0
}
