import { type Static, Type } from 'typebox'
import {
  described,
  Id,
  Instant,
  Kwh,
  LocalDate,
  Nullable,
  OneOf,
  Word,
} from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { ListQuery } from '../../../platform/http/page.ts'
import { HOURLY_FORECAST_DAYS_MAX, HOURLY_FORECAST_FACILITIES_MAX } from './limits.ts'

export const CreateHourlyForecast = Type.Object(
  {
    facility_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: HOURLY_FORECAST_FACILITIES_MAX,
      uniqueItems: true,
      description: 'Facilities.',
    }),
    from_date: Type.Optional(
      described(
        LocalDate,
        'First day; at most tomorrow, which is the default. A past day: only hours before it are used.',
      ),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: HOURLY_FORECAST_DAYS_MAX, description: 'Days. Default: 31.' }),
    ),
  },
  { title: 'CreateHourlyForecast' },
)
export type CreateHourlyForecast = Static<typeof CreateHourlyForecast>

const KINDS = ['consumption', 'production'] as const
const kwh = (text: string) => Nullable(described(Kwh, text))

const head = {
  id: Id,
  state: described(
    Word(['waiting', 'done', 'failed', 'cancelled']),
    'waiting: a job computes it; failed: see error.',
  ),
  facility_ids: Type.Array(Id, { description: 'Facilities.' }),
  from_hour: described(Instant, 'First hour.'),
  to_hour: described(Instant, 'End, exclusive.'),
  facilities_total: Type.Integer({ description: 'Facilities to compute.' }),
  facilities_done: Type.Integer({ description: 'Facilities that are computed.' }),
  created_at: Instant,
  finished_at: Nullable(Instant),
}
export const HourlyForecastHead = Type.Object(head, { title: 'HourlyForecastHead' })

const Score = Type.Object(
  {
    hours: Type.Integer({ description: 'Hours that were compared.' }),
    mae_kwh: kwh('Mean absolute error of p50.'),
    naive_week_mae_kwh: kwh('The same of the week before, repeated; null: not known in every hour.'),
    naive_year_mae_kwh: kwh('The same of the hour 52 weeks before; null: not known in every hour.'),
    pinball_kwh: kwh('Mean pinball loss of the three quantiles.'),
    coverage_pct: Nullable(
      Type.Number({ description: 'Share of the hours with energy that were within the band; 80 is right.' }),
    ),
  },
  {
    description:
      'How the forecast of the last 30 known days, from the hours before them, met what was measured.',
  },
)

const Series = Type.Object({
  facility_id: described(Id, 'Facility.'),
  facility_name: Type.String({ description: 'Name.' }),
  kind: described(Word(KINDS), 'Energy.'),
  history_from: described(Instant, 'First known hour before the forecast.'),
  history_hours: Type.Integer({ description: 'Known hours.' }),
  calibration: Type.Object(
    {
      hours: Type.Integer({ description: 'Held-back hours.' }),
      lower_factor: Type.Number({ description: 'Factor of the lower half of the band.' }),
      upper_factor: Type.Number({ description: 'Factor of the upper half.' }),
    },
    { description: 'How the band was widened or narrowed.' },
  ),
  score: Score,
})

export const HourlyForecastDetail = Type.Object(
  {
    ...head,
    requested_by: Nullable(described(Id, 'User.')),
    input_hash: Nullable(Type.String({ description: 'Hash of the hours before, and of the method.' })),
    error: Nullable(MessageText('Text of the failure.')),
    series: Type.Array(Series, {
      description:
        'Consumption and production of the facilities of which hours are known. Empty until it is computed.',
    }),
  },
  { title: 'HourlyForecast' },
)

export const ForecastHour = Type.Object(
  {
    hour: described(Instant, 'Start of the hour.'),
    p10_kwh: kwh('In one of ten cases the energy is below it; null: unknown.'),
    p50_kwh: kwh('In half of the cases the energy is below it; null: unknown.'),
    p90_kwh: kwh('In one of ten cases the energy is above it; null: unknown.'),
  },
  { title: 'ForecastHour' },
)

export const HourlyForecastsQuery = Type.Object({
  ...ListQuery(),
  facility_id: Type.Optional(described(Id, 'Only forecasts with this facility.')),
})
export const ForecastHoursQuery = Type.Object({
  ...ListQuery(2_000),
  facility_id: described(Id, 'Facility.'),
  kind: described(OneOf(KINDS), 'Energy.'),
})
