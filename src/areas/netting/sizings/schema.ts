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
import { CreateScenario, ScenarioChange } from '../scenarios/index.ts'
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
      Type.Object({ from: Size, to: Size, step: Size }, { description: 'From and to are sizes.' }),
    ),
    cost_fixed_try: Type.Optional(described(DecimalIn('nonnegative'), 'Investment of any size.')),
    cost_per_unit_try: Type.Optional(described(DecimalIn('nonnegative'), 'Investment of a unit.')),
  },
  { title: 'CreateSizing' },
)
export type CreateSizing = Static<typeof CreateSizing>

const head = {
  id: Id,
  name: Type.String(),
  state: Word(['waiting', 'done', 'failed', 'cancelled']),
  group_ids: Type.Array(Id),
  from: BillingPeriod,
  to: BillingPeriod,
  unit: described(Word(['factor', 'kW', 'kWh']), 'Unit of the sizes.'),
  points_total: Type.Integer(),
  points_done: Type.Integer(),
  is_stale: Type.Boolean({ description: 'A result of the base has changed since.' }),
  created_at: Instant,
  finished_at: Nullable(Instant),
}
export const SizingHead = Type.Object(head, { title: 'SizingHead' })

const kwh = Nullable(Kwh)
const money = Nullable(Decimal)
const figures = {
  production_kwh: kwh,
  consumption_kwh: kwh,
  matched_kwh: kwh,
  net_import_kwh: kwh,
  bedelli_kwh: kwh,
  skb_kwh: kwh,
  bedelsiz_kwh: kwh,
  limit_used_kwh: Kwh,
  balance_try: money,
  first_over_limit_hour: Nullable(Instant),
}
const Figures = Type.Object(figures)
const Point = Type.Object(
  {
    size: Type.String(),
    ...figures,
    benefit_try: described(money, 'Balance less that of the base.'),
    cost_try: money,
    payback_years: Nullable(Type.String()),
  },
  { description: 'As in ScenarioTotals.' },
)

export const SizingDetail = Type.Object(
  {
    ...head,
    requested_by: Nullable(Id),
    changes: Type.Array(ScenarioChange),
    change: Type.Integer(),
    sizes: Type.Array(Type.String()),
    cost_fixed_try: money,
    cost_per_unit_try: money,
    input_hash: Nullable(Type.String()),
    error_change: Nullable(Type.Integer()),
    error_field: Nullable(Type.String()),
    error: Nullable(MessageText('Text of the failure.')),
    base: Nullable(Figures),
    points: Type.Array(Point),
    binding_size: Nullable(Type.String({ description: 'Smallest size with energy over the limit.' })),
    best_size: Nullable(Type.String({ description: 'Size with the largest benefit.' })),
  },
  { title: 'Sizing' },
)

export const SizingsQuery = Type.Object({ ...ListQuery(), search: Search('name') })
