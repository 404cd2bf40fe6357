/**
 * The power flow of facilities: what comes from the sun, the grid and batteries, and where it goes. Powers are whole
 * watts, so that sums are exact. Which meters count, the formulas and the rounding: docs/understand/power-flow.md.
 */
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'

export type PowerMeter = ResponseOf<'GET', '/api/overview/power'>['meters'][number]
type Role = PowerMeter['measurement_role']

/** Sources and uses in watts, none below zero but `difference`. */
export interface Flow {
  readonly sun: number
  readonly gridImport: number
  readonly gridExport: number
  readonly discharge: number
  readonly charge: number
  readonly load: number
  /** What the meters measure differently: positive is a use, negative a source. */
  readonly difference: number
}
export type FlowPart = keyof Flow

export const SOURCES = ['sun', 'gridImport', 'discharge'] as const satisfies readonly FlowPart[]
export const USES = ['load', 'gridExport', 'charge'] as const satisfies readonly FlowPart[]

export const NO_FLOW: Flow = {
  sun: 0,
  gridImport: 0,
  gridExport: 0,
  discharge: 0,
  charge: 0,
  load: 0,
  difference: 0,
}

/** Whole watts of a power in kW as the API sends it. Meters measure in floating point. */
export const wattsOf = (kw: number): number => Math.round(kw * 1000)

/** The flow of one facility, from the power of its meters in watts. */
export function facilityFlow(meters: readonly { readonly role: Role; readonly watts: number }[]): Flow {
  const powerOf = (role: Role): number | undefined => {
    const own = meters.filter((meter) => meter.role === role)
    return own.length === 0 ? undefined : own.reduce((sum, { watts }) => sum + watts, 0)
  }
  const measured = powerOf('main_production')
  const battery = powerOf('battery') ?? 0
  const boundary = powerOf('pcc_import_export')
  const consumption = powerOf('main_consumption') ?? powerOf('osb_eb_consumption')
  // As in netting, what only a boundary meter sees flowing out was produced.
  const seen = consumption === undefined && boundary !== undefined ? Math.max(battery - boundary, 0) : 0
  const production = measured === undefined ? seen : -measured
  const sun = Math.max(production, 0)
  // What an inverter draws at night is load.
  const drawn = sun - production
  const grid = boundary ?? (consumption ?? 0) + battery - production
  const supplied = grid + sun - battery
  const load = boundary !== undefined && consumption === undefined ? supplied : (consumption ?? 0) + drawn
  const shownLoad = Math.max(load, 0)
  return {
    sun,
    gridImport: Math.max(grid, 0),
    gridExport: Math.max(-grid, 0),
    discharge: Math.max(-battery, 0),
    charge: Math.max(battery, 0),
    load: shownLoad,
    difference: supplied - shownLoad,
  }
}

const parts = Object.keys(NO_FLOW) as FlowPart[]
const mapFlow = (value: (part: FlowPart) => number): Flow =>
  Object.fromEntries(parts.map((part) => [part, value(part)])) as Record<FlowPart, number>

export const addFlows = (a: Flow, b: Flow): Flow => mapFlow((part) => a[part] + b[part])

/** A flow in units of the same size; the sums of its sources and its uses are equal. */
export interface ShownFlow {
  readonly units: Flow
  /** Places of kW. */
  readonly places: number
}

/** Largest powers in watts, with the places of kW that are shown for them; above the last one there is none. */
const RESOLUTIONS = [
  { below: 10_000, places: 3 },
  { below: 100_000, places: 2 },
  { below: 10_000_000, places: 1 },
] as const

/**
 * Rounds a flow to a common resolution, so that the shown values add up exactly: sources and negative uses have the sum
 * zero, which largest remainders keep.
 */
export function roundFlow(flow: Flow): ShownFlow {
  const largest = Math.max(...parts.map((part) => Math.abs(flow[part])))
  const places = RESOLUTIONS.find(({ below }) => largest < below)?.places ?? 0
  const step = 10 ** (3 - places)
  const sign = (part: FlowPart): number => ((SOURCES as readonly FlowPart[]).includes(part) ? 1 : -1)
  const rounded = roundToZeroSum(
    parts.map((part) => sign(part) * flow[part]),
    step,
  )
  // A negative zero would be shown with its sign.
  return { units: mapFlow((part) => sign(part) * (rounded[parts.indexOf(part)] ?? 0) + 0), places }
}

/** Units of `step` of integers with the sum zero; the sum of the units is zero as well. */
export function roundToZeroSum(values: readonly number[], step: number): number[] {
  const units = values.map((value) => Math.floor(value / step))
  const missing = -units.reduce((sum, unit) => sum + unit, 0)
  const byRemainder = values
    .map((value, index) => ({ index, remainder: value - Math.floor(value / step) * step }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder.slice(0, missing)) units[index] = (units[index] ?? 0) + 1
  return units
}
