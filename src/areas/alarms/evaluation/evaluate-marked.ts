import { LATE_JUDGED_MS } from '../../../core/alarms/evaluate.ts'
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
  beginCourse,
  type Course,
  changesOf,
  endCourses,
  type IncidentChanges,
  takeSeen,
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

const NOBODY: ReadonlySet<string> = new Set()

const TURN = { marks: ALARM_MARKS_AT_ONCE, marked: ALARM_MARKED_AT_ONCE, devices: ALARM_DEVICES_AT_ONCE }

/**
 * Judges some devices of a tenant that are marked, in one transaction: the marks are gone when, and only when, the states
 * and incidents are there. One process at a time judges a tenant; others wait. True: some were marked already and are left.
 */
export async function judgeMarked(deps: EvaluationDeps, tenantId: number): Promise<boolean> {
  const now = deps.clock.now()
  const told: ChangedIncidents = { opened: [], closed: [] }
  const isLeft = await inTenantTx(deps.database.kysely, tenantId, async (tx) => {
    await lockAlarms(tx)
    const { arrivals, isRestLeft } = await takeWatchMarks(tx, TURN)
    if (arrivals.size === 0) return false
    const maintenance = await readMaintenance(tx, now - LATE_JUDGED_MS)
    return (await judgeDevices({ ...deps, tx, now, maintenance, told }, arrivals)) || isRestLeft
  })
  publishChanges(deps, tenantId, told)
  return isLeft
}

interface Judging extends EvaluationDeps {
  readonly tx: TenantTx
  readonly now: number
  readonly maintenance: readonly MaintenancePeriod[]
  readonly told: ChangedIncidents
}

/** True: samples of some of them are left for another turn. */
async function judgeDevices(judging: Judging, arrivals: ReadonlyMap<number, Marked>): Promise<boolean> {
  const { tx, now, maintenance, told } = judging
  const pairs = await store.readPairs(tx, { deviceKeys: [...arrivals.keys()], now })
  if (pairs.length === 0) return false
  const courses = pairs.map((pair) =>
    beginCourse(pair, arrivals.get(pair.deviceKey)?.from ?? now, maintenance),
  )
  const isLeft = await takeSamples(judging, courses, arrivals)
  const suppressed = await suppressedAmong(judging, courses)
  const { standings, ended, asked } = endCourses(courses, { now, suppressed })
  await store.saveStandings(tx, standings)
  if (asked.length === 0) return isLeft
  const changes = changesOf(ended, await incidents.readRecorded(tx, asked), now)
  await writeChanges(tx, changes, { now, told })
  return isLeft
}

async function suppressedAmong(
  { suppressor, tx }: Judging,
  courses: readonly Course[],
): Promise<ReadonlySet<string>> {
  const silent = courses.filter(({ rule }) => rule.kind === 'offline' || rule.kind === 'no_data')
  if (!suppressor || silent.length === 0) return NOBODY
  return suppressor(tx, [...new Set(silent.map(({ pair }) => pair.deviceId))])
}

/** First what closes, since of one policy and device one incident is open at a time. */
async function writeChanges(
  tx: TenantTx,
  { openings, endings, amendments }: IncidentChanges,
  { now, told }: { readonly now: number; readonly told: ChangedIncidents },
): Promise<void> {
  await incidents.endDeviceIncidents(tx, endings, now)
  await incidents.amendDeviceIncidents(tx, amendments, now)
  told.opened.push(...(await incidents.openDeviceIncidents(tx, openings, now)))
  told.closed.push(...endings.filter(({ incident }) => !incident.isClosed).map(({ incident }) => incident))
}

/** Feeds every course all that is new of its device, in pieces that fit the memory. True: or what one turn may take. */
async function takeSamples(
  { tx, now }: Judging,
  courses: readonly Course[],
  arrivals: ReadonlyMap<number, Marked>,
): Promise<boolean> {
  const metrics = [...new Set(courses.flatMap(({ rule }) => rule.metric ?? []))]
  const place = new Map(metrics.map((metric, index) => [metric, index]))
  const of = new Map<number, Course[]>()
  const after = new Map<number, number>()
  for (const course of courses) {
    const { deviceKey } = course.pair
    of.set(deviceKey, [...(of.get(deviceKey) ?? []), course])
    after.set(deviceKey, Math.min(after.get(deviceKey) ?? course.after, course.after))
  }
  // Not beyond what the marks are about: whatever has come since would seem to come late when its own mark is taken.
  const to = (key: number) =>
    Math.min(arrivals.get(key)?.to ?? Number.POSITIVE_INFINITY, now + SAMPLE_FUTURE_MAX_MS)
  const taken = new Map<number, number>()
  let isLeft = false
  while (after.size > 0) {
    const perDevice = Math.max(1, Math.floor(ALARM_ROWS_AT_ONCE / after.size))
    const order = { after, to, metrics, perDevice }
    const read = await readWatchedSamples(tx, order)
    for (const key of [...after.keys()]) {
      const samples = read.get(key) ?? []
      for (const course of of.get(key) ?? []) {
        const { metric } = course.rule
        const cell = metric === null ? undefined : place.get(metric)
        const seen = samples.map(({ at, values }) => ({ at, value: cell === undefined ? 0 : values[cell] }))
        takeSeen(course, seen)
      }
      const last = samples.at(-1)
      if (!last || samples.length < perDevice) after.delete(key)
      else after.set(key, last.at)
      taken.set(key, (taken.get(key) ?? 0) + samples.length)
    }
    isLeft = (await leaveTheRest(tx, { after, taken, of })) || isLeft
  }
  return isLeft
}

interface Rest {
  readonly after: Map<number, number>
  readonly taken: ReadonlyMap<number, number>
  readonly of: ReadonlyMap<number, readonly Course[]>
}

/** A long backlog is judged in turns. One that begins again for late samples is not: its incidents fit the whole only. */
async function leaveTheRest(tx: TenantTx, { after, taken, of }: Rest): Promise<boolean> {
  const left: { deviceKey: number; from: number }[] = []
  for (const [deviceKey, at] of [...after]) {
    if ((taken.get(deviceKey) ?? 0) < ALARM_SAMPLES_PER_TURN) continue
    if (of.get(deviceKey)?.some(({ isLate }) => isLate)) continue
    after.delete(deviceKey)
    left.push({ deviceKey, from: at + 1 })
  }
  await markDevices(tx, left)
  return left.length > 0
}
