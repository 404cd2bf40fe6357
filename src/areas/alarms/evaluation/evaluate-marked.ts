import { LATE_EVALUATION_MS } from '../../../core/alarms/evaluate.ts'
import { SAMPLE_FUTURE_MAX_MS } from '../../../kernel/limits.ts'
import { inTenantTx, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import {
  type Marked,
  markDevices,
  readWatchedSamples,
  takeWatchMarks,
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
 * Those of the devices that are locked out now, or meant to be silent for another reason: their silence opens nothing.
 * Asked within the judging, so it should be one reading.
 */
export type Suppressor = (tenant: TenantDb, deviceIds: readonly string[]) => Promise<ReadonlySet<string>>

export interface EvaluationDeps extends Pick<Deps, 'database' | 'clock' | 'bus' | 'log' | 'ingest'> {
  readonly suppressor?: Suppressor | undefined
}

const NONE: ReadonlySet<string> = new Set()

const LIMITS = { marks: ALARM_MARKS_AT_ONCE, marked: ALARM_MARKED_AT_ONCE, devices: ALARM_DEVICES_AT_ONCE }

/**
 * Judges some devices of a tenant that are marked, in one transaction: the marks are gone when, and only when, the states
 * and incidents are there. One process at a time judges a tenant; others wait. True: some were marked already and are left.
 */
export async function evaluateMarked(deps: EvaluationDeps, tenantId: number): Promise<boolean> {
  const now = deps.clock.now()
  const changed: ChangedIncidents = { opened: [], closed: [] }
  const isRemaining = await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    await lockAlarms(tx)
    const { arrivals, isRestLeft } = await takeWatchMarks(tx, LIMITS)
    if (arrivals.size === 0) return false
    const maintenance = await readMaintenance(tx, now - LATE_EVALUATION_MS)
    return (await evaluateDevices({ ...deps, tx, now, maintenance, changed }, arrivals)) || isRestLeft
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

/** True: samples of some of them are left for another turn. */
async function evaluateDevices(
  context: EvaluationContext,
  arrivals: ReadonlyMap<number, Marked>,
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

/** First what closes, since of one policy and device one incident is open at a time. */
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

/** Feeds every course all that is new of its device, in pieces that fit the memory. True: or what one turn may take. */
async function feedSamples(
  { tx, now }: EvaluationContext,
  evaluations: readonly PairEvaluation[],
  arrivals: ReadonlyMap<number, Marked>,
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
  // Not beyond what the marks are about: whatever has come since would seem to come late when its own mark is taken.
  const to = (key: number) =>
    Math.min(arrivals.get(key)?.to ?? Number.POSITIVE_INFINITY, now + SAMPLE_FUTURE_MAX_MS)
  const evaluated = new Map<number, number>()
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
      evaluated.set(key, (evaluated.get(key) ?? 0) + samples.length)
    }
    isRemaining = (await deferBacklog(tx, { after, evaluated, byDevice })) || isRemaining
  }
  return isRemaining
}

interface Backlog {
  readonly after: Map<number, number>
  readonly evaluated: ReadonlyMap<number, number>
  readonly byDevice: ReadonlyMap<number, readonly PairEvaluation[]>
}

/** A long backlog is judged in turns. One that begins again for late samples is not: its incidents fit the whole only. */
async function deferBacklog(tx: TenantTx, { after, evaluated, byDevice }: Backlog): Promise<boolean> {
  const deferred: { deviceKey: number; from: number }[] = []
  for (const [deviceKey, at] of [...after]) {
    if ((evaluated.get(deviceKey) ?? 0) < ALARM_SAMPLES_PER_TURN) continue
    if (byDevice.get(deviceKey)?.some(({ isLate }) => isLate)) continue
    after.delete(deviceKey)
    deferred.push({ deviceKey, from: at + 1 })
  }
  await markDevices(tx, deferred)
  return deferred.length > 0
}
