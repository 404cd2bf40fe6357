import { applyMeterChanges } from '../../../core/netting/counter/meter-changes.ts'
import { fallsOf, type Reading, rangeToLoad } from '../../../core/netting/counter/readings.ts'
import type { MeasurementRole } from '../../../core/netting/types.ts'
import type { Range } from '../../../kernel/time.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { listMeterChanges } from '../../metering/meter-changes/index.ts'
import { listMaxPower } from '../../metering/power/index.ts'
import type { BuildIssues } from '../alarms/index.ts'
import { listAssignments } from './assignment-store.ts'
import { type Assignment, type Contribution, contributionOf, IntervalDeltaError } from './meter.ts'
import { type Register, registersOf, traitsOf } from './roles.ts'
import * as store from './store.ts'

/** A facility and the range of hours to build. */
export interface FacilityRange {
  readonly facilityId: string
  readonly range: Range
}

/** The contributions of devices to the measurement roles of a facility. */
export interface MeasuredRoles {
  readonly contributions: ReadonlyMap<MeasurementRole, readonly Contribution[]>
  /** Roles with a failed assignment: a partial sum would be worse than the previous facts. */
  readonly skipped: ReadonlySet<MeasurementRole>
  readonly issues: BuildIssues
}

/**
 * The contributions of the assignments of a facility, by role. An interval_delta channel contributes no
 * energy, so its role falls back to the next source. An assignment that fails otherwise is skipped. A failure
 * of the database is thrown.
 */
export async function measureRoles(
  deps: Pick<Deps, 'log'>,
  tx: TenantTx,
  { facilityId, range }: FacilityRange,
): Promise<MeasuredRoles> {
  const contributions = new Map<MeasurementRole, Contribution[]>()
  const skipped = new Set<MeasurementRole>()
  const intervalChannels: BuildIssues['intervalChannels'][number][] = []
  const skippedAssignmentIds: string[] = []
  for (const assignment of await listAssignments(tx, [facilityId], range)) {
    const readings = await loadReadings(tx, assignment, range)
    const falls = new Set([...readings.values()].flatMap(fallsOf))
    const maxPowerKw = await listMaxPower(tx, assignment.deviceKey, [...falls])
    const loaded = { readings, maxPowerKw, range }
    const { contribution, intervalMetric: metric } = measure(deps, assignment, loaded)
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
  readonly maxPowerKw: ReadonlyMap<number, number>
  readonly range: Range
}

interface MeasureResult {
  /** The contribution; undefined when the readings could not be used. */
  readonly contribution: Contribution | undefined
  /** The interval_delta channel, from which no fact may be derived. */
  readonly intervalMetric?: string
}

function measure(
  { log }: Pick<Deps, 'log'>,
  assignment: Assignment,
  { readings, maxPowerKw, range }: LoadedReadings,
): MeasureResult {
  const { id, deviceId, role } = assignment
  const details = { assignmentId: id, deviceId, role }
  try {
    const traits = traitsOf(assignment.registerMap)
    return { contribution: contributionOf({ assignment, traits, readings, maxPowerKw }, range) }
  } catch (error) {
    if (error instanceof IntervalDeltaError) {
      log.warn({ ...details, metric: error.message }, 'an interval_delta channel gives no hourly energy')
      const withoutReadings = { assignment, traits: undefined, readings: new Map(), maxPowerKw }
      return { contribution: contributionOf(withoutReadings, range), intervalMetric: error.message }
    }
    log.error({ ...details, err: error }, 'an assignment was skipped: its readings could not be used')
    return { contribution: undefined }
  }
}

/**
 * Readings in and around the range, with the recorded meter changes. A register without readings or changes in the
 * range yields no fact, so its neighbours are not searched: for a register that the device never had, that search would
 * scan all its samples.
 */
async function loadReadings(
  db: TenantDb,
  { deviceKey, role, reportingIntervalMs }: Assignment,
  range: Range,
): Promise<Map<Register, readonly Reading[]>> {
  const near = rangeToLoad(range, reportingIntervalMs)
  const readings = await store.readRegisters(db, deviceKey, { registers: registersOf(role), range: near })
  const meterChanges = await listMeterChanges(db, deviceKey)
  const loaded = new Map<Register, readonly Reading[]>()
  for (const [register, inside] of readings) {
    const changes = meterChanges.get(register) ?? []
    if (inside.length === 0 && !changes.some(({ at }) => at >= near.from && at <= near.to)) continue
    const { before, after } = await store.readNeighbours(db, deviceKey, { register, range: near })
    loaded.set(register, applyMeterChanges([...before, ...inside, ...after], changes))
  }
  return loaded
}
