import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  Id,
  Instant,
  Kwh,
  LocalDate,
  Nullable,
  OneOf,
  Warnings,
} from '../../../platform/http/fields.ts'
import { AmountType, Scenario } from '../calculation/index.ts'
import { described } from '../fields.ts'

const kwh = (description: string) => described(Kwh, `${description}; kWh.`)
const lira = (description: string) => Nullable(described(Decimal, `${description}; TRY.`))
const NO_PRICE = 'null where a part of the energy has no price'

export const ComparisonQuery = Type.Object({
  billing_period: described(
    BillingPeriod,
    'The month; any date of it is truncated. A month that has no full hour yet is 422.',
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
