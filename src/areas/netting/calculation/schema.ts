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
import { STALE_FIELDS } from '../stale/index.ts'

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
export const VirtualMeterType = OneOf(['bedelli', 'skb_odemeli', 'bedelsiz'])
const ReasonCode = OneOf([
  'standard_matched',
  'limit_exceeded',
  'missing_consumption_data',
  'group_conditions_not_met',
  'mesken_monthly',
])

const instant = (description: string) => described(Instant, description)
const kwh = (description: string) => described(Kwh, `${description}; kWh.`)
const figure = (description: string) => Nullable(described(Kwh, `${description}; kWh. null: unknown.`))
const limit = (description: string) =>
  Nullable(described(Kwh, `${description}; kWh. null if no consumer has an account.`))
const whole = (description: string) => Type.Integer({ description })

/** Either both hours, or billing_period. */
export const CalculateBody = Type.Object(
  {
    from_hour: Type.Optional(
      described(
        InstantIn,
        'Start, inclusive, truncated to the hour. A UTC offset is required. Either from_hour and to_hour, or ' +
          'billing_period.',
      ),
    ),
    to_hour: Type.Optional(
      described(
        InstantIn,
        'End, exclusive, truncated to the hour and to the current hour. At most 7 days after from_hour.',
      ),
    ),
    billing_period: Type.Optional(
      described(
        BillingPeriod,
        'Month to calculate, up to the current hour, instead of a window; any date of it, or YYYY-MM.',
      ),
    ),
  },
  { title: 'CalculateGroup', examples: [{ billing_period: '2026-11-01' }] },
)

export const Run = Type.Object(
  {
    id: Id,
    group_id: Id,
    billing_period: described(BillingPeriod, 'Billing period: the first day of a Turkey-local month.'),
    from_hour: instant('First hour of the run, inclusive.'),
    to_hour: instant('End of the run, exclusive.'),
    scenario: described(Scenario, 'Rules that the run applied.'),
    triggered_by: described(
      Trigger,
      'Trigger of the run; beat: the schedule; manual: a request; correction_cascade: a correction.',
    ),
    started_at: Instant,
    finished_at: Instant,
    is_current: Type.Boolean({ description: 'false after a later run has replaced this one.' }),
    parent_run_id: Nullable(
      described(Id, 'Root of the correction chain: the run of its first period, which refers to itself.'),
    ),
    input_hash: Type.String({ description: 'SHA-256 of all inputs of the result.' }),
    status: described(
      OneOf(['completed', 'superseded']),
      'Status of the run; superseded: replaced by a later run.',
    ),
    eligibility_run_id: Nullable(
      described(
        Id,
        'Evaluation of eligibility whose status the run used: for a period that was over an evaluation of that ' +
          'period. null before the first evaluation of the group.',
      ),
    ),
    stage: Nullable(
      Type.String({
        description:
          'Stage of the schedule: preliminary, corrected, daily_backfill, monthly_close; automatic_correction: a ' +
          'correction that the service started by itself. null: started by a request.',
      }),
    ),
  },
  { title: 'CalculationRun' },
)

export const ListedRun = Type.Object(
  { ...Run.properties, ...STALE_FIELDS },
  { title: 'ListedCalculationRun' },
)

export const CalculateResult = Type.Object(
  {
    runs: Type.Array(Run, { description: 'Created runs, one per billing period, in time order.' }),
    hours_calculated: whole('Number of hours of these runs; a widened window is counted completely.'),
    noop_periods: Type.Array(BillingPeriod, { description: 'Periods with unchanged input.' }),
    ...Warnings,
  },
  { title: 'CalculationResult' },
)

const version = {
  calculation_run_id: described(Id, 'Calculation run that wrote the row.'),
  is_current: Type.Boolean({ description: 'false if a later run has superseded the row.' }),
}

export const HourlyRow = Type.Object(
  {
    id: Id,
    group_id: Id,
    hour: instant('Start of the hour.'),
    production_kwh: figure('Production of the group'),
    consumption_kwh: figure('Consumption before netting'),
    matched_kwh: figure('Production matched by consumption of the same hour'),
    surplus_kwh: figure('Production left after matching'),
    net_import_kwh: figure('Consumption left after matching'),
    bedelli_kwh: figure('Paid surplus within the limit'),
    skb_kwh: figure('Surplus beyond the limit, subject to the system usage fee'),
    bedelsiz_kwh: figure('Free surplus'),
    matched_over_limit_kwh: figure('Matched energy beyond the limit, not debited from any account'),
    limit_before_kwh: limit('Remaining limit of the accounts of the consumers before the hour'),
    limit_used_kwh: limit('Limit used in the hour'),
    limit_after_kwh: limit('Remaining limit of these accounts after the hour'),
    mesken_informational: Type.Boolean({
      description: 'true for residential groups, whose official result is the monthly summary.',
    }),
    data_quality: described(DataQuality, 'Worst data quality of the inputs of the hour.'),
    ...version,
  },
  { title: 'HourlyNetting' },
)

export const VirtualMeterHour = Type.Object(
  {
    id: Id,
    group_id: Id,
    hour: instant('Start of the hour; for a monthly row the first hour of the period.'),
    virtual_meter_type: described(
      VirtualMeterType,
      'Type of the surplus: paid, with system usage fee, or free.',
    ),
    grid_operator_id: Nullable(described(Id, 'Operator of the grid of the producers.')),
    source_kind: described(SourceKind, 'Energy source of the producers.'),
    reason_code: described(ReasonCode, 'Reason for the type.'),
    energy_kwh: kwh('Energy of the virtual meter'),
    ...version,
  },
  { title: 'VirtualMeterHour' },
)

export const Amount = Type.Object(
  {
    id: Id,
    group_id: Id,
    hour: instant('Start of the hour; for a monthly row the first hour of the period.'),
    facility_id: Nullable(described(Id, 'Facility, on rows of one consumption facility.')),
    amount_type: described(
      AmountType,
      'Type of the amount; amounts are positive, the type determines the direction.',
    ),
    grid_operator_id: Nullable(described(Id, 'Grid operator, on rows that price a virtual meter.')),
    source_kind: Nullable(described(SourceKind, 'Grid operator, on rows that price a virtual meter.')),
    step_no: Nullable(whole('Step of the price, if any.')),
    quantity_kwh: kwh('Priced energy'),
    unit_price_try_per_kwh: Nullable(
      described(Decimal, 'Unit price, TRY/kWh; null in a row without a price.'),
    ),
    amount_try: Nullable(described(Decimal, 'Amount, TRY; null in a row without a price.')),
    tariff_price_id: Nullable(
      described(Id, 'Price row used; for a weighted price the row with the most energy.'),
    ),
    ...version,
  },
  { title: 'NettingAmount' },
)

const byType = <T extends Type.TSchema>(value: T, description: string) =>
  Type.Unsafe<unknown>({
    ...Type.Object(Object.fromEntries(AMOUNT_TYPES.map((type) => [type, value]))),
    description,
  })

export const MonthlySummary = Type.Object(
  {
    id: Id,
    group_id: Id,
    billing_period: described(BillingPeriod, 'Billing period: the first day of a Turkey-local month.'),
    scenario: described(Scenario, 'Rules that apply to the month.'),
    production_kwh: figure('Production'),
    consumption_kwh: figure('Consumption before netting'),
    matched_kwh: figure('Matched energy, for a residential group of the month and not the sum of its hours'),
    net_import_kwh: figure('Consumption left after matching'),
    surplus_kwh: figure('Production left after matching'),
    bedelli_kwh: figure('Paid surplus'),
    skb_kwh: figure('Surplus subject to the system usage fee'),
    bedelsiz_kwh: figure('Free surplus'),
    amounts_try: byType(
      Nullable(Decimal),
      'Amounts in TRY by amount type; null if no row of the type has a price.',
    ),
    price_gaps: byType(Type.Integer(), 'Number of rows without a price, by amount type.'),
    limit_opening_kwh: limit('Remaining limit of the accounts of the consumers at the start of the period'),
    limit_used_kwh: limit('Limit used in the period by all groups'),
    limit_closing_kwh: limit('Remaining limit at the end of the period'),
    hours_expected: whole('Number of hours of the period in which the group has a member.'),
    hours_calculated: whole('Number of hours calculated so far.'),
    completeness_pct: Type.Number({
      description: 'Share of the expected hours that are calculated without a missing input, %.',
    }),
    data_quality: described(DataQuality, 'Worst data quality of the calculated hours.'),
    run_ids: Type.Array(Id, { description: 'Current runs of the period at the time of the summary.' }),
    ...STALE_FIELDS,
    created_at: Instant,
    ...version,
  },
  { title: 'MonthlySummary' },
)

const history = {
  include_history: Type.Boolean({ default: false, description: 'true: also superseded rows.' }),
}

export const RowQuery = Type.Object({
  ...ListQuery(HOURLY_LIST_LIMIT_MAX, HOURLY_LIST_LIMIT_MAX),
  from: Type.Optional(described(InstantIn, 'First hour, inclusive.')),
  to: Type.Optional(described(InstantIn, 'End, exclusive.')),
  ...history,
})

export const AmountQuery = Type.Object({
  ...RowQuery.properties,
  amount_type: Type.Optional(described(AmountType, 'Only amounts of this type.')),
})

export const SummaryQuery = Type.Object({
  ...ListQuery(LIST_LIMIT_MAX, LIST_LIMIT_MAX),
  year: Type.Optional(Type.Integer({ minimum: 2000, maximum: 2100 })),
  ...history,
})

export const RunQuery = Type.Object({
  ...ListQuery(),
  billing_period: Type.Optional(described(BillingPeriod, 'Any date of the month; truncated to the month.')),
})

export type CalculateBody = Static<typeof CalculateBody>
export type Run = Static<typeof Run>
export type ListedRun = Static<typeof ListedRun>
export type HourlyRow = Static<typeof HourlyRow>
export type VirtualMeterHour = Static<typeof VirtualMeterHour>
export type Amount = Static<typeof Amount>
export type MonthlySummary = Static<typeof MonthlySummary>
export type RowQuery = Static<typeof RowQuery>
export type AmountQuery = Static<typeof AmountQuery>
export type SummaryQuery = Static<typeof SummaryQuery>
export type RunQuery = Static<typeof RunQuery>
export type Trigger = Static<typeof Trigger>
