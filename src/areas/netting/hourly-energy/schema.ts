import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Kwh, Nullable, OneOf } from '../../../platform/http/fields.ts'
import { ListQuery } from '../../../platform/http/page.ts'
import { HOURLY_LIST_LIMIT_MAX } from '../limits.ts'
import { MEASUREMENT_ROLES } from '../shared/index.ts'

const FactSource = OneOf([
  'lum_official_report',
  'gts_report',
  'pys_import',
  'osos_official_meter',
  'zeus_meter',
  'customer_declared',
  'profiled_estimate',
  'missing',
])
const MeasurementRole = OneOf(MEASUREMENT_ROLES)
export const DataQuality = OneOf([
  'complete',
  'partial',
  'missing',
  'corrected',
  'suspect',
  'estimated_profiled',
  'unknown',
])

const kwh = (description: string) =>
  Nullable(Type.String({ ...Kwh, description: `${description}; kWh. null if the role does not measure it.` }))

export const HourlyEnergy = Type.Object(
  {
    facility_id: Id,
    hour: Type.Unsafe<Date | string>({ ...Instant, description: 'Start of the hour.' }),
    source: Type.Unsafe<Static<typeof FactSource>>({
      ...FactSource,
      description: 'Source of the values; missing: no meter measured the hour.',
    }),
    measurement_role: Type.Unsafe<Static<typeof MeasurementRole>>({
      ...MeasurementRole,
      description: 'Role of the meter at the facility.',
    }),
    production_kwh: kwh('Generated energy'),
    consumption_kwh: kwh('Consumed energy'),
    self_consumption_kwh: kwh('Energy generated and used behind the meter'),
    import_kwh: kwh('Energy drawn through the boundary meter'),
    export_kwh: kwh('Energy fed through the boundary meter'),
    battery_kwh: kwh('Storage energy: positive is discharge, negative is charge'),
    data_quality: Type.Unsafe<Static<typeof DataQuality>>({
      ...DataQuality,
      description:
        'complete from 95 % of covered time, partial below; suspect: a meter reset; corrected: changed by ' +
        'a later rebuild.',
    }),
    completeness_pct: Type.Number({ description: 'Completeness in %: covered minutes / 60 × 100.' }),
  },
  { title: 'HourlyEnergy' },
)

export const HourlyEnergyQuery = Type.Object({
  ...ListQuery(HOURLY_LIST_LIMIT_MAX, HOURLY_LIST_LIMIT_MAX),
  from: Type.String({ ...InstantIn, description: 'First hour, inclusive.' }),
  to: Type.String({ ...InstantIn, description: 'End, exclusive.' }),
})

export const HourlyEnergyTotalsQuery = Type.Object({
  from: HourlyEnergyQuery.properties.from,
  to: HourlyEnergyQuery.properties.to,
})
const sum = (description: string) =>
  Nullable(Type.String({ ...Kwh, description: `${description}; kWh. null: no row has a value.` }))
export const HourlyEnergyTotals = Type.Object(
  {
    rows: Type.Integer({ description: 'Number of rows in the range.' }),
    by_source: Type.Array(
      Type.Object({
        source: Type.Unsafe<Static<typeof FactSource>>({
          ...FactSource,
          description: 'Source of the values. Sources describe the same energy and must not be added.',
        }),
        measurement_role: HourlyEnergy.properties.measurement_role,
        rows: Type.Integer({ description: 'Number of rows of the source and role.' }),
        production_kwh: sum('Generated energy'),
        consumption_kwh: sum('Consumed energy'),
        self_consumption_kwh: sum('Energy generated and used behind the meter'),
        import_kwh: sum('Energy drawn through the boundary meter'),
        export_kwh: sum('Energy fed through the boundary meter'),
        battery_kwh: sum('Storage energy: positive is discharge, negative is charge'),
      }),
      { description: 'The sources and roles that occur, by name.' },
    ),
  },
  { title: 'HourlyEnergyTotals' },
)

export const RebuildBody = Type.Object(
  {
    from_hour: Type.String({ ...InstantIn, description: 'Start, inclusive, truncated to the hour.' }),
    to_hour: Type.String({
      ...InstantIn,
      description: 'End, exclusive, truncated to the hour. At most 7 days after from_hour.',
    }),
  },
  { title: 'RebuildFacts' },
)

export const RebuildResult = Type.Object(
  {
    facility_id: Id,
    from_hour: Type.Unsafe<Date | string>({ ...Instant, description: 'First hour of the range.' }),
    to_hour: Type.Unsafe<Date | string>({ ...Instant, description: 'End of the range.' }),
    hours_processed: Type.Integer({
      description: 'Number of whole hours of the range, without the current and later hours.',
    }),
    rows_upserted: Type.Integer({ description: 'Number of new or changed rows.' }),
  },
  { title: 'RebuiltFacts' },
)

export type HourlyEnergy = Static<typeof HourlyEnergy>
export type HourlyEnergyQuery = Static<typeof HourlyEnergyQuery>
export type RebuildBody = Static<typeof RebuildBody>
