import {
  assignmentsOf,
  IMPORTED_SOURCES,
  type OfficialSpan,
  officialGroups,
  officialSpans,
} from '../../../core/netting/official-meters.ts'
import type { AssignmentInput } from '../../../core/netting/types.ts'
import { splitByPeriod } from '../../../core/netting/window.ts'
import { DAY_MS, HOUR_MS, type Range } from '../../../kernel/time.ts'
import { ensurePartitions } from '../../../platform/db/partitions.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertNotSealed } from '../../metering/storage/index.ts'
import * as official from './official-store.ts'
import { listAssignments, lockFacility } from './store.ts'

/**
 * The measurement roles in force at facilities: those of devices, and those that an official meter fills by
 * itself.
 */
export async function listRoles(
  db: TenantDb,
  facilityIds: readonly string[],
  range: Range,
): Promise<AssignmentInput[]> {
  const assignments = await listAssignments(db, facilityIds, range)
  const meters = await official.listMetersAt(db, facilityIds)
  if (meters.length === 0) return assignments
  const wanted = new Set(facilityIds)
  const spans = officialSpans(meters, assignments, range).filter(({ facilityId }) => wanted.has(facilityId))
  return [...assignments, ...assignmentsOf(spans)]
}

/** Returns the time spans of the official meters at a facility; undefined when there was never one. */
async function spansAt(db: TenantDb, facilityId: string, range: Range): Promise<OfficialSpan[] | undefined> {
  const meters = await official.listMetersAt(db, [facilityId])
  if (meters.length === 0) return undefined
  const assignments = await listAssignments(db, [facilityId], range)
  return officialSpans(meters, assignments, range).filter((span) => span.facilityId === facilityId)
}

/**
 * Makes the official facts of a facility equal to the readings of its installations. The caller holds the
 * facility's lock. A facility without installations costs one query: `moveMeterFacts` removed the facts of
 * its last installation.
 */
export async function syncOfficialFacts(
  tx: TenantTx,
  facilityId: string,
  { range, now }: { readonly range: Range; readonly now: number },
): Promise<official.OfficialChanges> {
  const spans = await spansAt(tx, facilityId, range)
  if (!spans) return { rowsWritten: 0, clearedHours: [] }
  return writeFacts(tx, facilityId, { spans, range, now })
}

/** Writes the facts of every imported source; a source without meters loses the facts that it had. */
async function writeFacts(
  tx: TenantTx,
  facilityId: string,
  {
    spans,
    range,
    now,
  }: { readonly spans: readonly OfficialSpan[]; readonly range: Range; readonly now: number },
): Promise<official.OfficialChanges> {
  const groups = officialGroups(spans)
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
  const spans = (await spansAt(tx, facilityId, range)) ?? []
  const changes = await writeFacts(tx, facilityId, { spans, range, now })
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
  const facilitiesBefore = await facilitiesOf(tx, ids)
  const result = await change()
  const ranges = await official.readingRanges(tx, ids)
  if (ranges.length === 0) return result
  const facilityIds = new Set([...facilitiesBefore, ...(await facilitiesOf(tx, ids))])
  await syncFacilities(tx, new Map([...facilityIds].map((id) => [id, ranges])), context)
  return result
}

export interface MeterMove extends SyncContext {
  /** The installations concerned. */
  readonly ids: readonly string[]
}

async function facilitiesOf(db: TenantDb, ids: readonly string[]): Promise<string[]> {
  const meters = ids.length === 0 ? [] : await official.listMeters(db, ids)
  return meters.flatMap(({ facilityId, points }) => [
    ...(facilityId === null ? [] : [facilityId]),
    ...points.map((point) => point.facilityId),
  ])
}
