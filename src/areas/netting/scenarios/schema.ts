import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  DecimalIn,
  described,
  Id,
  Instant,
  Kwh,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { ReportOptionsQuery, type WithLocale } from '../../../platform/http/reports.ts'
import { SCENARIO_CHANGES_MAX, SCENARIO_GROUPS_MAX, SCENARIO_NAME_MAX_LENGTH } from './limits.ts'
import { ScenarioChange } from './wire-change.ts'

export const CreateScenario = Type.Object(
  {
    name: described(Text(SCENARIO_NAME_MAX_LENGTH), 'Name.'),
    group_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: SCENARIO_GROUPS_MAX,
      uniqueItems: true,
      description: 'Groups of the base.',
    }),
    from: described(BillingPeriod, 'First month of the base; any date of it, or YYYY-MM, is truncated.'),
    to: described(BillingPeriod, 'Last month of the base.'),
    changes: Type.Array(ScenarioChange, {
      maxItems: SCENARIO_CHANGES_MAX,
      description: 'Changes, applied in this order. None: the result is that of the months.',
    }),
    cost_try: Type.Optional(described(DecimalIn('nonnegative'), 'Investment, for the payback.')),
  },
  { title: 'CreateScenario' },
)
export type CreateScenario = Static<typeof CreateScenario>

const kwh = (text: string) => described(Kwh, text)
const optionalKwh = (text: string) => Nullable(described(Kwh, text))
const money = (text: string) => Nullable(described(Decimal, `${text} null: a part has no price.`))

const energyFields = {
  production_kwh: optionalKwh('Production; null: unknown.'),
  consumption_kwh: optionalKwh('Consumption; null: unknown.'),
  matched_kwh: optionalKwh('Matched energy.'),
  surplus_kwh: optionalKwh('Surplus.'),
  net_import_kwh: optionalKwh('Energy that is bought.'),
  bedelli_kwh: optionalKwh('Paid surplus.'),
  skb_kwh: optionalKwh('Surplus over the limit.'),
  bedelsiz_kwh: optionalKwh('Free surplus.'),
}
const moneyFields = {
  revenue_try: money('Payment for paid surplus.'),
  fee_try: money('System usage fee for surplus over the limit.'),
  savings_try: money('Value of the matched energy at the bill price.'),
  purchase_try: money('Cost of the energy that is bought.'),
}
const Figures = Type.Object(
  {
    ...energyFields,
    limit_used_kwh: kwh('Limit used.'),
    ...moneyFields,
    balance_try: money('Revenue less fees and less the cost of the energy that is bought.'),
  },
  { title: 'ScenarioFigures', description: 'base: without the changes; scenario: with them.' },
)
const MonthFigures = Type.Object(
  {
    ...Figures.properties,
    limit_closing_kwh: optionalKwh('What is left of all accounts at the end; null without an account.'),
    first_over_limit_hour: Nullable(
      described(Instant, 'First hour with surplus over the limit: the limit binds.'),
    ),
  },
  { title: 'ScenarioMonthFigures', description: 'base: without the changes; scenario: with them.' },
)

const STATES = ['waiting', 'done', 'failed', 'cancelled'] as const
const Battery = Type.Object({
  change: Type.Integer({ description: 'Position of the change, from 0.' }),
  facility_id: described(Id, 'Facility.'),
  charged_kwh: kwh('Charged; = discharged + loss + left.'),
  discharged_kwh: kwh('Discharged.'),
  loss_kwh: kwh('Loss.'),
  left_kwh: kwh('Energy that is left in it.'),
})

const head = {
  id: Id,
  name: Type.String({ description: 'Name.' }),
  state: described(Word(STATES), 'waiting: a job computes it; failed: see error.'),
  group_ids: Type.Array(Id, { description: 'Groups of the base.' }),
  from: described(BillingPeriod, 'First month.'),
  to: described(BillingPeriod, 'Last month.'),
  cost_try: Nullable(described(Decimal, 'Investment.')),
  months_total: Type.Integer({ description: 'Months of groups to compute.' }),
  months_done: Type.Integer({ description: 'Months of groups that are computed.' }),
  is_stale: Type.Boolean({
    description: 'true: a result of the base has changed since; calculate it again.',
  }),
  created_at: Instant,
  finished_at: Nullable(Instant),
}
export const ScenarioHead = Type.Object(head, { title: 'ScenarioHead' })

export const PaybackYears = Type.String({
  pattern: '^-?\\d+\\.\\d{2}$',
  description: 'Cost through yearly benefit, two decimals; null without cost or benefit.',
})
const Totals = Type.Object(
  {
    base: Figures,
    scenario: Figures,
    benefit_try: money('Balance of the scenario less that of the base.'),
    payback_years: Nullable(PaybackYears),
  },
  { title: 'ScenarioTotals', description: 'Sums over all groups and months; null until it is computed.' },
)

export const ScenarioDetail = Type.Object(
  {
    ...head,
    requested_by: Nullable(described(Id, 'User.')),
    changes: Type.Array(ScenarioChange, { description: 'As in the request.' }),
    input_hash: Nullable(Type.String({ description: 'Hash of the inputs of the base and the changes.' })),
    error_change: Nullable(
      Type.Integer({ description: 'Position of the change that cannot be applied, from 0.' }),
    ),
    error_field: Nullable(Type.String({ description: 'Its field.' })),
    error: Nullable(MessageText('Text of the failure.')),
    batteries: Type.Array(Battery, { description: 'Batteries of the changes.' }),
    months_without_result: Type.Array(Type.Object({ group_id: Id, billing_period: BillingPeriod }), {
      description:
        'Months of groups that are left out, because they have no result. Empty until it is computed.',
    }),
    totals: Nullable(Totals),
  },
  { title: 'Scenario' },
)

export const ScenarioMonth = Type.Object(
  {
    group_id: Id,
    group_name: Type.String({ description: 'Name of the group.' }),
    billing_period: BillingPeriod,
    base: MonthFigures,
    scenario: MonthFigures,
    benefit_try: money('Balance of the scenario less that of the base.'),
  },
  { title: 'ScenarioMonth' },
)

const { production_kwh, consumption_kwh, net_import_kwh, bedelli_kwh, skb_kwh, bedelsiz_kwh } = energyFields
const MemberFigures = Type.Object(
  {
    production_kwh,
    matched_production_kwh: kwh('Its production that was matched.'),
    bedelli_kwh: kwh('Its paid surplus.'),
    skb_kwh: kwh('Its surplus over the limit.'),
    bedelsiz_kwh: kwh('Its free surplus.'),
    consumption_kwh,
    matched_consumption_kwh: kwh('Its consumption that was matched.'),
    net_import_kwh: kwh('Energy that it buys.'),
    ...moneyFields,
  },
  { title: 'ScenarioMemberFigures', description: 'null: no member there.' },
)
export const ScenarioMember = Type.Object(
  {
    group_id: Id,
    billing_period: BillingPeriod,
    facility_id: described(Id, 'Facility, or the id of an added one.'),
    facility_name: Nullable(Type.String({ description: 'Name; null for a facility that was deleted.' })),
    base: Nullable(MemberFigures),
    scenario: Nullable(MemberFigures),
  },
  { title: 'ScenarioMember' },
)

const HourFigures = Type.Object(
  {
    production_kwh,
    consumption_kwh,
    matched_kwh: energyFields.matched_kwh,
    net_import_kwh,
    bedelli_kwh,
    skb_kwh,
    bedelsiz_kwh,
    limit_after_kwh: optionalKwh('What is left of the limit after the hour.'),
    balance_try: money('Balance of the hour; null also for netting by month.'),
  },
  { title: 'ScenarioHourFigures', description: 'null: not calculated there.' },
)
export const ScenarioHour = Type.Object(
  {
    hour: described(Instant, 'Start of the hour.'),
    base: Nullable(HourFigures),
    scenario: Nullable(HourFigures),
  },
  { title: 'ScenarioHour' },
)

export const ScenariosQuery = Type.Object({ ...ListQuery(), search: Search('name') })
export const ResultQuery = Type.Object({
  ...ListQuery(),
  group_id: Type.Optional(described(Id, 'Only this group.')),
  billing_period: Type.Optional(described(BillingPeriod, 'Only this month.')),
})
export const HoursQuery = Type.Object({
  ...ListQuery(1_000),
  group_id: described(Id, 'Group.'),
  billing_period: described(BillingPeriod, 'Month; any date of it is truncated.'),
})
export const ComparisonQuery = Type.Object({
  ids: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'Ids of finished scenarios, separated by commas.',
  }),
})
export const ComparedScenario = Type.Object(
  {
    id: Id,
    name: head.name,
    from: head.from,
    to: head.to,
    is_stale: head.is_stale,
    cost_try: head.cost_try,
    totals: Totals,
  },
  { title: 'ComparedScenario' },
)
const REPORT_KINDS = ['months', 'members', 'hours'] as const
export const ScenarioReportQuery = Type.Object({
  kind: described(
    OneOf(REPORT_KINDS),
    'months: figures of each group and month. members: of each facility. hours: of each hour, not as PDF if there ' +
      'are too many.',
  ),
  ...ReportOptionsQuery,
})
export type ScenarioReportQuery = WithLocale<Static<typeof ScenarioReportQuery>>
