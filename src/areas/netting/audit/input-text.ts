import { type Static, Type } from 'typebox'
import type { PeriodInput } from '../../../core/netting/types.ts'
import {
  formatKwh,
  formatPrice,
  type Kwh,
  parseKwh,
  parsePrice,
  type TryPerKwh,
} from '../../../kernel/decimal.ts'
import { iso } from '../../../kernel/time.ts'

/**
 * The form of an input in the package: names of the wire, energy in kWh and prices in TRY/kWh as decimal
 * texts, and instants in UTC.
 */
const Kilowatthours = Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,3})?$' })
const OptionalKwh = Type.Union([Kilowatthours, Type.Null()])
const Price = Type.String({ pattern: '^-?\\d{1,12}(\\.\\d{1,6})?$' })
const Instant = Type.String({ format: 'date-time' })
const OptionalText = Type.Union([Type.String(), Type.Null()])
const Day = Type.String({ format: 'date' })
const OptionalDay = Type.Union([Day, Type.Null()])
const OptionalWhole = Type.Union([Type.Integer(), Type.Null()])

const Member = Type.Object({
  facility_id: Type.String(),
  facility_name: Type.Optional(Type.String()),
  role: Type.String(),
  valid_from: Day,
  valid_to: OptionalDay,
  abone_grubu: OptionalText,
  tariff_supply_type: OptionalText,
  is_multi_time: Type.Boolean(),
  // Absent in packages of earlier versions, as in the prices.
  voltage_level: Type.Optional(OptionalText),
  producer_tariff_group: OptionalText,
  source_type: OptionalText,
  grid_operator_id: OptionalText,
  has_storage: Type.Boolean(),
})
const Assignment = Type.Object({
  facility_id: Type.String(),
  role: Type.String(),
  from: Instant,
  to: Type.Union([Instant, Type.Null()]),
})
const Fact = Type.Object({
  facility_id: Type.String(),
  hour: Instant,
  source: Type.String(),
  role: Type.String(),
  production_kwh: OptionalKwh,
  consumption_kwh: OptionalKwh,
  self_consumption_kwh: OptionalKwh,
  import_kwh: OptionalKwh,
  export_kwh: OptionalKwh,
  battery_kwh: OptionalKwh,
  data_quality: Type.String(),
  completeness_pct: Type.Number(),
})
const Account = Type.Object({
  account_id: Type.String(),
  facility_id: Type.String(),
  year: Type.Integer(),
  opening_balance_kwh: Kilowatthours,
})
const Taken = Type.Object({
  account_id: Type.String(),
  hour: Instant,
  taken_kwh: Kilowatthours,
})
const PriceRow = Type.Object({
  id: Type.String(),
  set_id: Type.String(),
  billing_period: Day,
  set_status: Type.String(),
  approved_at: Instant,
  valid_from: Day,
  valid_to: OptionalDay,
  abone_grubu: Type.String(),
  purpose: Type.String(),
  time_segment: OptionalText,
  step_no: OptionalWhole,
  tariff_class: OptionalText,
  tariff_code: OptionalText,
  voltage_level: Type.Optional(OptionalText),
  price_try_per_kwh: Price,
})
const StepState = Type.Object({
  facility_id: Type.String(),
  consumption_kwh: Kilowatthours,
  has_missing_hour: Type.Boolean(),
})

export const InputText = Type.Object({
  group_id: Type.String(),
  group_name: Type.String(),
  billing_period: Type.String({ format: 'billing-period' }),
  window: Type.Object({ from: Instant, to: Instant }),
  eligibility_status: Type.String(),
  strict_storage_export: Type.Optional(Type.Boolean()),
  members: Type.Array(Member),
  assignments: Type.Array(Assignment),
  facts: Type.Array(Fact),
  accounts: Type.Array(Account),
  taken_elsewhere: Type.Optional(Type.Array(Taken)),
  prices: Type.Array(PriceRow),
  step_states: Type.Array(StepState),
})
export type InputText = Static<typeof InputText>

const INSTANTS = new Set(['hour', 'from', 'to', 'approvedAt'])
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Renames every key and converts every leaf by its name in the code. */
function mapTree(
  value: unknown,
  rename: (key: string) => string,
  leaf: (key: string, value: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapTree(each, rename, leaf))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      rename(key),
      isObject(inner) ? mapTree(inner, rename, leaf) : leaf(key, inner),
    ]),
  )
}

export const toInputText = (input: PeriodInput): InputText =>
  mapTree(input, snake, (key, value) => {
    if (typeof value === 'bigint')
      return key === 'priceTryPerKwh' ? formatPrice(value as TryPerKwh) : formatKwh(value as Kwh)
    return typeof value === 'number' && INSTANTS.has(key) ? iso(value) : value
  }) as InputText

/** Restores the input from the result of `toInputText`. The caller has validated it against the schema. */
export const fromInputText = (text: InputText): PeriodInput =>
  mapTree(text, camel, (key, value) => {
    if (typeof value !== 'string') return value
    if (key.endsWith('_try_per_kwh')) return parsePrice(value)
    if (key.endsWith('_kwh')) return parseKwh(value)
    return INSTANTS.has(camel(key)) ? Date.parse(value) : value
  }) as PeriodInput
