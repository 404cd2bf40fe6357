import { type CounterQuality, qualityOfSum } from '../../../core/netting/counter/quality.ts'
import { found } from '../../../kernel/errors.ts'
import { iso } from '../../../kernel/time.ts'
import type { Queryable } from '../../../platform/db/rows.ts'
import { bucketCount } from '../rollup/index.ts'
import { readMeteredDevice } from './bucket-store.ts'
import { readEnergy, sum } from './energy.ts'
import { type EnergyFigures, inKilo, qualitiesOf, toEnergyFigures } from './energy-figures.ts'
import { type RangeRequest, rangeOf } from './service.ts'

export interface ConsumptionRequest extends RangeRequest {
  readonly tenantId: number
  readonly deviceId: string
}

/** Energy of a device in kWh, of one bucket or of all buckets. */
export interface ConsumptionTotals {
  readonly consumption_kwh: number | null
  readonly production_kwh: number | null
  readonly export_kwh: number | null
  readonly is_estimated: boolean
  readonly data_quality: CounterQuality
}

export interface Consumption {
  readonly start: string
  readonly end: string
  readonly data: readonly (ConsumptionTotals & { readonly timestamp: string })[]
  readonly totals: ConsumptionTotals
}

/**
 * Reads the energy of a device by hour, day or month, and the exact sum of the rows. 404 for an unknown
 * device.
 */
export async function readConsumption(db: Queryable, request: ConsumptionRequest): Promise<Consumption> {
  const { tenantId, deviceId, interval } = request
  const range = rangeOf(request)
  const device = found('device', await readMeteredDevice(db, tenantId, deviceId.toLowerCase()))
  const { buckets, registers } = await readEnergy(db, device, { interval, range })
  const rows = buckets.map((bucket) => ({
    start: bucket.start,
    ...toEnergyFigures(bucket, { interval, registers, isInverter: device.isInverter, now: request.now }),
  }))
  const missing = bucketCount(interval, range) - rows.length
  return {
    start: iso(range.from),
    end: iso(range.to),
    data: rows.map(({ start, ...figures }) => ({
      timestamp: iso(start),
      ...toResponse(figures, qualityOfSum(qualitiesOf(figures))),
    })),
    totals: toResponse(
      sumTotals(rows),
      qualityOfSum([...rows.flatMap(qualitiesOf), ...(missing > 0 ? (['missing'] as const) : [])]),
    ),
  }
}

const sumTotals = (rows: readonly EnergyFigures[]): Totals => ({
  consumption: sum(rows.map(({ consumption }) => consumption)),
  production: sum(rows.map(({ production }) => production)),
  exported: sum(rows.map(({ exported }) => exported)),
  isEstimated: rows.some(({ isEstimated }) => isEstimated),
})

type Totals = Omit<EnergyFigures, 'quality'>

const toResponse = (
  { consumption, production, exported, isEstimated }: Totals,
  quality: CounterQuality,
): ConsumptionTotals => ({
  consumption_kwh: inKilo(consumption),
  production_kwh: inKilo(production),
  export_kwh: inKilo(exported),
  is_estimated: isEstimated,
  data_quality: quality,
})
