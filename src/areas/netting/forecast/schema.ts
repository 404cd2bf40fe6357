import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  described,
  Id,
  Instant,
  Kwh,
  LocalDate,
  NoteDetails,
  Nullable,
  OneOf,
  Warnings,
} from '../../../platform/http/fields.ts'
import { AmountType, Scenario } from '../calculation/index.ts'

export const kwh = (description: string) => described(Kwh, `${description}; kWh.`)
const figure = (description: string) => Nullable(described(Kwh, `${description}; kWh. null: unknown.`))
const lira = (description: string) => Nullable(described(Decimal, `${description}; TRY.`))
const NO_PRICE = 'null if a part of the energy has no price'

export const ComparisonQuery = Type.Object({
  billing_period: described(
    BillingPeriod,
    'Month; any date of it is truncated. A month before 2000, or without a complete hour so far, is 422.',
  ),
})

export const Side = Type.Object(
  {
    production_kwh: figure('Production'),
    consumption_kwh: figure('Consumption before netting'),
    matched_kwh: figure('Production matched by consumption'),
    net_import_kwh: figure('Consumption left after matching'),
    surplus_kwh: figure('Production left after matching'),
    bedelli_kwh: figure('Paid surplus'),
    skb_kwh: figure('Surplus beyond the limit, subject to the system usage fee'),
    bedelsiz_kwh: figure('Free surplus'),
    limit_used_kwh: kwh(
      'Limit used from the accounts of the consumers; 0 for residential groups, which have no limit',
    ),
    total_try: lira(`Revenue plus avoided cost minus cost of the owner; ${NO_PRICE}`),
  },
  { title: 'ComparisonSide' },
)
const side = (description: string) => Type.Unsafe<Static<typeof Side>>({ ...Side, description })

export const ComparedAmount = Type.Object(
  {
    amount_type: described(
      AmountType,
      'Type of the amount; amounts are positive, counts_as has the direction.',
    ),
    counts_as: described(
      OneOf(['revenue', 'cost', 'avoided_cost', 'not_counted']),
      'Effect on the total of the owner: revenue and avoided_cost are added, cost is subtracted, ' +
        'not_counted is informational.',
    ),
    hourly_kwh: kwh('Priced energy with netting by hour'),
    hourly_try: lira(`Amount of this energy; ${NO_PRICE}`),
    monthly_kwh: kwh('Priced energy with netting by month'),
    monthly_try: lira(`Amount of this energy; ${NO_PRICE}`),
    difference_try: lira(
      'Hourly amount minus monthly amount, without regard to the direction; null if either is null',
    ),
  },
  { title: 'ComparedAmount' },
)

export const Comparison = Type.Object(
  {
    group_id: described(Id, 'Group.'),
    billing_period: described(BillingPeriod, 'Billing period: the first day of a Turkey-local month.'),
    from_hour: described(Instant, 'First compared hour: the start of the period.'),
    to_hour: described(
      Instant,
      'End of the comparison, exclusive: the end of the period, or the current hour.',
    ),
    scenario: described(Scenario, 'Rules that apply to the group.'),
    netted_by: described(
      OneOf(['hour', 'month']),
      'Side by which the group is netted; the other side is hypothetical.',
    ),
    side_in_force: described(
      OneOf(['hour', 'month']),
      'Side that the law prescribed in the period: the month for homes, and for all groups before 1 May 2026. ' +
        'Results are calculated by netted_by all the same.',
    ),
    method: Type.String({ description: 'Human-readable description of the method of both sides.' }),
    method_code: Type.String({ description: 'Code of the method.' }),
    price_date: described(LocalDate, 'Date whose prices apply to the month.'),
    hourly: side('Result of netting by hour.'),
    monthly: side('Result of netting as one month.'),
    difference: side(
      'Hourly minus monthly, by field. With a negative total_try hourly netting is worse for the owner.',
    ),
    amounts: Type.Array(ComparedAmount, { description: 'Seven amount types, each for both sides.' }),
    agrees_with_results: Nullable(
      Type.Boolean({
        description:
          'Whether the side by which the group is netted equals the sum of the current results of the ' +
          'period. false if hours are not calculated yet, or facts, prices or balances have changed since. ' +
          'null without results.',
      }),
    ),
    notes: Type.Array(Type.String(), { description: 'Limitations of the comparison in this period.' }),
    ...NoteDetails,
    ...Warnings,
  },
  { title: 'NettingComparison' },
)

export type Comparison = Static<typeof Comparison>
export type Side = Static<typeof Side>

const MonthAhead = Type.Object(
  {
    month: described(BillingPeriod, 'First day of the month.'),
    days: Type.Integer({ description: 'Number of forecast days of the month.' }),
    last_year_kwh_per_day: Nullable(
      kwh('Mean of the known days of the same month of last year before scaling; null if there are too few'),
    ),
    expected_kwh_per_day: kwh('Expected usage per day of the month'),
  },
  { title: 'ForecastMonth' },
)

const ByHour = Type.Object(
  {
    run_out_date: Nullable(described(LocalDate, 'Expected day; null if the limit lasts the whole year.')),
    early_date: Nullable(described(LocalDate, 'Day with p90 in every hour; null if it lasts.')),
    late_date: Nullable(described(LocalDate, 'Day with p10 in every hour; null if it lasts.')),
    share_pct: Type.Number({ description: 'Share of the account in the production of the last known days.' }),
    forecast_at: described(Instant, 'When the oldest of the forecasts was made.'),
  },
  {
    description:
      'null: no forecast by hour of a plant of the group, or no use of the account on the last days.',
  },
)

export const Forecast = Type.Object(
  {
    account_id: described(Id, 'Limit account.'),
    facility_id: described(Id, 'Facility of the account.'),
    year: Type.Integer({ description: 'Turkey-local calendar year of the account.' }),
    limit_kwh: kwh('Limit of the year including all bookings that are not usage'),
    used_kwh: kwh('Usage so far: matched energy and paid surplus of current results'),
    remaining_kwh: kwh('Remaining limit now; zero or negative: used up'),
    is_exhausted: Type.Boolean({ description: 'Whether the limit is used up.' }),
    run_out_date: Nullable(
      described(
        LocalDate,
        'Turkey-local day on which the limit is expected to be used up, or was used up; null if it lasts ' +
          'the whole year.',
      ),
    ),
    remaining_at_year_end_kwh: kwh('Expected remaining limit at the end of the year'),
    expected_kwh: kwh('Expected usage from forecast_from to the end of the year without a limit'),
    shortfall_kwh: kwh(
      'Part of expected_kwh beyond the limit: the additional limit that would suffice for the year',
    ),
    daily_rate_kwh: Nullable(
      kwh('Current usage per day: mean of the last 28 whole days, or of all days if fewer; null without any'),
    ),
    forecast_from: described(
      LocalDate,
      'First day that is not completely calculated; the forecast begins on it.',
    ),
    basis: described(
      OneOf(['last_year_usage', 'last_year_production', 'recent_average', 'none']),
      'Basis of the forecast days: last year’s usage of the account, last year’s production of the ' +
        'group, the current usage per day, or nothing.',
    ),
    method: Type.String({ description: 'Human-readable description of the method of the forecast.' }),
    method_code: Type.String({ description: 'Code of the method.' }),
    confidence: described(
      OneOf(['high', 'medium', 'low']),
      'Confidence of the forecast; the notes contain the reasons.',
    ),
    compared_days: Type.Integer({
      description: 'Number of completely calculated days of this year that are also known in last year.',
    }),
    compared_kwh: kwh('Usage of this year on the compared days'),
    compared_last_year_kwh: kwh(
      'Usage or production of last year on the compared days; the forecast days are scaled by the ratio',
    ),
    missing_days: Type.Integer({
      description: 'Number of past days that are not completely calculated and therefore not included.',
    }),
    months: Type.Array(MonthAhead, { description: 'Months of the forecast.' }),
    by_hour: Nullable(ByHour),
    notes: Type.Array(Type.String(), { description: 'Limitations of the forecast.' }),
    ...NoteDetails,
  },
  { title: 'LimitForecast' },
)

export type Forecast = Static<typeof Forecast>
