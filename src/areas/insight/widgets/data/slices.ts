import { yieldToEventLoop } from '../../../../platform/async/yield.ts'
import { type EnergyRequest, type EnergyResult, toEnergyFigures } from '../../../metering/aggregates/index.ts'
import { WIDGET_BUCKETS_IN_TURN } from '../limits.ts'

export type Flow = 'consumption' | 'production' | 'export'

type EnergyOf = (request: EnergyRequest) => EnergyResult | undefined

/** Wh of some devices in a bucket. */
export interface Slice {
  readonly start: number
  /** Null when no device has a value. */
  readonly energyWh: number | null
  readonly isEstimated: boolean
}

/** The energy of all requested devices together, ascending. */
export function slicesOf(requests: readonly EnergyRequest[], energyOf: EnergyOf, flow: Flow): Slice[] {
  const byStart = new Map<number, Slice>()
  for (const request of requests) addTo(byStart, slicesOfOne(request, energyOf, flow))
  return inOrder(byStart)
}

/** The same of a year of hours, while others have their turn. */
export async function slicesYielding(
  requests: readonly EnergyRequest[],
  energyOf: EnergyOf,
  flow: Flow,
): Promise<Slice[]> {
  const byStart = new Map<number, Slice>()
  let added = 0
  for (const request of requests) {
    const slices = slicesOfOne(request, energyOf, flow)
    addTo(byStart, slices)
    added += slices.length
    if (added < WIDGET_BUCKETS_IN_TURN) continue
    added = 0
    await yieldToEventLoop()
  }
  return inOrder(byStart)
}

const inOrder = (byStart: ReadonlyMap<number, Slice>): Slice[] =>
  [...byStart.values()].sort((a, b) => a.start - b.start)

function addTo(byStart: Map<number, Slice>, slices: readonly Slice[]): void {
  for (const slice of slices) {
    const known = byStart.get(slice.start)
    byStart.set(slice.start, known ? sumSlices(slice.start, [known, slice]) : slice)
  }
}

function slicesOfOne(request: EnergyRequest, energyOf: EnergyOf, flow: Flow): Slice[] {
  const energy = energyOf(request)
  if (!energy) return []
  const { registers, isInverter } = energy
  return energy.buckets.map((bucket) => {
    const figures = toEnergyFigures(bucket, { interval: request.interval, registers, isInverter })
    const energyWh = flow === 'export' ? figures.exported : figures[flow]
    return { start: bucket.start, energyWh, isEstimated: energyWh !== null && figures.isEstimated }
  })
}

/** The sum; null where every part is. */
export const sumSlices = (start: number, slices: readonly Slice[]): Slice => ({
  start,
  energyWh: slices.reduce<number | null>(
    (sum, { energyWh }) => (energyWh === null ? sum : (sum ?? 0) + energyWh),
    null,
  ),
  isEstimated: slices.some(({ isEstimated }) => isEstimated),
})
