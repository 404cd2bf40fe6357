import { type Static, Type } from 'typebox'
import {
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
} from '../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../platform/http/page.ts'
import { FacilityLimit, IncludeLimits } from '../../limit-balances/index.ts'
import { Origin, optional } from '../../shared/index.ts'

const TARIFF_GROUPS = ['lisanssiz_uretici_1', 'lisanssiz_uretici_2'] as const
const ABONE_GRUBU = ['mesken', 'ticarethane', 'sanayi', 'tarimsal_sulama', 'aydinlatma', 'other'] as const
const SOURCE_TYPES = [
  'solar',
  'wind',
  'hydro',
  'biomass',
  'geothermal',
  'cogeneration',
  'hybrid',
  'unknown',
] as const
const SUPPLY_TYPES = ['regulated', 'sktt', 'bilateral'] as const
const VOLTAGE_LEVELS = ['AG', 'OG', 'YG'] as const

const TARIFF_GROUP_TEXT = 'Producer price group that overrides the one derived from the source type.'
const SUPPLY_TEXT = 'sktt: last-resource tariff; null is treated as regulated.'
const VOLTAGE_TEXT =
  'Voltage level: AG low, OG medium, YG high. It selects the prices; null: not known, priced as AG.'
const INSTALLED_TEXT = 'Installed power of the plant, kW.'
const CONTRACTED_TEXT = 'Contracted power of the connection agreement, kW.'
const FROM_TEXT = 'First Turkey-local day of the facility.'
const TO_TEXT = 'End of validity, exclusive: a Turkey-local day; null: open.'
const ESS_TEXT =
  'Whether the facility has storage; ess_capacity_kwh and ess_power_kw are above 0 if and only if it has.'

const organizations = <T extends Type.TSchema>(wrap: (schema: Type.TString) => T) => ({
  grid_operator_id: wrap(described(Id, 'Organization that operates the grid at the facility.')),
  distribution_company_id: wrap(described(Id, 'Distribution company.')),
  retail_or_zone_operator_id: wrap(described(Id, 'Industrial-zone operator or retail operator.')),
  meter_reading_org_id: wrap(described(Id, 'Organization that reads the meter.')),
  supplier_id: wrap(described(Id, 'Supplier.')),
})

export const Facility = Type.Object(
  {
    id: Id,
    subregion_id: described(Id, 'Subregion of the record.'),
    scope_id: Nullable(described(Id, 'Scope that represents one official party.')),
    name: Type.String(),
    valid_from: described(LocalDate, FROM_TEXT),
    valid_to: Nullable(described(LocalDate, TO_TEXT)),
    producer_tariff_group: Nullable(described(Word(TARIFF_GROUPS), TARIFF_GROUP_TEXT)),
    ...organizations((id) => Nullable(id)),
    abone_grubu: Nullable(described(Word(ABONE_GRUBU), 'Subscriber group; null: unknown.')),
    source_type: Nullable(described(Word(SOURCE_TYPES), 'Energy source of the plant.')),
    tariff_supply_type: Nullable(described(Word(SUPPLY_TYPES), SUPPLY_TEXT)),
    is_multi_time: Type.Boolean({ description: 'Whether the facility is billed by time of day.' }),
    voltage_level: Nullable(described(Word(VOLTAGE_LEVELS), VOLTAGE_TEXT)),
    installed_power_kw: Nullable(described(Decimal, INSTALLED_TEXT)),
    contracted_power_kw: Nullable(described(Decimal, CONTRACTED_TEXT)),
    has_ess: Type.Boolean({ description: ESS_TEXT }),
    ess_capacity_kwh: Nullable(described(Kwh, 'Storage capacity, kWh.')),
    ess_power_kw: Nullable(described(Decimal, 'Storage power, kW.')),
    origin: Origin,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Facility' },
)

const clearable = {
  scope_id: optional(described(Id, 'Scope that represents one official party.')),
  valid_to: optional(described(LocalDate, TO_TEXT)),
  producer_tariff_group: optional(described(OneOf(TARIFF_GROUPS), TARIFF_GROUP_TEXT)),
  ...organizations((id) => optional(id)),
  abone_grubu: optional(described(OneOf(ABONE_GRUBU), 'Subscriber group.')),
  source_type: optional(described(OneOf(SOURCE_TYPES), 'Energy source of the plant.')),
  tariff_supply_type: optional(described(OneOf(SUPPLY_TYPES), SUPPLY_TEXT)),
  voltage_level: optional(described(OneOf(VOLTAGE_LEVELS), VOLTAGE_TEXT)),
  installed_power_kw: optional(described(DecimalIn('nonnegative'), INSTALLED_TEXT)),
  contracted_power_kw: optional(described(DecimalIn('nonnegative'), CONTRACTED_TEXT)),
  ess_capacity_kwh: optional(described(KwhIn('positive'), 'Storage capacity, kWh.')),
  ess_power_kw: optional(described(DecimalIn('positive'), 'Storage power, kW.')),
}

export const CreateFacility = Type.Object(
  {
    subregion_id: described(Id, 'Subregion of the record.'),
    name: optional(described(Text(200), "Default: the subregion's name.")),
    valid_from: optional(described(LocalDate, `${FROM_TEXT} Default: today.`)),
    is_multi_time: Type.Optional(
      Type.Boolean({ description: 'Whether the facility is billed by time of day. Default: false.' }),
    ),
    has_ess: Type.Optional(Type.Boolean({ description: `${ESS_TEXT} Default: false.` })),
    ...clearable,
  },
  { title: 'CreateFacility' },
)

/** Omitted fields are unchanged; null clears what can be cleared. */
export const UpdateFacility = Type.Object(
  {
    subregion_id: Type.Optional(described(Id, 'Subregion of the record.')),
    name: Type.Optional(Text(200)),
    valid_from: Type.Optional(described(LocalDate, FROM_TEXT)),
    is_multi_time: Type.Optional(
      Type.Boolean({ description: 'Whether the facility is billed by time of day.' }),
    ),
    has_ess: Type.Optional(Type.Boolean({ description: ESS_TEXT })),
    ...clearable,
  },
  { title: 'UpdateFacility' },
)

export const ListedFacility = Type.Object(
  {
    ...Facility.properties,
    limits: Type.Optional(
      Nullable(described(FacilityLimit, 'Limit of the current year, with include=limits; null: no account.')),
    ),
  },
  { title: 'ListedFacility' },
)
export const FacilityQuery = Type.Object({
  ...ListQuery(),
  include: IncludeLimits,
  search: Search('name'),
  scope_id: Type.Optional(Id),
  subregion_id: Type.Optional(Id),
})

export type CreateFacility = Static<typeof CreateFacility>
export type UpdateFacility = Static<typeof UpdateFacility>
export type FacilityQuery = Static<typeof FacilityQuery>
