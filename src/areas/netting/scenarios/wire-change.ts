import { type Static, Type } from 'typebox'
import {
  BillingPeriod,
  DecimalIn,
  described,
  Id,
  KwhIn,
  LocalDate,
  OneOf,
} from '../../../platform/http/fields.ts'
import { CHANGE_FIELDS, PROFILE_FIELDS } from './change-fields.ts'
import { SCENARIO_NAME_MAX_LENGTH, SCENARIO_PROFILE_VALUES_MAX } from './limits.ts'

const CHANGE_TYPES = [
  ...([
    'add_facility',
    'add_plant',
    'add_load',
    'scale_plant',
    'scale_load',
    'add_battery',
    'remove_battery',
    'shift_load',
  ] as const),
  ...([
    'join_group',
    'leave_group',
    'move_facility',
    'change_facility',
    'change_limit',
    'transfer_limit',
  ] as const),
  ...(['scale_price', 'set_price', 'market_price', 'netting_interval'] as const),
] as const

const ABONE = ['mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other'] as const
const SOURCES = [
  'solar',
  'wind',
  'hydro',
  'biomass',
  'geothermal',
  'cogeneration',
  'hybrid',
  'unknown',
] as const
const PURPOSES = [
  ...(['mahsuplasma_related_tariff', 'mahsuplasma_lowest_related_tariff', 'sktt_active_energy'] as const),
  ...(['customer_bill_active_energy', 'system_usage', 'distribution', 'other'] as const),
] as const

const Factor = (description: string) => Type.Optional(described(DecimalIn('nonnegative'), description))
const Hours = (description: string) =>
  Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 23 }), { minItems: 1, maxItems: 24, description }),
  )
const Energy = (description: string) => Type.Optional(described(KwhIn('positive'), description))

const Profile = Type.Object(
  {
    kind: described(
      OneOf(['facility', 'national_solar', 'hours']),
      'facility: the measured energy of facility_id times factor. national_solar: the shape of the licensed solar ' +
        'plants of Turkey. hours: values_kwh.',
    ),
    facility_id: Type.Optional(Id),
    factor: Factor('Default: 1.'),
    power_kw: Energy('Installed power of national_solar.'),
    yield_kwh_per_kw: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 4000,
        description: 'Yield of a kW in a leap year, for national_solar.',
      }),
    ),
    values_kwh: Type.Optional(
      Type.Array(KwhIn('nonnegative'), {
        minItems: 1,
        maxItems: SCENARIO_PROFILE_VALUES_MAX,
        description:
          '24 values for each day, 168 for each week from Monday, or one for each hour of the scenario.',
      }),
    ),
  },
  {
    title: 'ScenarioProfile',
    description: 'Energy by hour: of a plant or load, or of an added facility.',
    'x-variants': { field: 'kind', fields: PROFILE_FIELDS },
  },
)

/**
 * One object for all types, so that errors name the field: which fields a type has is in `change-fields.ts`, and in the
 * API document under `x-variants`.
 */
export const ScenarioChange = Type.Object(
  {
    type: described(OneOf(CHANGE_TYPES), 'What is changed: docs/understand/netting/scenarios.md.'),
    facility_id: Type.Optional(
      described(Id, 'Facility. For add_facility: an id of your choice, by which later changes may name it.'),
    ),
    group_id: Type.Optional(Id),
    from_group_id: Type.Optional(described(Id, 'Group that move_facility leaves.')),
    source_facility_id: Type.Optional(described(Id, 'Facility whose limit transfer_limit takes.')),
    target_facility_id: Type.Optional(described(Id, 'Facility that gets it.')),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: SCENARIO_NAME_MAX_LENGTH,
        description: 'Name of an added facility.',
      }),
    ),
    from: Type.Optional(described(LocalDate, 'First day. Default: the start of the scenario.')),
    to: Type.Optional(described(LocalDate, 'Day after the last one. Default: the end of the scenario.')),
    month: Type.Optional(described(BillingPeriod, 'Month from whose start a limit changes.')),
    role: Type.Optional(described(OneOf(['production', 'consumption', 'mixed']), 'Role in the group.')),
    profile: Type.Optional(Profile),
    production: Type.Optional(Profile),
    consumption: Type.Optional(Profile),
    limit_kwh: Type.Optional(described(KwhIn('nonnegative'), 'Limit of an added facility for each year.')),
    factor: Factor('Multiplies production, consumption or price; market_price: default 1.'),
    capacity_kwh: Energy('Capacity of a battery.'),
    power_kw: Energy('Power of a battery, of charge and of discharge.'),
    efficiency: Type.Optional(
      described(DecimalIn('positive'), 'Round-trip efficiency of a battery, at most 1.'),
    ),
    rule: Type.Optional(
      described(OneOf(['self_consumption', 'time_of_price', 'schedule']), 'Dispatch of a battery.'),
    ),
    schedule_kwh: Type.Optional(
      Type.Array(KwhIn('any'), {
        minItems: 1,
        maxItems: SCENARIO_PROFILE_VALUES_MAX,
        description: 'Each hour of the days, for schedule; positive: discharge, negative: charge.',
      }),
    ),
    initial_kwh: Type.Optional(
      described(KwhIn('nonnegative'), 'Energy in a battery at the start. Default: 0.'),
    ),
    balance_of: Type.Optional(
      described(OneOf(['facility', 'group']), 'Whose surplus self_consumption stores. Default: facility.'),
    ),
    charge_hours: Hours('Hours of the local day in which time_of_price charges.'),
    discharge_hours: Hours('Hours of the local day in which time_of_price discharges.'),
    share: Type.Optional(
      described(DecimalIn('positive'), 'Share of the consumption that is shifted, at most 1.'),
    ),
    from_hours: Hours('Hours of the local day from which load is shifted.'),
    to_hours: Hours('Hours of the local day to which it is shifted, in equal parts.'),
    abone_grubu: Type.Optional(described(OneOf(ABONE), 'Subscriber group.')),
    tariff_supply_type: Type.Optional(
      described(OneOf(['regulated', 'sktt', 'bilateral']), 'Kind of supply.'),
    ),
    is_multi_time: Type.Optional(Type.Boolean({ description: 'true: multi-time tariff.' })),
    voltage_level: Type.Optional(described(OneOf(['AG', 'OG', 'YG']), 'Voltage level.')),
    producer_tariff_group: Type.Optional(
      described(OneOf(['lisanssiz_uretici_1', 'lisanssiz_uretici_2']), 'Tariff class of a producer.'),
    ),
    source_type: Type.Optional(described(OneOf(SOURCES), 'Kind of source of a plant.')),
    purpose: Type.Optional(described(OneOf(PURPOSES), 'Purpose of the price.')),
    time_segment: Type.Optional(
      described(OneOf(['tek', 'gunduz', 'puant', 'gece']), 'Time segment of the price.'),
    ),
    price_try_per_kwh: Type.Optional(described(DecimalIn('nonnegative'), 'New price.')),
    margin_try_per_kwh: Type.Optional(described(DecimalIn('any'), 'Added to the market price. Default: 0.')),
    amount_kwh: Type.Optional(described(KwhIn('any'), 'Limit; positive for a transfer.')),
    interval: Type.Optional(described(OneOf(['hour', 'month']), 'Interval of netting.')),
  },
  { title: 'ScenarioChange', 'x-variants': { field: 'type', fields: CHANGE_FIELDS } },
)
export type ScenarioChange = Static<typeof ScenarioChange>
export type ScenarioProfile = NonNullable<ScenarioChange['profile']>
