import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { INTERVALS } from '../rollup/index.ts'

export const DeviceParams = Type.Object({ device_id: Id })

const aggregateQuery = {
  start: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Moved back to the start of its bucket. Default: a day (hourly), 31 days (daily) or 366 days (monthly) ' +
        'before end.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Not included; moved forward to the end of its bucket. Default: now.',
    }),
  ),
  interval: Type.Unsafe<(typeof INTERVALS)[number]>({
    ...OneOf(INTERVALS),
    default: 'hourly',
    description: 'Turkey-local hours, days or months; at most 400, 1,500 or 7,400 days at once.',
  }),
}
export const AggregateQuery = Type.Object(aggregateQuery)
export const AggregateByDeviceQuery = Type.Object({ device_id: Id, ...aggregateQuery })

const NumberOrNull = (description: string) => Nullable(Type.Number({ description }))

const AggregatedRow = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'The start of the bucket.' }),
  voltage_avg: NumberOrNull('Mean of the samples, V.'),
  current_avg: NumberOrNull('Mean of the samples, A.'),
  power_avg: NumberOrNull('Mean of active_power, kW, consumption positive.'),
  energy_kwh: NumberOrNull('The same as total_energy.'),
  power_factor_avg: NumberOrNull('Mean of the samples.'),
  total_energy: NumberOrNull(
    'kWh: the growth of the register (import; for production the production register, never below 0), or what ' +
      'the average power gives over the bucket where the register is flat or absent. null: no data.',
  ),
  total_reactive_energy: NumberOrNull('kvarh, inductive and capacitive; null for production.'),
  power_factor: NumberOrNull(
    'As power_factor_avg; null in the production variant while the bucket is not rolled up.',
  ),
  voltage: NumberOrNull('As voltage_avg; null in the production variant while the bucket is not rolled up.'),
  current: NumberOrNull('As current_avg; null in the production variant while the bucket is not rolled up.'),
  is_estimated: Type.Boolean({
    description:
      'Made from power, or a share of what the register grew across a gap. Estimates from power are made for ' +
      'each bucket by itself, so only measured energy and shares of gaps add up exactly.',
  }),
})
export type AggregatedRow = Static<typeof AggregatedRow>

export const AggregatedResponse = Type.Object({
  device_id: Id,
  interval: OneOf(INTERVALS),
  start: Type.String({ format: 'date-time', description: 'The start of the first bucket asked for.' }),
  end: Type.String({ format: 'date-time', description: 'The end of the last bucket asked for.' }),
  data: Type.Array(AggregatedRow, {
    description: 'Ascending; a bucket without a sample, and not between two readings, has no row.',
  }),
})

export type AggregatedResponse = Static<typeof AggregatedResponse>
