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
  Word,
} from '../../../platform/http/fields.ts'
import { MessageText } from '../../../platform/http/message-texts.ts'
import { ListQuery, Search } from '../../../platform/http/page.ts'
import { CreateScenario, PaybackYears, ScenarioChange } from '../scenarios/index.ts'
import { SIZING_SIZES_MAX } from './limits.ts'

const { name, group_ids, from, to } = CreateScenario.properties
const Size = DecimalIn('nonnegative')

export const CreateSizing = Type.Object(
  {
    ...{ name, group_ids, from, to },
    changes: Type.Array(ScenarioChange, { ...CreateScenario.properties.changes, minItems: 1 }),
    change: Type.Integer({ minimum: 0, description: 'Position of the change whose size varies.' }),
    sizes: Type.Optional(
      Type.Array(Size, { minItems: 1, maxItems: SIZING_SIZES_MAX, description: 'Sizes; or range.' }),
    ),
    range: Type.Optional(
      Type.Object(
        { from: Size, to: Size, step: described(Size, 'Difference of two sizes; greater than 0.') },
        { description: 'From and to are sizes.' },
      ),
    ),
    cost_fixed_try: Type.Optional(described(DecimalIn('nonnegative'), 'Investment of any size.')),
    cost_per_unit_try: Type.Optional(described(DecimalIn('nonnegative'), 'Investment of a unit.')),
  },
  { title: 'CreateSizing' },
)
export type CreateSizing = Static<typeof CreateSizing>

const head = {
  id: Id,
  name: Type.String({ description: 'Name.' }),
  state: described(
    Word(['waiting', 'done', 'failed', 'cancelled']),
    'waiting: a job computes it; failed: see error.',
  ),
  group_ids: Type.Array(Id, { description: 'Groups of the base.' }),
  from: BillingPeriod,
  to: BillingPeriod,
  unit: described(Word(['factor', 'kW', 'kWh']), 'Unit of the sizes.'),
  points_total: Type.Integer({ description: 'Sizes to compute.' }),
  points_done: Type.Integer({ description: 'Sizes that are computed.' }),
  is_stale: Type.Boolean({ description: 'A result of the base has changed since.' }),
  created_at: Instant,
  finished_at: Nullable(Instant),
}
export const SizingHead = Type.Object(head, { title: 'SizingHead' })

const kwh = (description: string) => Nullable(described(Kwh, description))
const money = (description: string) => Nullable(described(Decimal, description))
const figures = {
  production_kwh: kwh('Production.'),
  consumption_kwh: kwh('Consumption.'),
  matched_kwh: kwh('Matched energy.'),
  net_import_kwh: kwh('Energy that the groups buy.'),
  bedelli_kwh: kwh('Paid surplus.'),
  skb_kwh: kwh('Surplus over the limit.'),
  bedelsiz_kwh: kwh('Free surplus.'),
  limit_used_kwh: described(Kwh, 'Use of the limit accounts.'),
  balance_try: money('Revenue less fees and less the cost of the energy that is bought.'),
  first_over_limit_hour: Nullable(described(Instant, 'First hour with surplus over the limit.')),
}
const Figures = Type.Object(figures, { description: 'Sums without the changes.' })
const Point = Type.Object(
  {
    size: Type.String({
      pattern: '^-?\\d+\\.\\d{3,6}$',
      description: 'Size; a factor with 6 decimals, kW and kWh with 3.',
    }),
    ...figures,
    benefit_try: money('Balance less that of the base.'),
    cost_try: money('Investment of this size; null without costs.'),
    payback_years: Nullable(PaybackYears),
  },
  { description: 'Sums over all groups and months with this size.' },
)

export const SizingDetail = Type.Object(
  {
    ...head,
    requested_by: Nullable(described(Id, 'User.')),
    changes: Type.Array(ScenarioChange, { description: 'As in the request.' }),
    change: Type.Integer({ description: 'Position of the change whose size varies, from 0.' }),
    sizes: Type.Array(Type.String(), { description: 'Sizes in ascending order.' }),
    cost_fixed_try: money('Investment of any size.'),
    cost_per_unit_try: money('Investment of a unit.'),
    input_hash: Nullable(Type.String({ description: 'Hash of the inputs of the base and the changes.' })),
    error_change: Nullable(Type.Integer({ description: 'Position of the change that cannot be applied.' })),
    error_field: Nullable(Type.String({ description: 'Its field.' })),
    error: Nullable(MessageText('Text of the failure.')),
    base: Nullable(Figures),
    points: Type.Array(Point, { description: 'In the order of the sizes; empty until they are computed.' }),
    binding_size: Nullable(Type.String({ description: 'Smallest size with energy over the limit.' })),
    best_size: Nullable(Type.String({ description: 'Size with the largest benefit.' })),
  },
  { title: 'Sizing' },
)

export const SizingsQuery = Type.Object({ ...ListQuery(), search: Search('name') })
