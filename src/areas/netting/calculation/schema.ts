import { type Static, Type } from 'typebox'
import { LIST_LIMIT_MAX } from '../../../kernel/limits.ts'
import {
  BillingPeriod,
  Decimal,
  described,
  Id,
  Instant,
  InstantIn,
  Kwh,
  Nullable,
  OneOf,
  Warnings,
} from '../../../platform/http/fields.ts'
import { ListQuery } from '../../../platform/http/page.ts'
import { DataQuality } from '../hourly-energy/index.ts'
import { HOURLY_LIST_LIMIT_MAX } from '../limits.ts'

export const AMOUNT_TYPES = [
  'supplier_payment_for_matched_consumption',
  'producer_payment_for_bedelli_surplus',
  'system_usage_fee_for_skb',
  'sktt_matched_consumption',
  'mesken_monthly_amount',
  'estimated_savings',
  'estimated_loss_or_risk',
] as const
export const Scenario = OneOf(['standard_hourly', 'mesken_monthly', 'invalid_group_bedelsiz'])
export const AmountType = OneOf(AMOUNT_TYPES)
const Trigger = OneOf(['beat', 'manual', 'correction_cascade'])
const SourceKind = OneOf([
  'solar',
  'wind',
  'hydro',
  'biomass',
  'geothermal',
  'cogeneration',
  'hybrid',
  'unknown',
])
const VirtualMeterType = OneOf(['bedelli', 'skb_odemeli', 'bedelsiz'])
const ReasonCode = OneOf([
  'standard_matched',
  'limit_exceeded',
  'missing_consumption_data',
  'group_conditions_not_met',
  'mesken_monthly',
])

const instant = (description: string) => described(Instant, description)
const kwh = (description: string) => described(Kwh, `${description}; kWh.`)
const limit = (description: string) =>
  Nullable(described(Kwh, `${description}; kWh. Null where no consumer has an account.`))
const whole = (description: string) => Type.Integer({ description })

export const CalculateBody = Type.Object({
  from_hour: described(InstantIn, 'Cut down to the hour; included. A UTC offset is required.'),
  to_hour: described(
    InstantIn,
    'Cut down to the hour, and to the hour that runs now; not included. At most 7 days after from_hour.',
  ),
})

export const Run = Type.Object({
  id: Id,
  group_id: Id,
  billing_period: described(BillingPeriod, 'The Turkey-local month, by its first day.'),
  from_hour: instant('First hour that the run covers.'),
  to_hour: instant('End of what it covers; not included.'),
  scenario: described(Scenario, 'Which rules the run followed.'),
  triggered_by: described(
    Trigger,
    'beat: the schedule; manual: a request; correction_cascade: a correction.',
  ),
  started_at: Instant,
  finished_at: Instant,
  is_current: Type.Boolean({ description: 'False once a later run has taken its place.' }),
  parent_run_id: Nullable(
    described(Id, 'Root of the correction chain: the run of its first period, which names itself.'),
  ),
  input_hash: Type.String({ description: 'sha256 of everything that the result depends on.' }),
  status: described(OneOf(['completed', 'superseded']), 'superseded: a later run has taken its place.'),
})

export const CalculateResult = Type.Object({
  runs: Type.Array(Run, { description: 'The runs made, one for each billing period, in time order.' }),
  hours_calculated: whole('Hours that these runs cover; a widened window counts whole.'),
  noop_periods: Type.Array(BillingPeriod, { description: 'Periods whose input had not changed.' }),
  ...Warnings,
})

const version = {
  calculation_run_id: described(Id, 'The run that wrote the row.'),
  is_current: Type.Boolean({ description: 'False in a row that a later run has superseded.' }),
}

export const HourlyRow = Type.Object({
  id: Id,
  group_id: Id,
  hour: instant('Start of the hour.'),
  production_kwh: kwh('Production of the group'),
  consumption_kwh: kwh('Consumption before netting'),
  matched_kwh: kwh('Production matched by consumption of the same hour'),
  surplus_kwh: kwh('Production left after matching'),
  net_import_kwh: kwh('Consumption left after matching'),
  bedelli_kwh: kwh('Paid surplus, inside the limit'),
  skb_kwh: kwh('Surplus beyond the limit, which owes the system usage fee'),
  bedelsiz_kwh: kwh('Free surplus'),
  matched_over_limit_kwh: kwh('Matched energy that found no limit to debit'),
  limit_before_kwh: limit('What the consumers’ accounts had left before the hour'),
  limit_used_kwh: limit('What the hour took from them'),
  limit_after_kwh: limit('What they had left after it'),
  mesken_informational: Type.Boolean({
    description: 'True for residential groups, whose official result is the monthly summary.',
  }),
  data_quality: described(DataQuality, 'The worst of the inputs of the hour.'),
  ...version,
})

export const VirtualMeterHour = Type.Object({
  id: Id,
  group_id: Id,
  hour: instant('Start of the hour; of a monthly row the first hour of the period.'),
  virtual_meter_type: described(VirtualMeterType, 'Paid, with system usage fee, or free.'),
  grid_operator_id: Nullable(described(Id, 'The operator of the producers’ grid.')),
  source_kind: described(SourceKind, 'What the producers generate from.'),
  reason_code: described(ReasonCode, 'Why the energy counts as this type.'),
  energy_kwh: kwh('The energy of the virtual meter'),
  ...version,
})

export const Amount = Type.Object({
  id: Id,
  group_id: Id,
  hour: instant('Start of the hour; of a monthly row the first hour of the period.'),
  facility_id: Nullable(described(Id, 'Set on rows of one consumption facility.')),
  amount_type: described(AmountType, 'Amounts are positive; the direction is in the type.'),
  grid_operator_id: Nullable(described(Id, 'Set on rows that price a virtual meter.')),
  source_kind: Nullable(described(SourceKind, 'Set on rows that price a virtual meter.')),
  step_no: Nullable(whole('Step of the price, where it has one.')),
  quantity_kwh: kwh('What is priced'),
  unit_price_try_per_kwh: Nullable(described(Decimal, 'TRY/kWh; null in a quantity-only row.')),
  amount_try: Nullable(described(Decimal, 'TRY; null in a quantity-only row.')),
  tariff_price_id: Nullable(
    described(Id, 'The price row used; of a weighted price the one with most energy.'),
  ),
  ...version,
})

const byType = <T extends Type.TSchema>(value: T, description: string) =>
  Type.Unsafe<unknown>({
    ...Type.Object(Object.fromEntries(AMOUNT_TYPES.map((type) => [type, value]))),
    description,
  })

export const MonthlySummary = Type.Object({
  id: Id,
  group_id: Id,
  billing_period: described(BillingPeriod, 'The Turkey-local month, by its first day.'),
  scenario: described(Scenario, 'Which rules the month followed.'),
  production_kwh: kwh('Production'),
  consumption_kwh: kwh('Consumption before netting'),
  matched_kwh: kwh('Matched; of a residential group by the month, not the sum of its hours'),
  net_import_kwh: kwh('Consumption left after matching'),
  surplus_kwh: kwh('Production left after matching'),
  bedelli_kwh: kwh('Paid surplus'),
  skb_kwh: kwh('Surplus that owes the system usage fee'),
  bedelsiz_kwh: kwh('Free surplus'),
  amounts_try: byType(Nullable(Decimal), 'TRY by amount type; null where no row of the type has a price.'),
  price_gaps: byType(Type.Integer(), 'Count of the quantity-only rows by amount type.'),
  limit_opening_kwh: limit('What the consumers’ accounts had left when the period began'),
  limit_used_kwh: limit('What was taken from them in the period, by whichever group'),
  limit_closing_kwh: limit('What they have left as of the end of the period'),
  hours_expected: whole('Hours of the period.'),
  hours_calculated: whole('Hours calculated so far.'),
  completeness_pct: Type.Number({
    description: 'Calculated hours without a missing input, as a share of the expected ones.',
  }),
  data_quality: described(DataQuality, 'The worst of the calculated hours.'),
  run_ids: Type.Array(Id, { description: 'The current runs of the period when the row was made.' }),
  created_at: Instant,
  ...version,
})

const history = {
  include_history: Type.Boolean({ default: false, description: 'Also rows that were superseded.' }),
}

export const RowQuery = Type.Object({
  ...ListQuery(HOURLY_LIST_LIMIT_MAX, HOURLY_LIST_LIMIT_MAX),
  from: Type.Optional(described(InstantIn, 'First hour; included.')),
  to: Type.Optional(described(InstantIn, 'End; not included.')),
  ...history,
})

export const SummaryQuery = Type.Object({
  ...ListQuery(LIST_LIMIT_MAX, LIST_LIMIT_MAX),
  year: Type.Optional(Type.Integer({ minimum: 2000, maximum: 2100 })),
  ...history,
})

export const RunQuery = Type.Object({
  ...ListQuery(),
  billing_period: Type.Optional(described(BillingPeriod, 'Any date of the month; truncated to it.')),
})

export type CalculateBody = Static<typeof CalculateBody>
export type Run = Static<typeof Run>
export type HourlyRow = Static<typeof HourlyRow>
export type VirtualMeterHour = Static<typeof VirtualMeterHour>
export type Amount = Static<typeof Amount>
export type MonthlySummary = Static<typeof MonthlySummary>
export type RowQuery = Static<typeof RowQuery>
export type SummaryQuery = Static<typeof SummaryQuery>
export type RunQuery = Static<typeof RunQuery>
export type Trigger = Static<typeof Trigger>
