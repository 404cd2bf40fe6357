import { floorHour, HOUR_MS, type Range } from '../../kernel/time.ts'
import type { AssignmentInput, FactSource, MeasurementRole } from './types.ts'

/** The sources whose hourly readings are imported: of the grid operator, or declared by the customer. */
export const IMPORTED_SOURCES = [
  'osos_official_meter',
  'customer_declared',
] as const satisfies readonly FactSource[]
export type ImportedSource = (typeof IMPORTED_SOURCES)[number]

/**
 * A meter with imported readings: an official meter (an OSOS installation), or a meter that the customer
 * declared. It measures at a metering point while one is in force, otherwise
 * at its own facility.
 */
export interface OfficialMeter {
  readonly id: string
  readonly source: ImportedSource
  readonly facilityId: string | null
  /** The role that the operator has set; null: derived. */
  readonly role: MeasurementRole | null
  readonly points: readonly OfficialPoint[]
}
export interface OfficialPoint {
  readonly id: string
  readonly facilityId: string
  readonly from: number
  readonly to: number | null
}

/** A device in a role at a facility; `meteringPointId` is one of the points of the facility. */
export interface AssignmentAt extends AssignmentInput {
  readonly meteringPointId: string | null
}

/** An official meter in one role at one facility, on hours in [from, to). */
export interface OfficialSpan {
  readonly meterId: string
  readonly source: ImportedSource
  readonly facilityId: string
  readonly role: MeasurementRole
  readonly from: number
  readonly to: number
  /**
   * True when the meter itself puts the role in force: the operator has set the role, or no device measures
   * there.
   */
  readonly countsAsAssigned: boolean
}

/** Main roles first: a point may have a check meter in addition to the main one. */
const ROLE_ORDER: readonly MeasurementRole[] = [
  'main_production',
  'main_consumption',
  'pcc_import_export',
  'osb_eb_consumption',
  'battery',
  'self_consumption',
  'aux_production',
  'aux_consumption',
  'check_meter',
]
const MAIN_ROLES = new Set<MeasurementRole>(ROLE_ORDER.slice(0, 4))

const ceilHour = (instant: number): number => floorHour(instant + HOUR_MS - 1)

/**
 * The facilities and roles of the official meters, hour by hour (ADR 0024). A point counts for the hours that
 * begin while it is in force; of several points that name one meter the one that began last. The role is the
 * one that the operator has set, otherwise that of a device at the same point, otherwise that of the
 * facility's only kind of meter, so that official facts and device facts describe the same quantity. A meter
 * alone, or together with meters of both kinds, is the boundary.
 */
export function officialSpans(
  meters: readonly OfficialMeter[],
  assignments: readonly AssignmentAt[],
  range: Range,
): OfficialSpan[] {
  return meters.flatMap((meter) => spansOf(meter, assignments, range))
}

function spansOf(meter: OfficialMeter, assignments: readonly AssignmentAt[], range: Range): OfficialSpan[] {
  const facilityIds = new Set([meter.facilityId, ...meter.points.map((point) => point.facilityId)])
  const near = assignments.filter((assignment) => facilityIds.has(assignment.facilityId))
  const spans: OfficialSpan[] = []
  const edges = edgesOf(meter, near, range)
  for (const [index, from] of edges.entries()) {
    const to = edges[index + 1]
    if (to === undefined) break
    const span = spanAt(meter, near, { from, to })
    const last = spans.at(-1)
    if (!span) continue
    if (last && last.to === from && isSame(last, span)) spans[spans.length - 1] = { ...last, to }
    else spans.push(span)
  }
  return spans
}

const isSame = (a: OfficialSpan, b: OfficialSpan): boolean =>
  a.facilityId === b.facilityId && a.role === b.role && a.countsAsAssigned === b.countsAsAssigned

/** The hours at which anything about a meter may change, ascending, the range's ends included. */
function edgesOf({ points }: OfficialMeter, near: readonly AssignmentAt[], range: Range): number[] {
  const edges = [
    ...points.flatMap(({ from, to }) => [ceilHour(from), ceilHour(to ?? range.to)]),
    ...near.flatMap(({ from, to }) => [floorHour(from), ceilHour(to ?? range.to)]),
  ].filter((at) => at > range.from && at < range.to)
  return [...new Set([range.from, ...edges, range.to])].sort((a, b) => a - b)
}

function spanAt(meter: OfficialMeter, near: readonly AssignmentAt[], hours: Range) {
  const point = pointAt(meter.points, hours.from)
  const facilityId = point?.facilityId ?? meter.facilityId
  if (facilityId === null) return undefined
  const here = near.filter(
    (item) => item.facilityId === facilityId && item.from < hours.to && (item.to ?? hours.to) > hours.from,
  )
  const main = new Set(here.map(({ role }) => role).filter((role) => MAIN_ROLES.has(role)))
  const atPoint = here.filter(({ meteringPointId }) => point && meteringPointId === point.id)
  const role = meter.role ?? firstRole(atPoint) ?? onlyKindOf(main) ?? 'pcc_import_export'
  const countsAsAssigned = meter.role !== null || main.size === 0
  return { meterId: meter.id, source: meter.source, facilityId, role, ...hours, countsAsAssigned }
}

function pointAt(points: readonly OfficialPoint[], at: number): OfficialPoint | undefined {
  return points
    .filter(({ from, to }) => from <= at && (to === null || at < to))
    .sort((a, b) => b.from - a.from || (a.id < b.id ? -1 : 1))[0]
}

const firstRole = (assignments: readonly AssignmentAt[]): MeasurementRole | undefined =>
  ROLE_ORDER.find((role) => assignments.some((assignment) => assignment.role === role))

/** The role that the official meter can replace; undefined with meters of both kinds, or with none. */
function onlyKindOf(main: ReadonlySet<MeasurementRole>): MeasurementRole | undefined {
  if (main.has('pcc_import_export')) return 'pcc_import_export'
  const produces = main.has('main_production')
  const consumption = (['main_consumption', 'osb_eb_consumption'] as const).find((role) => main.has(role))
  if (produces) return consumption ? undefined : 'main_production'
  return consumption
}

/** Spans that put a role in force by themselves, as the calculation reads roles. */
export const assignmentsOf = (spans: readonly OfficialSpan[]): AssignmentInput[] =>
  spans
    .filter(({ countsAsAssigned }) => countsAsAssigned)
    .map(({ facilityId, role, from, to }) => ({ facilityId, role, from, to }))

/**
 * Meters of one source that measure one role of a facility together: an hour has a fact only when all of them
 * have it.
 */
export interface OfficialGroup {
  readonly source: ImportedSource
  readonly role: MeasurementRole
  readonly from: number
  readonly to: number
  readonly meterIds: readonly string[]
}

/**
 * The spans of one facility, cut so that each piece has the same meters all along; pieces of one source and
 * role do not overlap.
 */
export const officialGroups = (spans: readonly OfficialSpan[]): OfficialGroup[] =>
  IMPORTED_SOURCES.flatMap((source) =>
    [...new Set(spans.map(({ role }) => role))].sort().flatMap((role) => groupsOf(spans, { source, role })),
  )

function groupsOf(
  spans: readonly OfficialSpan[],
  { source, role }: Pick<OfficialGroup, 'source' | 'role'>,
): OfficialGroup[] {
  const own = spans.filter((span) => span.role === role && span.source === source)
  const edges = [...new Set(own.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  return edges.flatMap((from, index) => {
    const to = edges[index + 1]
    const meterIds = own.filter((span) => span.from <= from && from < span.to).map(({ meterId }) => meterId)
    return to === undefined || meterIds.length === 0
      ? []
      : [{ source, role, from, to, meterIds: meterIds.sort() }]
  })
}
