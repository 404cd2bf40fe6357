import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  Decimal,
  DecimalIn,
  described,
  Id,
  Instant,
  Kwh,
  KwhIn,
  LocalDate,
  Nullable,
  OneOf,
  Text,
  Word,
} from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { ScenarioChange } from '../scenarios/index.ts'
import {
  OPTIMISATION_BATTERIES_MAX,
  OPTIMISATION_FACILITIES_MAX,
  OPTIMISATION_GROUPS_MAX,
  OPTIMISATION_NAME_MAX_LENGTH,
  OPTIMISATION_PAIRS_MAX,
} from './limits.ts'

const KINDS = ['battery_dispatch', 'battery_next_day', 'assignment', 'limit_transfers', 'allocation'] as const
const STATES = ['waiting', 'done', 'failed', 'cancelled'] as const

const Battery = Type.Object({
  facility_id: described(Id, 'Facility behind whose meters it is; a consumer of the group.'),
  capacity_kwh: described(KwhIn('positive'), 'Capacity.'),
  power_kw: described(KwhIn('positive'), 'Power of charge and of discharge.'),
  efficiency: described(DecimalIn('positive'), 'Round-trip efficiency, at most 1.'),
  initial_kwh: Type.Optional(described(KwhIn('nonnegative'), 'Energy in it at the start. Default: 0.')),
  final_kwh: Type.Optional(described(KwhIn('nonnegative'), 'Energy left at the end, at least. Default: 0.')),
})

const PairValue = Type.Object({
  producer_id: described(Id, 'Facility that produces.'),
  consumer_id: described(Id, 'Facility that consumes.'),
  value_try_per_kwh: described(DecimalIn('nonnegative'), 'Value of their energy, such as a contract price.'),
})

export const CreateOptimisation = Type.Object(
  {
    name: described(Text(OPTIMISATION_NAME_MAX_LENGTH), 'Name.'),
    kind: described(
      OneOf(KINDS),
      'battery_dispatch: the best dispatch of batteries in a past month, beside what happened. ' +
        'battery_next_day: that of a coming day, from a forecast. assignment: the group of each facility. ' +
        'limit_transfers: limits between accounts at the starts of months. ' +
        'allocation: whose matched energy each consumer gets.',
    ),
    group_ids: Type.Array(Id, {
      minItems: 1,
      maxItems: OPTIMISATION_GROUPS_MAX,
      uniqueItems: true,
      description: 'Groups.',
    }),
    from: described(
      BillingPeriod,
      'First month; any date of it, or YYYY-MM, is truncated. battery_next_day: of the hours for the forecast.',
    ),
    to: described(BillingPeriod, 'Last month.'),
    batteries: Type.Optional(
      Type.Array(Battery, { minItems: 1, maxItems: OPTIMISATION_BATTERIES_MAX, description: 'Batteries.' }),
    ),
    first_day: Type.Optional(
      described(
        LocalDate,
        'First day of the dispatch. Default: that of the month; for battery_next_day tomorrow.',
      ),
    ),
    end_day: Type.Optional(described(LocalDate, 'Day after the last one. Default: the end of the month.')),
    facility_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: OPTIMISATION_FACILITIES_MAX,
        uniqueItems: true,
        description: 'Members that may move, for assignment. Default: every one.',
      }),
    ),
    same_region: Type.Optional(
      Type.Boolean({ description: 'true: members of a group have one distribution company. Default: true.' }),
    ),
    same_voltage: Type.Optional(
      Type.Boolean({ description: 'true: members of a group have one voltage level. Default: false.' }),
    ),
    pair_values: Type.Optional(
      Type.Array(PairValue, {
        minItems: 1,
        maxItems: OPTIMISATION_PAIRS_MAX,
        description: 'For allocation; other pairs: 0.',
      }),
    ),
    replaces_measured: Type.Optional(
      Type.Boolean({
        description: 'true: what the measured batteries of the facilities did is taken out of the meters.',
      }),
    ),
  },
  { title: 'CreateOptimisation' },
)
export type CreateOptimisation = Static<typeof CreateOptimisation>

const money = (text: string) => Nullable(described(Decimal, text))
const energy = (text: string) => Nullable(described(Kwh, text))
const Figures = Type.Object({
  production_kwh: energy('Production.'),
  consumption_kwh: energy('Consumption.'),
  matched_kwh: energy('Matched energy.'),
  net_import_kwh: energy('Energy that is bought.'),
  bedelli_kwh: energy('Paid surplus.'),
  skb_kwh: energy('Surplus over the limit.'),
  bedelsiz_kwh: energy('Free surplus.'),
  limit_used_kwh: described(Kwh, 'Limit used.'),
  balance_try: money('Revenue less fees and less the cost of the energy that is bought.'),
})
const Result = Type.Object({
  base: described(Figures, 'What happened.'),
  proposal: described(Figures, 'The best candidate. All figures are computed by the rules of netting.'),
  proposed_by: Type.String({ description: 'Name of the best candidate.' }),
  benefit_try: money('Balance of the proposal less that of the base.'),
  bound_try: money('No decision has a higher balance; null: nothing is proven.'),
  gap_try: money('Bound less the balance of the proposal: what could still be missing.'),
  gap_percent: Nullable(Type.String({ description: 'The same, in per cent of the bound.' })),
  changes: Type.Array(ScenarioChange, { description: 'The proposal as changes of a scenario.' }),
  solver: Type.Object(
    {
      name: Type.String({ description: 'Program and version.' }),
      status: Type.String({ description: 'optimal: of its model; limit: ended by its time limit.' }),
      columns: Type.Integer({ description: 'Variables of the model.' }),
      rows: Type.Integer({ description: 'Conditions of the model.' }),
    },
    { description: 'The solver and its model.' },
  ),
})

const head = {
  id: Id,
  name: Type.String({ description: 'Name.' }),
  kind: described(Word(KINDS), 'What is optimised.'),
  state: described(Word(STATES), 'waiting: a job computes it; failed: see error.'),
  group_ids: Type.Array(Id, { description: 'Groups.' }),
  from: described(BillingPeriod, 'First month.'),
  to: described(BillingPeriod, 'Last month.'),
  steps_total: Type.Integer({ description: 'Steps of the computation.' }),
  steps_done: Type.Integer({ description: 'Steps that are done.' }),
  benefit_try: money('Balance of the proposal less that of the base.'),
  gap_try: money('What could still be missing.'),
  is_stale: Type.Boolean({ description: 'true: a result of the base has changed since.' }),
  created_at: Instant,
  finished_at: Nullable(Instant),
}
export const OptimisationHead = Type.Object(head, { title: 'OptimisationHead' })
export const OptimisationDetail = Type.Object(
  {
    ...head,
    requested_by: Nullable(described(Id, 'User.')),
    request: described(CreateOptimisation, 'As sent.'),
    error_field: Nullable(Type.String({ description: 'Field of the failure.' })),
    error: Nullable(MessageText('Text of the failure.')),
    candidates: Type.Array(
      Type.Object({
        name: Type.String({
          description:
            'solver: the proposal of the solver; rule_group, rule_facility: self_consumption of a battery.',
        }),
        balance_try: money('Its balance.'),
      }),
      { description: 'What was computed, the best first.' },
    ),
    outlooks: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'low: little production and much consumption; high: the opposite.',
        }),
        base_balance_try: money('Balance without the batteries.'),
        balance_try: money('Balance with the same set points.'),
      }),
      { description: 'The ends of the band of a forecast.' },
    ),
    groups: Type.Array(
      Type.Object({
        group_id: Id,
        status: Type.String({ description: 'Eligibility with the proposed members.' }),
        failed: Type.Array(Type.String(), { description: 'Rules that fail.' }),
      }),
      { description: 'Groups of an assignment.' },
    ),
    result: Nullable(described(Result, 'null until it is computed.')),
  },
  { title: 'Optimisation' },
)
export const SetPoint = Type.Object(
  {
    facility_id: described(Id, 'Facility.'),
    hour: described(Instant, 'Start of the hour.'),
    power_kw: described(Kwh, 'Mean power; positive: discharge, negative: charge.'),
  },
  { title: 'SetPoint' },
)
export const Flow = Type.Object(
  {
    producer_id: described(Id, 'Facility that produces.'),
    consumer_id: described(Id, 'Facility that consumes.'),
    matched_kwh: described(Kwh, 'Its matched energy that the consumer gets.'),
    proportional_kwh: described(Kwh, 'The same, shared in proportion.'),
    value_try: described(Decimal, 'Value of the energy.'),
  },
  { title: 'OptimisedFlow' },
)
export const FlowsQuery = Type.Object(ListQuery(1_000))
export const OptimisationsQuery = Type.Object({ ...ListQuery(), search: Search('name') })
export const SetPointsQuery = Type.Object({
  ...ListQuery(1_000),
  facility_id: Type.Optional(described(Id, 'Only this facility.')),
})
