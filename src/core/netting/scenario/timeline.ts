import { byteAt } from '../../../kernel/checked.ts'
import { add, type Kwh, larger, smaller, subtract, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS, type Range } from '../../../kernel/time.ts'
import { type Quantities, quantitiesOf, rolesByHour } from '../quantities.ts'
import { type ChosenValue, chooseValues, type Kind, type ValueSeries, worseQuality } from '../sources.ts'
import type { AssignmentInput, FactInput, MeasurementRole, MemberRole } from '../types.ts'

/** The bits of `rolesByHour`. */
export const PRODUCTION_BIT = 1
const CONSUMPTION_BIT = 2
export const BOUNDARY_BIT = 4
const ZONE_BIT = 8
const BITS: readonly (readonly [number, MeasurementRole])[] = [
  [PRODUCTION_BIT, 'main_production'],
  [CONSUMPTION_BIT, 'main_consumption'],
  [BOUNDARY_BIT, 'pcc_import_export'],
  [ZONE_BIT, 'osb_eb_consumption'],
]

type Series = Partial<Record<Kind, (ChosenValue | undefined)[]>>

/** The meters of one facility over all hours of a scenario, which changes rewrite. */
export interface Timeline {
  readonly facilityId: string
  readonly range: Range
  readonly values: Series
  readonly roles: Uint8Array
}

export const makeTimeline = (facilityId: string, range: Range): Timeline => ({
  facilityId,
  range,
  values: {},
  roles: new Uint8Array((range.to - range.from) / HOUR_MS),
})

export interface TimelineSource {
  /** The part of the range that the facts and assignments speak for. */
  readonly window: Range
  readonly facts: readonly FactInput[]
  readonly assignments: readonly AssignmentInput[]
}

/** Adds what an input knows about the facility; an input is valid for its window only. */
export function readInto(timeline: Timeline, { window, facts, assignments }: TimelineSource): void {
  const { facilityId, range, values, roles } = timeline
  const offset = (window.from - range.from) / HOUR_MS
  const own = facts.filter((fact) => fact.facilityId === facilityId)
  const chosen = chooseValues(own, window, () => true).get(facilityId) ?? {}
  for (const [kind, list] of Object.entries(chosen) as [Kind, ValueSeries][]) {
    const series = values[kind] ?? []
    values[kind] = series
    for (let index = 0; index < list.length; index += 1) {
      const value = list.at(index)
      if (value) series[offset + index] = value
    }
  }
  const ownRoles = assignments.filter((assignment) => assignment.facilityId === facilityId)
  rolesByHour(ownRoles, window)
    .get(facilityId)
    ?.forEach((bits, index) => {
      roles[offset + index] = byteAt(roles, offset + index) | bits
    })
}

/** Production, consumption and export share of the facility in an hour, as the engine sees them. */
export const quantitiesAt = (timeline: Timeline, index: number, memberRole: MemberRole): Quantities =>
  quantitiesOf({
    roles: byteAt(timeline.roles, index),
    values: timeline.values,
    hourIndex: index,
    memberRole,
    hasStorage: false,
  })

const read = ({ values }: Timeline, kind: Kind, index: number): ChosenValue | undefined =>
  values[kind]?.[index]

export const kwhOf = (timeline: Timeline, kind: Kind, index: number): Kwh | null =>
  read(timeline, kind, index)?.valueKwh ?? null

function write(timeline: Timeline, kind: Kind, index: number, valueKwh: Kwh): void {
  const series = timeline.values[kind] ?? []
  timeline.values[kind] = series
  const before = series[index]
  series[index] = {
    valueKwh,
    source: before?.source ?? 'profiled_estimate',
    quality: before ? worseQuality(before.quality, 'estimated_profiled') : 'estimated_profiled',
  }
}

const has = ({ roles }: Timeline, index: number, bit: number): boolean => (byteAt(roles, index) & bit) !== 0
const put = ({ roles }: Timeline, index: number, bit: number): void => {
  roles[index] = byteAt(roles, index) | bit
}

/** More load behind the boundary meter first uses up the export; less load first the import. */
function loadBoundary(timeline: Timeline, index: number, deltaKwh: Kwh): void {
  const [drawn, fed] = [kwhOf(timeline, 'import', index), kwhOf(timeline, 'export', index)]
  if (drawn === null || fed === null) return
  const [used, other] = deltaKwh > 0n ? [fed, drawn] : [drawn, fed]
  const amount = deltaKwh > 0n ? deltaKwh : wh(-deltaKwh)
  const spared = smaller(larger(used, ZERO_KWH), amount)
  const [usedAfter, otherAfter] = [subtract(used, spared), add(other, subtract(amount, spared))]
  write(timeline, 'import', index, deltaKwh > 0n ? otherAfter : usedAfter)
  write(timeline, 'export', index, deltaKwh > 0n ? usedAfter : otherAfter)
}

export const isMeteredByBoundaryAlone = (timeline: Timeline, index: number): boolean =>
  has(timeline, index, BOUNDARY_BIT) && !has(timeline, index, PRODUCTION_BIT | CONSUMPTION_BIT | ZONE_BIT)

/**
 * Adds production behind the meters of the facility; a facility without a production meter gets one, except
 * where a boundary meter alone measures it. The production of an hour without a value stays unknown.
 */
export function addProduction(timeline: Timeline, index: number, deltaKwh: Kwh): void {
  if (deltaKwh === 0n && has(timeline, index, PRODUCTION_BIT | BOUNDARY_BIT)) return
  if (!isMeteredByBoundaryAlone(timeline, index)) {
    const isMetered = has(timeline, index, PRODUCTION_BIT)
    const before = isMetered ? kwhOf(timeline, 'production', index) : ZERO_KWH
    put(timeline, index, PRODUCTION_BIT)
    if (before === null) return
    write(timeline, 'production', index, larger(add(before, deltaKwh), ZERO_KWH))
  }
  if (has(timeline, index, BOUNDARY_BIT)) loadBoundary(timeline, index, wh(-deltaKwh))
}

/**
 * Adds consumption behind the meters of the facility (negative: less); a facility without a meter of consumption gets
 * one. The consumption of an hour without a value stays unknown.
 */
export function addConsumption(timeline: Timeline, index: number, deltaKwh: Kwh): void {
  if (deltaKwh === 0n && has(timeline, index, CONSUMPTION_BIT | ZONE_BIT | BOUNDARY_BIT)) return
  if (has(timeline, index, BOUNDARY_BIT)) loadBoundary(timeline, index, deltaKwh)
  if (!has(timeline, index, CONSUMPTION_BIT | ZONE_BIT)) {
    if (has(timeline, index, BOUNDARY_BIT)) return
    put(timeline, index, CONSUMPTION_BIT)
    write(timeline, 'consumption', index, larger(deltaKwh, ZERO_KWH))
    return
  }
  const main = has(timeline, index, CONSUMPTION_BIT) ? kwhOf(timeline, 'consumption', index) : null
  const kind = main === null && has(timeline, index, ZONE_BIT) ? 'zoneConsumption' : 'consumption'
  const before = kwhOf(timeline, kind, index)
  if (before !== null) write(timeline, kind, index, larger(add(before, deltaKwh), ZERO_KWH))
}

/** Writes an hour of meters whose roles are given as bits: each role gets its values. */
export function writeMeters(
  timeline: Timeline,
  index: number,
  roles: number,
  values: Readonly<Record<'production' | 'consumption' | 'import' | 'export', Kwh | undefined>>,
): void {
  put(timeline, index, roles)
  const kinds: readonly (readonly [number, Kind, Kwh | undefined])[] = [
    [PRODUCTION_BIT, 'production', values.production],
    [CONSUMPTION_BIT, 'consumption', values.consumption],
    [ZONE_BIT, 'zoneConsumption', values.consumption],
    [BOUNDARY_BIT, 'import', values.import],
    [BOUNDARY_BIT, 'export', values.export],
  ]
  for (const [bit, kind, value] of kinds)
    if ((roles & bit) !== 0 && value !== undefined) write(timeline, kind, index, value)
}

/** Records what a battery behind a boundary meter discharged; negative: charged. */
export function recordBattery(timeline: Timeline, index: number, dischargedKwh: Kwh): void {
  if (!has(timeline, index, BOUNDARY_BIT)) return
  write(timeline, 'battery', index, add(kwhOf(timeline, 'battery', index) ?? ZERO_KWH, dischargedKwh))
}

/** The facts of the timeline within a window. */
export function factsOf(timeline: Timeline, window: Range): FactInput[] {
  const { facilityId, range } = timeline
  const facts: FactInput[] = []
  for (let hour = Math.max(window.from, range.from); hour < window.to; hour += HOUR_MS) {
    const index = (hour - range.from) / HOUR_MS
    for (const kind of KINDS) {
      const chosen = read(timeline, kind, index)
      if (!chosen || chosen.valueKwh === null) continue
      const [role, field] = FIELDS[kind]
      const { source, quality: dataQuality } = chosen
      const empty = { facilityId, hour, source, role, ...NO_VALUES, dataQuality, completenessPct: 100 }
      facts.push({ ...empty, [field]: chosen.valueKwh })
    }
  }
  return facts
}

const NO_VALUES = {
  productionKwh: null,
  consumptionKwh: null,
  selfConsumptionKwh: null,
  importKwh: null,
  exportKwh: null,
  batteryKwh: null,
} as const

const FIELDS: Readonly<Record<Kind, readonly [MeasurementRole, keyof typeof NO_VALUES]>> = {
  production: ['main_production', 'productionKwh'],
  consumption: ['main_consumption', 'consumptionKwh'],
  zoneConsumption: ['osb_eb_consumption', 'consumptionKwh'],
  import: ['pcc_import_export', 'importKwh'],
  export: ['pcc_import_export', 'exportKwh'],
  battery: ['battery', 'batteryKwh'],
}
const KINDS = Object.keys(FIELDS) as Kind[]

/** The meter roles of the timeline within a window, as few assignments as possible. */
export function assignmentsOf({ facilityId, range, roles }: Timeline, window: Range): AssignmentInput[] {
  const found: { facilityId: string; role: MeasurementRole; from: number; to: number }[] = []
  for (const [bit, role] of BITS) {
    let last: (typeof found)[number] | undefined
    for (let hour = Math.max(window.from, range.from); hour < window.to; hour += HOUR_MS) {
      if ((byteAt(roles, (hour - range.from) / HOUR_MS) & bit) === 0) continue
      if (last?.to === hour) last.to = hour + HOUR_MS
      else {
        last = { facilityId, role, from: hour, to: hour + HOUR_MS }
        found.push(last)
      }
    }
  }
  return found
}

/** Whether the facility has the production meter in any hour. */
export const hasProductionMeter = ({ roles }: Timeline): boolean =>
  roles.some((bits) => (bits & PRODUCTION_BIT) !== 0)
