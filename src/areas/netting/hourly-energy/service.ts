import { type Reading, rangeToLoad } from '../../../core/netting/counter/readings.ts'
import type { MeasurementRole } from '../../../core/netting/types.ts'
import { checkWindow, splitByPeriod } from '../../../core/netting/window.ts'
import { found } from '../../../kernel/errors.ts'
import { floorHour, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import { inTenantTx, type TenantDb, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/deps.ts'
import { assertNotSealed } from '../../metering/storage/index.ts'
import { type BuildIssues, refreshFactsAlarms, withFailureAlarm } from '../alarms/index.ts'
import { epochMsOf } from '../shared/index.ts'
import { compareFacts, type Fact, factsOfRole } from './facts.ts'
import { type Assignment, type Contribution, contributionOf, IntervalDeltaError } from './meter.ts'
import {
  applyReadings,
  type ChangedReadings,
  moveMeterFacts,
  preparePartitions,
  syncOfficialFacts,
} from './official.ts'
import { readingRanges } from './official-store.ts'
import { type Register, registersOf, traitsOf } from './roles.ts'
import type { RebuildBody } from './schema.ts'
import * as store from './store.ts'

export interface BuildRequest {
  readonly facilityIds: readonly string[]
  /** Cut to hours and to the hour that runs now; as long as wished. */
  readonly range: Range
}

export interface BuildResult {
  readonly hoursProcessed: number
  readonly rowsUpserted: number
  /** Assignments whose readings could not be used; their roles keep the facts they had. */
  readonly assignmentsSkipped: number
}

/** Runs a piece of work in a transaction of the tenant; a request's own also keeps its Idempotency-Key. */
type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

type BuildDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Builds the hourly facts of facilities from the registers of their meters and from official readings, and makes the
 * table hold exactly them: new rows, changed ones (`corrected`), and no row that nothing stands behind. Facts of other
 * sources are not touched. One transaction for each facility and billing period.
 */
export async function buildFacts(
  deps: BuildDeps,
  tenantId: number,
  { facilityIds, range }: BuildRequest,
  inTx: InTx = (work) => inTenantTx(deps.database.kysely, tenantId, work),
): Promise<BuildResult> {
  const { database, clock } = deps
  const to = Math.min(floorHour(range.to), floorHour(clock.now()))
  const windows = splitByPeriod({ from: floorHour(range.from), to })
  await ensurePartitions(
    database,
    'hourly_energy',
    windows.map(({ billingPeriod }) => billingPeriod),
  )
  let hoursProcessed = 0
  let rowsUpserted = 0
  let assignmentsSkipped = 0
  for (const facilityId of [...new Set(facilityIds)].sort()) {
    for (const { window } of windows) {
      const failure = {
        policy: 'netting_hourly_build_failed',
        subject: { facilityId },
        what: 'the build',
      } as const
      const built = await withFailureAlarm(deps, tenantId, failure, () =>
        inTx((tx) => buildWindow(deps, tx, { facilityId, range: window })),
      )
      hoursProcessed += (window.to - window.from) / HOUR_MS
      rowsUpserted += built.rowsUpserted
      assignmentsSkipped += built.assignmentsSkipped
    }
  }
  return { hoursProcessed, rowsUpserted, assignmentsSkipped }
}

interface FacilityRange {
  readonly facilityId: string
  readonly range: Range
}

async function buildWindow(
  deps: BuildDeps,
  tx: TenantTx,
  target: FacilityRange,
): Promise<Omit<BuildResult, 'hoursProcessed'>> {
  const { facilityId, range } = target
  await store.lockFacility(tx, facilityId)
  await assertNotSealed(tx, range)
  const official = await syncOfficialFacts(tx, facilityId, { range, now: deps.clock.now() })
  const existing = await store.readFacts(tx, facilityId, range)
  const roles = await measureRoles(deps, tx, target)
  const built = [...roles.contributions].flatMap(([role, contributions]) => {
    const { facts, lowHours } = factsOfRole(role, contributions, {
      range,
      isMeasuredElsewhere: measuredElsewhere(existing, role),
    })
    const [first] = lowHours
    if (first !== undefined) {
      const details = { facilityId, role, hours: lowHours.length, firstHour: iso(first) }
      deps.log.warn(details, 'hourly facts rest on less than half of their hour')
    }
    return facts
  })
  const fromDevices = existing.filter(({ source, role }) => isFromDevices(source) && !roles.skipped.has(role))
  const { upserts, removals } = compareFacts(built, fromDevices)
  await store.removeFacts(tx, facilityId, removals)
  await store.upsertFacts(tx, facilityId, { facts: upserts, now: deps.clock.now() })
  await refreshFactsAlarms(tx, { facilityId, range, issues: roles.issues, at: deps.clock.now() })
  return {
    rowsUpserted: upserts.length + official.rowsWritten,
    assignmentsSkipped: roles.issues.skippedAssignmentIds.length,
  }
}

/** What is built from devices; a row with source missing speaks for all sources. */
const isFromDevices = (source: Fact['source']): boolean => source === 'zeus_meter' || source === 'missing'

function measuredElsewhere(existing: readonly Fact[], role: MeasurementRole): (hour: number) => boolean {
  const hours = new Set(
    existing
      .filter((fact) => fact.role === role && !isFromDevices(fact.source))
      .filter((fact) => Object.values(fact.kwh).some((value) => value !== null))
      .map((fact) => fact.hour),
  )
  return (hour) => hours.has(hour)
}

const syncContext = (deps: BuildDeps) => ({
  now: deps.clock.now(),
  buildAll: (tx: TenantTx, facilityId: string, range: Range) => buildWindow(deps, tx, { facilityId, range }),
})

interface MeasuredRoles {
  readonly contributions: ReadonlyMap<MeasurementRole, readonly Contribution[]>
  /** Roles of which an assignment failed: half a sum would be worse than the facts of before. */
  readonly skipped: ReadonlySet<MeasurementRole>
  readonly issues: BuildIssues
}

/**
 * What the assignments of a facility say, by role. An interval_delta channel gives no energy, so its role falls to
 * the next source; an assignment that fails otherwise is skipped. A failure of the database is thrown.
 */
async function measureRoles(
  deps: BuildDeps,
  tx: TenantTx,
  { facilityId, range }: FacilityRange,
): Promise<MeasuredRoles> {
  const contributions = new Map<MeasurementRole, Contribution[]>()
  const skipped = new Set<MeasurementRole>()
  const intervalChannels: BuildIssues['intervalChannels'][number][] = []
  const skippedAssignmentIds: string[] = []
  for (const assignment of await store.listAssignments(tx, [facilityId], range)) {
    const readings = await loadReadings(tx, assignment, range)
    const { contribution, intervalMetric: metric } = measure(deps, assignment, { readings, range })
    if (metric !== undefined) intervalChannels.push({ deviceId: assignment.deviceId, metric })
    if (!contribution) {
      skipped.add(assignment.role)
      skippedAssignmentIds.push(assignment.id)
      continue
    }
    contributions.set(assignment.role, [...(contributions.get(assignment.role) ?? []), contribution])
  }
  for (const role of skipped) contributions.delete(role)
  return { contributions, skipped, issues: { intervalChannels, skippedAssignmentIds } }
}

interface LoadedReadings {
  readonly readings: ReadonlyMap<Register, readonly Reading[]>
  readonly range: Range
}

interface MeasureResult {
  /** Undefined when the readings could not be used. */
  readonly contribution: Contribution | undefined
  /** The channel of which no fact may come. */
  readonly intervalMetric?: string
}

function measure(
  { log }: BuildDeps,
  assignment: Assignment,
  { readings, range }: LoadedReadings,
): MeasureResult {
  const { id, deviceId, role } = assignment
  const details = { assignmentId: id, deviceId, role }
  try {
    const traits = traitsOf(assignment.registerMap)
    return { contribution: contributionOf({ assignment, traits, readings }, range) }
  } catch (error) {
    if (error instanceof IntervalDeltaError) {
      log.warn({ ...details, metric: error.message }, 'an interval_delta channel gives no hourly energy')
      const withoutReadings = { assignment, traits: undefined, readings: new Map() }
      return { contribution: contributionOf(withoutReadings, range), intervalMetric: error.message }
    }
    log.error({ ...details, err: error }, 'an assignment was skipped: its readings could not be used')
    return { contribution: undefined }
  }
}

/**
 * Readings in and around the range. A register with none there can make no fact, so nobody searches for its last
 * one: of a register that a device never had, that would be a walk through all its samples.
 */
async function loadReadings(
  db: TenantDb,
  { deviceKey, role, reportingIntervalMs }: Assignment,
  range: Range,
): Promise<Map<Register, Reading[]>> {
  const near = rangeToLoad(range, reportingIntervalMs)
  const readings = await store.readRegisters(db, deviceKey, { registers: registersOf(role), range: near })
  for (const [register, inside] of readings) {
    if (inside.length === 0) continue
    const { before, after } = await store.readNeighbours(db, deviceKey, { register, range: near })
    readings.set(register, [...before, ...inside, ...after])
  }
  return readings
}

export interface RebuildRequest {
  readonly tenantId: number
  readonly facilityId: string
  readonly body: RebuildBody
  readonly inTx: InTx
}

/** What POST rebuild does: 404, then 422, then the build of at most seven days. */
export async function rebuild(deps: BuildDeps, { tenantId, facilityId, body, inTx }: RebuildRequest) {
  found('facility', await store.findFacility(tenantDb(deps.database.kysely, tenantId), facilityId))
  const sent = { from: epochMsOf(body.from_hour), to: epochMsOf(body.to_hour) }
  checkWindow(sent)
  const range = { from: floorHour(sent.from), to: floorHour(sent.to) }
  const request = { facilityIds: [facilityId], range }
  const { hoursProcessed, rowsUpserted } = await buildFacts(deps, tenantId, request, inTx)
  return {
    facility_id: facilityId,
    from_hour: iso(range.from),
    to_hour: iso(range.to),
    hours_processed: hoursProcessed,
    rows_upserted: rowsUpserted,
  }
}

/** The partitions that facts of changed readings go to; called before their transaction. */
export const prepareOfficialFacts = ({ database }: BuildDeps, ranges: readonly Range[]): Promise<void> =>
  preparePartitions(database, ranges)

/** Within the transaction that stores readings: see `applyReadings`. Returns how many facts were written. */
export const applyOfficialReadings = (
  deps: BuildDeps,
  tx: TenantTx,
  changed: ChangedReadings,
): Promise<number> => applyReadings(tx, changed, syncContext(deps))

/** Within the transaction that moves installations or changes what they measure: see `movingMeters`. */
export const moveOfficialMeterFacts = <T>(
  deps: BuildDeps,
  tx: TenantTx,
  { ids, change }: { readonly ids: readonly string[]; readonly change: () => Promise<T> },
): Promise<T> => moveMeterFacts(tx, { ...syncContext(deps), ids }, change)

/** The partitions for all readings of installations; called before a transaction that moves them. */
export async function prepareMeterMove(
  deps: BuildDeps,
  tenantId: number,
  ids: readonly string[],
): Promise<void> {
  const ranges = await readingRanges(tenantDb(deps.database.kysely, tenantId), ids)
  await preparePartitions(deps.database, ranges)
}
