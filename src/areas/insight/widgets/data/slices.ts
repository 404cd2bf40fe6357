import { type CounterQuality, qualityOfSum } from '../../../../core/netting/counter/quality.ts'
import { REGISTERS, type Register } from '../../../../kernel/metrics.ts'
import { yieldToEventLoop } from '../../../../platform/async/yield.ts'
import { type EnergyRequest, type EnergyResult, toEnergyFigures } from '../../../metering/aggregates/index.ts'
import { WIDGET_BUCKETS_IN_TURN } from '../limits.ts'

export type Flow = 'consumption' | 'production' | 'export'

interface Reader {
  readonly energyOf: (request: EnergyRequest) => EnergyResult | undefined
  readonly flow: Flow
  readonly now: number
}

/** Wh of some devices in a bucket. */
export interface Slice {
  readonly start: number
  /** Null when no device has a value. */
  readonly energyWh: number | null
  readonly isEstimated: boolean
  readonly quality: CounterQuality
  /** The number of devices that have the bucket. */
  readonly devices: number
}

/** The energy of all requested devices together, ascending. */
export function slicesOf(requests: readonly EnergyRequest[], reader: Reader): Slice[] {
  const byStart = new Map<number, Slice>()
  let devices = 0
  for (const request of requests) {
    const slices = slicesOfOne(request, reader)
    if (slices === undefined) continue
    devices += 1
    addTo(byStart, slices)
  }
  return inOrder(byStart, devices)
}

/** The same of a year of hours, while others have their turn. */
export async function slicesYielding(requests: readonly EnergyRequest[], reader: Reader): Promise<Slice[]> {
  const byStart = new Map<number, Slice>()
  let devices = 0
  let added = 0
  for (const request of requests) {
    const slices = slicesOfOne(request, reader)
    if (slices === undefined) continue
    devices += 1
    addTo(byStart, slices)
    added += slices.length
    if (added < WIDGET_BUCKETS_IN_TURN) continue
    added = 0
    await yieldToEventLoop()
  }
  return inOrder(byStart, devices)
}

/** A bucket that one of the devices lacks is not complete. */
const inOrder = (byStart: ReadonlyMap<number, Slice>, devices: number): Slice[] =>
  [...byStart.values()]
    .map((slice) =>
      slice.devices === devices ? slice : { ...slice, quality: qualityOfSum([slice.quality, 'missing']) },
    )
    .sort((a, b) => a.start - b.start)

function addTo(byStart: Map<number, Slice>, slices: readonly Slice[]): void {
  for (const slice of slices) {
    const known = byStart.get(slice.start)
    byStart.set(slice.start, known ? sumSlices(slice.start, [known, slice]) : slice)
  }
}

const REGISTER_OF: Readonly<Record<Flow, Register>> = {
  consumption: 'import_active_energy',
  production: 'production_active_energy',
  export: 'export_active_energy',
}

/** The slices of a device; undefined where it is deleted or does not measure the flow. */
function slicesOfOne(request: EnergyRequest, { energyOf, flow, now }: Reader): Slice[] | undefined {
  const energy = energyOf(request)
  if (!energy) return undefined
  const { registers, isInverter } = energy
  const key = flow === 'export' ? 'exported' : flow
  const slices = energy.buckets.flatMap((bucket): Slice[] => {
    const figures = toEnergyFigures(bucket, { interval: request.interval, registers, isInverter, now })
    const { [key]: energyWh, quality } = figures
    const ofFlow = quality[key]
    if (ofFlow === null) return []
    const isEstimated = energyWh !== null && figures.isEstimated
    return [{ start: bucket.start, energyWh, isEstimated, quality: ofFlow, devices: 1 }]
  })
  const isMeasured = (registers & (1 << REGISTERS.indexOf(REGISTER_OF[flow]))) !== 0
  return slices.length > 0 || isMeasured ? slices : undefined
}

/** The sum; null where every part is. `buckets`: the number of slices of a sum over time without a gap. */
export const sumSlices = (start: number, slices: readonly Slice[], buckets = slices.length): Slice => ({
  start,
  energyWh: slices.reduce<number | null>(
    (sum, { energyWh }) => (energyWh === null ? sum : (sum ?? 0) + energyWh),
    null,
  ),
  isEstimated: slices.some(({ isEstimated }) => isEstimated),
  quality: qualityOfSum([
    ...slices.map(({ quality }) => quality),
    ...(slices.length < buckets ? (['missing'] as const) : []),
  ]),
  devices: slices.reduce((sum, { devices }) => sum + devices, 0),
})
