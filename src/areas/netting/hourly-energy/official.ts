import {
  assignmentsOf,
  IMPORTED_SOURCES,
  type OfficialMeter,
  type OfficialSpan,
  officialGroups,
  officialSpans,
} from '../../../core/netting/official-meters.ts'
import { cutAtRoles, type RoleSpan, roleSpans } from '../../../core/netting/role-sets.ts'
import type { AssignmentInput } from '../../../core/netting/types.ts'
import { splitByPeriod } from '../../../core/netting/window.ts'
import { DAY_MS, floorHour, HOUR_MS, type Range } from '../../../kernel/time.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertNotSealed } from '../../metering/storage/index.ts'
import { listAssignments } from './assignment-store.ts'
import type { Assignment } from './meter.ts'
import * as official from './official-store.ts'
import { ALWAYS, firstData, queueRebuilds } from './rebuild-store.ts'
import { lockFacility } from './store.ts'

/** The devices and the official meters of facilities over a range, from which their roles are derived. */
export interface MetersOfFacilities {
  readonly devices: readonly Assignment[]
  readonly official: readonly OfficialMeter[]
}

export const readMeters = async (
  db: TenantDb,
  facilityIds: readonly string[],
  range: Range,
): Promise<MetersOfFacilities> => ({
  devices: await listAssignments(db, facilityIds, range),
  official: await official.listMetersAt(db, facilityIds),
})

/**
 * The measurement roles in force at facilities during any part of a range: those of devices, and those that an
 * official meter fills by itself. The meters are those of at least these facilities over at least this range.
 */
export function rolesOf(
  meters: MetersOfFacilities,
  facilityIds: readonly string[],
  range: Range,
): AssignmentInput[] {
  const wanted = new Set(facilityIds)
  const devices = meters.devices.filter(
    ({ facilityId, from, to }) =>
      wanted.has(facilityId) && from < range.to && (to === null || to > range.from),
  )
  const spans = officialSpans(meters.official, devices, range)
  return [...devices, ...assignmentsOf(spans.filter(({ facilityId }) => wanted.has(facilityId)))]
}

export const listRoles = async (
  db: TenantDb,
  facilityIds: readonly string[],
  range: Range,
): Promise<AssignmentInput[]> => rolesOf(await readMeters(db, facilityIds, range), facilityIds, range)

/** The meters of a facility over a range. */
export interface FacilityMeters {
  /** The time spans of its official meters; undefined when there was never one. */
  readonly spans: readonly OfficialSpan[] | undefined
  /** The roles in force, by devices and official meters. */
  readonly assignments: readonly AssignmentInput[]
  readonly roles: readonly RoleSpan[]
}

export async function listMetersOf(db: TenantDb, facilityId: string, range: Range): Promise<FacilityMeters> {
  const devices = await listAssignments(db, [facilityId], range)
  const meters = await official.listMetersAt(db, [facilityId])
  const spans = officialSpans(meters, devices, range).filter((span) => span.facilityId === facilityId)
  const assignments = [...devices, ...assignmentsOf(spans)]
  return {
    spans: meters.length === 0 ? undefined : spans,
    assignments,
    roles: roleSpans(assignments, range),
  }
}

interface MetersRange {
  readonly meters: FacilityMeters
  readonly range: Range
  readonly now: number
}

/**
 * Makes the official facts of a facility equal to the readings of its installations. The caller holds the
 * facility's lock. A facility without installations costs one query: `moveMeterFacts` removed the facts of
 * its last installation.
 */
export async function syncOfficialFacts(
  tx: TenantTx,
  facilityId: string,
  { range, now, meters }: MetersRange,
): Promise<official.OfficialChanges> {
  if (!meters.spans) return { rowsWritten: 0, clearedHours: [] }
  return writeFacts(tx, facilityId, { meters, range, now })
}

/** Writes the facts of every imported source; a source without meters loses the facts that it had. */
async function writeFacts(
  tx: TenantTx,
  facilityId: string,
  { meters, range, now }: MetersRange,
): Promise<official.OfficialChanges> {
  const groups = cutAtRoles(officialGroups(meters.spans ?? []), meters.roles)
  let rowsWritten = 0
  const clearedHours: number[] = []
  for (const source of IMPORTED_SOURCES) {
    const own = groups.filter((group) => group.source === source)
    const changes = await official.writeOfficialFacts(tx, facilityId, { source, groups: own, range, now })
    rowsWritten += changes.rowsWritten
    clearedHours.push(...changes.clearedHours)
  }
  return { rowsWritten, clearedHours }
}

/** The ranges of changed readings by installation; each range covers one or a few months. */
export type ChangedReadings = ReadonlyMap<string, readonly Range[]>

export interface SyncContext {
  readonly now: number
  /** Builds hours of a facility from its devices, as the hourly build does. */
  readonly buildAll: (tx: TenantTx, facilityId: string, range: Range) => Promise<unknown>
}

/** Creates the monthly partitions of the facts. It is called before the transaction. */
export const preparePartitions = (database: Deps['database'], ranges: readonly Range[]): Promise<void> =>
  ensurePartitions(
    database,
    'hourly_energy',
    ranges.flatMap((range) => splitByPeriod(range).map(({ billingPeriod }) => billingPeriod)),
  )

/**
 * Applies changed readings to the facts of the facilities of their installations, in the transaction that
 * stores the readings, so that the next calculation sees them. 409 where a month between the first and the
 * last of them is sealed.
 */
export async function applyReadings(
  tx: TenantTx,
  changed: ChangedReadings,
  context: SyncContext,
): Promise<number> {
  const ranges = new Map<string, Range[]>()
  for (const meter of await official.listMeters(tx, [...changed.keys()])) {
    for (const hours of changed.get(meter.id) ?? []) {
      for (const { facilityId, from, to } of officialSpans([meter], [], hours)) {
        ranges.set(facilityId, [...(ranges.get(facilityId) ?? []), { from, to }])
      }
    }
  }
  return syncFacilities(tx, ranges, context)
}

/** Locks facilities in id order, so that two transactions on the same facilities do not deadlock. */
async function syncFacilities(
  tx: TenantTx,
  rangesOf: ReadonlyMap<string, readonly Range[]>,
  context: SyncContext,
): Promise<number> {
  let rowsWritten = 0
  for (const [facilityId, ranges] of [...rangesOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await lockFacility(tx, facilityId)
    for (const range of mergeNearbyRanges(ranges))
      rowsWritten += await syncRange(tx, facilityId, range, context)
  }
  return rowsWritten
}

async function syncRange(
  tx: TenantTx,
  facilityId: string,
  range: Range,
  { now, buildAll }: SyncContext,
): Promise<number> {
  await assertNotSealed(tx, range)
  const meters = await listMetersOf(tx, facilityId, range)
  const changes = await writeFacts(tx, facilityId, { meters, range, now })
  // These hours no longer have an imported value, so the build from devices decides whether they are missing.
  for (const { window } of splitByPeriod(enclosingRange(changes.clearedHours))) {
    await buildAll(tx, facilityId, window)
  }
  return changes.rowsWritten
}

/**
 * Merges ranges that are less than a month apart: one statement for each range, and months without a change
 * are skipped.
 */
export function mergeNearbyRanges(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && range.from - last.to <= NEARBY_MS) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    } else merged.push(range)
  }
  return merged
}
const NEARBY_MS = 31 * DAY_MS

const enclosingRange = (hours: readonly number[]): Range =>
  hours.length === 0
    ? { from: 0, to: 0 }
    : {
        from: hours.reduce((a, b) => Math.min(a, b)),
        to: hours.reduce((a, b) => Math.max(a, b)) + HOUR_MS,
      }

/**
 * Changes the facility or the role of installations and moves all their facts accordingly: at the facilities
 * of before and of after the change. 409 where a month of their readings is sealed.
 */
export async function moveMeterFacts<T>(
  tx: TenantTx,
  { ids, ...context }: MeterMove,
  change: () => Promise<T>,
): Promise<T> {
  const facilitiesBefore = await facilitiesOfMeters(tx, ids)
  const result = await queueRoleChanges(tx, { facilityIds: facilitiesBefore, now: context.now }, change)
  const ranges = await official.readingRanges(tx, ids)
  const facilityIds = new Set([...facilitiesBefore, ...(await facilitiesOfMeters(tx, ids))])
  const gained = [...facilityIds].filter((id) => !facilitiesBefore.includes(id))
  await queueRebuilds(tx, { facilityIds: gained, range: ALWAYS, now: context.now })
  if (ranges.length === 0) return result
  await syncFacilities(tx, new Map([...facilityIds].map((id) => [id, ranges])), context)
  return result
}

/**
 * Queues the facts of facilities whose roles a change of installations alters: an installation can put a role in force
 * in all hours, which the facts of other meters have to follow.
 */
export async function queueRoleChanges<T>(
  tx: TenantTx,
  { facilityIds, now }: { readonly facilityIds: readonly string[]; readonly now: number },
  change: () => Promise<T>,
): Promise<T> {
  const before = new Map<string, string>()
  for (const id of new Set(facilityIds)) before.set(id, await rolesText(tx, id, now))
  const result = await change()
  for (const [id, roles] of before) {
    if ((await rolesText(tx, id, now)) === roles) continue
    await queueRebuilds(tx, { facilityIds: [id], range: ALWAYS, now })
  }
  return result
}

async function rolesText(tx: TenantTx, facilityId: string, now: number): Promise<string> {
  const from = floorHour((await firstData(tx, facilityId)) ?? now)
  const { roles } = await listMetersOf(tx, facilityId, { from, to: floorHour(now) })
  return JSON.stringify(roles)
}

export interface MeterMove extends SyncContext {
  /** The installations concerned. */
  readonly ids: readonly string[]
}

/** The facilities that installations are or were assigned to. */
export async function facilitiesOfMeters(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  const meters = ids.length === 0 ? [] : await official.listMeters(db, ids)
  return meters.flatMap(({ facilityId, points }) => [
    ...(facilityId === null ? [] : [facilityId]),
    ...points.map((point) => point.facilityId),
  ])
}
