/**
 * Hourly energy facts: one row in `hourly_energy` for each facility, hour, source and measurement role.
 *
 * Purpose. Netting calculates from facts, not from samples. `buildFacts` derives the facts of a range from
 * two sources:
 *
 * - `zeus_meter`: the cumulative registers of the devices that are assigned to the facility. `meter.ts` turns
 *   the readings of one assignment into hours, `facts.ts` sums the assignments of a role and adds a row with
 *   source `missing` for an hour without a value from any source.
 * - `osos_official_meter`: the official readings of OSOS installations (`official.ts`, ADR 0024). They are
 *   also written in the transaction that stores the readings, so that a calculation after the response sees
 *   them.
 *
 * Facts of all other sources are not touched: they are reports of others and not derived from meters.
 *
 * Each derived fact stores the main roles in force at its hour (`role_set`). A change of the registry that alters them,
 * or which meter measures, queues the hours to be derived again (`rebuild.ts`).
 *
 * Transactions and locks. One transaction for each facility and billing period, under a lock on the
 * facility's row. The lock serializes builds of one facility; a statement that only refers to the facility
 * does not wait. A delivery of readings that covers several facilities locks them in id order.
 *
 * Idempotent. A build compares the computed facts with the stored ones and writes only the differences. A
 * changed row becomes `corrected`, a row that no source supports any more is removed, an equal row is not
 * written.
 *
 * Failures. A channel that counts each interval by itself (interval_delta) contributes no energy. An
 * assignment whose readings cannot be used is skipped, and its whole role keeps the stored facts: a partial
 * sum would be worse than the previous value. Both cases open an alarm for the facility. A failure of the
 * database fails the build, which opens an alarm in its own transaction.
 *
 * Trade-off. A build loads all readings of its window into memory and computes in the process: a month for
 * each device. The official facts take one SQL statement instead, because a file brings a year at once.
 */
import type { MeasurementRole } from '../../../core/netting/types.ts'
import { checkWindow, splitByPeriod } from '../../../core/netting/window.ts'
import { found } from '../../../kernel/errors.ts'
import { floorHour, HOUR_MS, iso, type Range } from '../../../kernel/time.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import { inTenantTx, type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertNotSealed } from '../../metering/storage/index.ts'
import { ALARM_TEXTS, refreshFactsAlarms, withFailureAlarm } from '../alarms/index.ts'
import { epochMsOf } from '../shared/index.ts'
import { compareFacts, type Fact, factsOfRole } from './facts.ts'
import { type FacilityRange, measureRoles } from './measured-roles.ts'
import { expectedRoles, missingFacts } from './missing-facts.ts'
import {
  applyReadings,
  type ChangedReadings,
  listMetersOf,
  moveMeterFacts,
  preparePartitions,
  syncOfficialFacts,
} from './official.ts'
import { readingRanges } from './official-store.ts'
import type { RebuildBody } from './schema.ts'
import * as store from './store.ts'

export interface BuildRequest {
  readonly facilityIds: readonly string[]
  /** Truncated to whole hours and to the current hour; of any length. */
  readonly range: Range
}

export interface BuildResult {
  readonly hoursProcessed: number
  readonly rowsUpserted: number
  /** Assignments whose readings could not be used; their roles keep the previous facts. */
  readonly assignmentsSkipped: number
}

/** Runs work in a transaction of the tenant; the transaction of a request also stores its Idempotency-Key. */
type InTx = <T>(work: (tx: TenantTx) => Promise<T>) => Promise<T>

export type BuildDeps = Pick<Deps, 'database' | 'clock' | 'log'>

/**
 * Builds the facts of facilities for a range, one transaction for each facility and billing period.
 * Idempotent.
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
        what: ALARM_TEXTS.FAILURE_OF_BUILD(),
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

export async function buildWindow(
  deps: BuildDeps,
  tx: TenantTx,
  target: FacilityRange,
): Promise<Omit<BuildResult, 'hoursProcessed'>> {
  const { facilityId, range } = target
  await store.lockFacility(tx, facilityId)
  await assertNotSealed(tx, range)
  const now = deps.clock.now()
  const meters = await listMetersOf(tx, facilityId, range)
  const official = await syncOfficialFacts(tx, facilityId, { range, now, meters })
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
  const others = existing.filter(({ source, role }) => !isFromDevices(source) || roles.skipped.has(role))
  const expected = expectedRoles(meters, await store.listMemberships(tx, facilityId, range))
  built.push(...missingFacts(expected, [...built, ...others]))
  const fromDevices = existing.filter(({ source, role }) => isFromDevices(source) && !roles.skipped.has(role))
  const { upserts, removals } = compareFacts(built, fromDevices)
  await store.removeFacts(tx, facilityId, removals)
  await store.upsertFacts(tx, facilityId, { facts: upserts, roles: meters.roles, now })
  await store.stampRoles(tx, facilityId, meters.roles)
  await refreshFactsAlarms(tx, { facilityId, range, issues: roles.issues, at: now })
  return {
    rowsUpserted: upserts.length + official.rowsWritten,
    assignmentsSkipped: roles.issues.skippedAssignmentIds.length,
  }
}

/** True for the sources that a build from devices owns. A row with source missing stands for all sources. */
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

export interface RebuildRequest {
  readonly tenantId: number
  readonly facilityId: string
  readonly body: RebuildBody
  readonly inTx: InTx
}

/** Handles POST rebuild: 404, then 422, then the build of at most seven days. */
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

/** Creates the partitions for the facts of changed readings. Call it before their transaction. */
export const prepareOfficialFacts = ({ database }: BuildDeps, ranges: readonly Range[]): Promise<void> =>
  preparePartitions(database, ranges)

/** `applyReadings`, in the transaction that stores the readings. Returns the number of facts written. */
export const applyOfficialReadings = (
  deps: BuildDeps,
  tx: TenantTx,
  changed: ChangedReadings,
): Promise<number> => applyReadings(tx, changed, syncContext(deps))

/** `moveMeterFacts`, in the transaction that moves installations or changes what they measure. */
export const moveOfficialMeterFacts = <T>(
  deps: BuildDeps,
  tx: TenantTx,
  { ids, change }: { readonly ids: readonly string[]; readonly change: () => Promise<T> },
): Promise<T> => moveMeterFacts(tx, { ...syncContext(deps), ids }, change)

/** Creates the partitions for all readings of installations. Call it before a transaction that moves them. */
export async function prepareMeterMove(
  deps: BuildDeps,
  tenantId: number,
  ids: readonly string[],
): Promise<void> {
  const ranges = await readingRanges(tenantDb(deps.database.kysely, tenantId), ids)
  await preparePartitions(deps.database, ranges)
}
