import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  described,
  Id,
  Instant,
  LocalDate,
  NoteDetails,
  Nullable,
  OneOf,
  Warnings,
} from '../../../platform/http/fields.ts'
import { Scenario } from '../calculation/index.ts'
import {
  DASHBOARD_YEAR_MAX,
  DASHBOARD_YEAR_MIN,
  READINGS_FACILITIES_MAX,
  READINGS_MONTHS_MAX,
} from '../limits.ts'
import { ComparedAmount, Forecast, kwh, Side } from './schema.ts'

/** Comparison and forecast of facilities on readings alone, without a group. */
const OptionalSide = (description: string) =>
  Nullable(
    Type.Unsafe<Static<typeof Side>>({ ...Side, description: `${description} null: no complete hour.` }),
  )
const figures = {
  hourly: OptionalSide('Result of netting by hour.'),
  monthly: OptionalSide('Result of netting by month.'),
  difference: OptionalSide('Hourly minus monthly, by field.'),
  amounts: Type.Array(ComparedAmount, {
    description: 'Seven amount types, each for both sides; none without a complete hour.',
  }),
}
const hourCounts = {
  hours_expected: Type.Integer({ description: 'Number of completed hours.' }),
  hours_compared: Type.Integer({ description: 'Number of hours in which every facility has its values.' }),
  completeness_pct: Type.Number({ description: 'Compared hours as a percentage of the expected ones.' }),
}
const FacilityIds = Type.String({
  minLength: 36,
  maxLength: 1000,
  description: `Facilities: ids separated by commas, at most ${READINGS_FACILITIES_MAX}.`,
})
const readingsFields = {
  data_basis: described(
    OneOf(['readings_only']),
    'Marks a result from readings alone: without memberships, eligibility and booked usage.',
  ),
  facility_ids: Type.Array(Id, { description: 'Facilities of the request, by id.' }),
  facilities: Type.Array(
    Type.Object({
      facility_id: Id,
      name: Nullable(Type.String()),
      role: described(OneOf(['production', 'consumption', 'mixed']), 'Role that the meters in force define.'),
    }),
    { description: 'Facilities that are netted: those with a main meter.' },
  ),
  limits: Type.Array(
    Type.Object({
      facility_id: Id,
      year: Type.Integer({ description: 'Turkey-local calendar year.' }),
      limit_kwh: Nullable(kwh('Limit of the year without usage; null: not known')),
      limit_basis: described(
        OneOf(['limit_account', 'previous_year_consumption', 'unlimited']),
        'Source of the limit: the account of the year with its adjustments and transfers, twice the ' +
          'consumption of the previous year, or no limit.',
      ),
    }),
    { description: 'Assumed limits of the consumers.' },
  ),
}

export const ReadingsComparisonQuery = Type.Object({
  facility_ids: FacilityIds,
  from: described(BillingPeriod, 'First month.'),
  to: described(
    BillingPeriod,
    `Last month, at most the current one and ${READINGS_MONTHS_MAX} months in all.`,
  ),
})
export const ReadingsComparison = Type.Object(
  {
    ...readingsFields,
    from_period: described(BillingPeriod, 'First month.'),
    to_period: described(BillingPeriod, 'Last month.'),
    from_hour: described(Instant, 'First hour.'),
    to_hour: described(Instant, 'End, exclusive: the end of the last month, or the current hour.'),
    ...hourCounts,
    method: Type.String({ description: 'Human-readable description of the method of both sides.' }),
    method_code: Type.String({ description: 'Code of the method.' }),
    ...figures,
    months: Type.Array(
      Type.Object({
        billing_period: described(BillingPeriod, 'Month.'),
        ...hourCounts,
        scenario: Nullable(described(Scenario, 'Rules that would apply; null: no complete hour.')),
        price_date: Nullable(described(LocalDate, 'Date whose prices apply to the month.')),
        ...figures,
      }),
      { description: 'The months of the range. Both sides use the limits from month to month.' },
    ),
    notes: Type.Array(Type.String(), { description: 'Assumptions and limitations.' }),
    ...NoteDetails,
    ...Warnings,
  },
  { title: 'ReadingsComparison' },
)

const {
  account_id: _account,
  facility_id: _facility,
  by_hour: _byHour,
  ...forecastProperties
} = Forecast.properties
const LIMIT_UNKNOWN = 'null: the limit of a consumer is not known'

export const ReadingsForecastQuery = Type.Object({
  facility_ids: FacilityIds,
  year: Type.Optional(
    Type.Integer({
      minimum: DASHBOARD_YEAR_MIN,
      maximum: DASHBOARD_YEAR_MAX,
      description: 'Turkey-local calendar year, at most the current one, which is the default.',
    }),
  ),
})
export const ReadingsForecast = Type.Object(
  {
    ...readingsFields,
    ...hourCounts,
    ...forecastProperties,
    limit_kwh: Nullable(kwh(`Common limit of the consumers in the year; ${LIMIT_UNKNOWN}`)),
    used_kwh: kwh('Usage so far, netted by hour from the readings'),
    remaining_kwh: Nullable(kwh(`Remaining limit now; ${LIMIT_UNKNOWN}`)),
    is_exhausted: Nullable(Type.Boolean({ description: `Whether the limit is used up; ${LIMIT_UNKNOWN}.` })),
    remaining_at_year_end_kwh: Nullable(
      kwh(`Expected remaining limit at the end of the year; ${LIMIT_UNKNOWN}`),
    ),
    shortfall_kwh: Nullable(kwh(`Part of expected_kwh beyond the limit; ${LIMIT_UNKNOWN}`)),
  },
  { title: 'ReadingsForecast' },
)
