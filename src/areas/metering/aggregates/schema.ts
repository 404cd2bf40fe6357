import { type Static, Type } from 'typebox'
import { BUCKET_QUALITIES, type CounterQuality } from '../../../core/netting/counter/quality.ts'
import { Id, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { INTERVALS } from '../rollup/index.ts'

export const DeviceParams = Type.Object({ device_id: Id })

const aggregateQuery = {
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Start of the range, rounded down to a bucket boundary. Default: a day (hourly), 31 days (daily) ' +
        'or 366 days (monthly) before end.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'End of the range, exclusive, rounded up to a bucket boundary. Default: now.',
    }),
  ),
  interval: Type.Unsafe<(typeof INTERVALS)[number]>({
    ...OneOf(INTERVALS),
    default: 'hourly',
    description:
      'Bucket size: Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days per request.',
  }),
}
export const AggregateQuery = Type.Object(aggregateQuery)
export const AggregateByDeviceQuery = Type.Object({ device_id: Id, ...aggregateQuery })

/** The quality of an energy; `what` names it. */
export const Quality = (what: string) =>
  Type.Unsafe<CounterQuality>({
    ...OneOf(BUCKET_QUALITIES),
    description:
      `Quality of ${what}, with the values of hourly facts. complete: measured throughout. partial: it has not ` +
      'ended, or a part is not covered by readings or is estimated. missing: no reading of the register; a value is ' +
      'an estimate. suspect: a reset or a false reading affects it.',
  })

const NumberOrNull = (description: string) => Nullable(Type.Number({ description }))

const AggregatedRow = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time', description: 'Start of the bucket.' }),
    voltage_avg: NumberOrNull('Mean of the samples, V.'),
    current_avg: NumberOrNull('Mean of the samples, A.'),
    power_avg: NumberOrNull('Mean of active_power, kW, consumption positive.'),
    energy_kwh: NumberOrNull('Energy of the bucket, equal to total_energy.'),
    power_factor_avg: NumberOrNull('Mean of the samples.'),
    total_energy: NumberOrNull(
      'Energy of the bucket, kWh: the growth of the register (import; for production the production ' +
        'register, never below 0), or the average power multiplied by the bucket length if the register is ' +
        'constant or absent. null: no data.',
    ),
    total_reactive_energy: NumberOrNull(
      'Reactive energy, inductive and capacitive, kvarh; null for production.',
    ),
    power_factor: NumberOrNull(
      'Equal to power_factor_avg; null in the production variant until the bucket is rolled up.',
    ),
    voltage: NumberOrNull(
      'Equal to voltage_avg; null in the production variant until the bucket is rolled up.',
    ),
    current: NumberOrNull(
      'Equal to current_avg; null in the production variant until the bucket is rolled up.',
    ),
    is_estimated: Type.Boolean({
      description:
        'Whether the energy was calculated from power, or is a share of the register growth across a gap. ' +
        'Estimates from power are calculated for each bucket separately; only measured energy and shares ' +
        'of gaps add up exactly.',
    }),
    data_quality: Quality('the energy of the bucket'),
  },
  { title: 'AggregatedMeasurementRow' },
)
export type AggregatedRow = Static<typeof AggregatedRow>

export const AggregatedResponse = Type.Object(
  {
    device_id: Id,
    interval: OneOf(INTERVALS),
    start: Type.String({ format: 'date-time', description: 'Start of the first requested bucket.' }),
    end: Type.String({ format: 'date-time', description: 'End of the last requested bucket.' }),
    data: Type.Array(AggregatedRow, {
      description:
        'Rows in ascending order; a bucket that has no sample and is not between two readings has no row.',
    }),
  },
  { title: 'AggregatedMeasurements' },
)

export type AggregatedResponse = Static<typeof AggregatedResponse>
