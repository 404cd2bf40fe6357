import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  described,
  Id,
  Instant,
  Kwh,
  LocalDate,
  Nullable,
  OneOf,
  Warnings,
} from '../../../platform/http/fields.ts'
import { AmountType, Scenario } from '../calculation/index.ts'

const kwh = (description: string) => described(Kwh, `${description}; kWh.`)
const lira = (description: string) => Nullable(described(Decimal, `${description}; TRY.`))
const NO_PRICE = 'null where a part of the energy has no price'

export const ComparisonQuery = Type.Object({
  billing_period: described(
    BillingPeriod,
    'The month; any date of it is truncated. A month before 2000, or without a full hour yet, is 422.',
  ),
})

const Side = Type.Object({
  production_kwh: kwh('Production'),
  consumption_kwh: kwh('Consumption before netting'),
  matched_kwh: kwh('Production matched by consumption'),
  net_import_kwh: kwh('Consumption left after matching'),
  surplus_kwh: kwh('Production left after matching'),
  bedelli_kwh: kwh('Paid surplus'),
  skb_kwh: kwh('Surplus beyond the limit, which owes the system usage fee'),
  bedelsiz_kwh: kwh('Free surplus'),
  limit_used_kwh: kwh('What the consumers’ accounts give; 0 for homes, which have no limit'),
  total_try: lira(`Revenue and avoided cost less cost, to the owner; ${NO_PRICE}`),
})
const side = (description: string) => Type.Unsafe<Static<typeof Side>>({ ...Side, description })

const ComparedAmount = Type.Object({
  amount_type: described(AmountType, 'Amounts are positive; counts_as has their direction.'),
  counts_as: described(
    OneOf(['revenue', 'cost', 'avoided_cost', 'not_counted']),
    'In the owner’s total: revenue and avoided_cost are added, cost is taken off, not_counted is only shown.',
  ),
  hourly_kwh: kwh('The energy priced when netted by the hour'),
  hourly_try: lira(`Its amount; ${NO_PRICE}`),
  monthly_kwh: kwh('The energy priced when netted by the month'),
  monthly_try: lira(`Its amount; ${NO_PRICE}`),
  difference_try: lira('Hourly less monthly, of the amount as it is; null where one of them is'),
})

export const Comparison = Type.Object({
  group_id: described(Id, 'The group.'),
  billing_period: described(BillingPeriod, 'The Turkey-local month, by its first day.'),
  from_hour: described(Instant, 'First hour compared: that of the period.'),
  to_hour: described(
    Instant,
    'End of what is compared, not included: that of the period, or the current hour.',
  ),
  scenario: described(Scenario, 'Which rules the group follows.'),
  netted_by: described(
    OneOf(['hour', 'month']),
    'Which of the two sides is the one by which the group is netted; the other is what it would have been.',
  ),
  method: Type.String({ description: 'How the two sides were made, in words.' }),
  price_date: described(LocalDate, 'The date whose prices the month has.'),
  hourly: side('Netted hour by hour.'),
  monthly: side('Netted as one month.'),
  difference: side(
    'Hourly less monthly, field by field. A total_try below zero: hourly netting brings the owner less.',
  ),
  amounts: Type.Array(ComparedAmount, { description: 'The seven types of amount, each on both sides.' }),
  agrees_with_results: Nullable(
    Type.Boolean({
      description:
        'Whether the side by which the group is netted is what the current results of the period sum to. False where ' +
        'hours are not calculated yet, or facts, prices or balances have changed since. Null without results.',
    }),
  ),
  notes: Type.Array(Type.String(), { description: 'What bounds the comparison in this period.' }),
  ...Warnings,
})

export type Comparison = Static<typeof Comparison>
export type Side = Static<typeof Side>

const MonthAhead = Type.Object({
  month: described(BillingPeriod, 'The month, by its first day.'),
  days: Type.Integer({ description: 'Days of it that lie ahead.' }),
  last_year_kwh_per_day: Nullable(
    kwh('Mean of last year’s known days of the month, before scaling; null where there are too few'),
  ),
  expected_kwh_per_day: kwh('What a day of it is taken to use'),
})

export const Forecast = Type.Object({
  account_id: described(Id, 'The limit account.'),
  facility_id: described(Id, 'Its facility.'),
  year: Type.Integer({ description: 'Its Turkey-local calendar year.' }),
  limit_kwh: kwh('The limit of the year with everything booked on it since that is no use'),
  used_kwh: kwh('Used so far: matched energy and paid surplus of current results'),
  remaining_kwh: kwh('What remains now; zero or less: used up'),
  is_exhausted: Type.Boolean({ description: 'Nothing remains.' }),
  run_out_date: Nullable(
    described(
      LocalDate,
      'The Turkey-local day on which the limit is expected to be used up, or was; null where it lasts the year.',
    ),
  ),
  remaining_at_year_end_kwh: kwh('What is expected to remain at the end of the year'),
  expected_kwh: kwh('Use expected from forecast_from to the end of the year, were there no limit'),
  shortfall_kwh: kwh('The part of it that will find no limit: so much more would last the year'),
  daily_rate_kwh: Nullable(
    kwh('The present pace: mean of the last 28 whole days, or of as many as there are; null without any'),
  ),
  forecast_from: described(
    LocalDate,
    'First day that is not wholly calculated; the forecast begins with it.',
  ),
  basis: described(
    OneOf(['last_year_usage', 'last_year_production', 'recent_average', 'none']),
    'What the days ahead are taken from: last year’s use of the facility’s account, last year’s production of its ' +
      'group, the present pace, or nothing.',
  ),
  method: Type.String({ description: 'How the forecast was made, in words.' }),
  confidence: described(OneOf(['high', 'medium', 'low']), 'How far to trust it; the notes say why.'),
  compared_days: Type.Integer({ description: 'Whole days of this year that last year knows too.' }),
  compared_kwh: kwh('This year’s use on them'),
  compared_last_year_kwh: kwh(
    'Last year’s use, or production, on them; the days ahead are scaled by the ratio',
  ),
  missing_days: Type.Integer({
    description: 'Days so far that are not wholly calculated: not in the figures.',
  }),
  months: Type.Array(MonthAhead, { description: 'The months ahead.' }),
  notes: Type.Array(Type.String(), { description: 'What bounds the forecast.' }),
})

export type Forecast = Static<typeof Forecast>
