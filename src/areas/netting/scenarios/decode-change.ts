import type { Change, Profile } from '../../../core/netting/scenario/types.ts'
import type { MemberInput } from '../../../core/netting/types.ts'
import { decimalText, type Kwh, parseKwh, parsePrice, type TryPerKwh } from '../../../kernel/decimal.ts'
import { parseLocalDate, parsePeriod } from '../../../kernel/time.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { CHANGE_FIELDS, TERMS } from './change-fields.ts'
import type { ScenarioChange, ScenarioProfile } from './wire-change.ts'

type Field = Exclude<keyof ScenarioChange, 'type'>
interface Fields {
  readonly required: readonly Field[]
  readonly optional?: readonly Field[]
}

const FIELDS: Readonly<Record<ScenarioChange['type'], Fields>> = CHANGE_FIELDS

type Path = readonly (string | number)[]
const refuse = (path: Path, text: string) => invalidInput(['body', 'changes', ...path], text)

/** Converts the changes of a request; an error names the change by its position, and the field. */
export const decodeChanges = (changes: readonly ScenarioChange[]): Change[] =>
  changes.map((change, index) => decodeChange(change, index))

function decodeChange(change: ScenarioChange, index: number): Change {
  checkFields(change, index)
  const { type } = change
  const own = readFields(change, index)
  const decoded = { type, ...own } as Record<string, unknown>
  if (type === 'change_facility') return { ...decoded, terms: termsOf(change, index) } as unknown as Change
  if (type === 'add_facility') return { ...decoded, terms: facilityTerms(change) } as unknown as Change
  if (type === 'add_battery') checkBattery(change, index)
  if (type === 'shift_load') checkShare(change, 'share', index)
  if (type === 'transfer_limit') checkTransfer(change, index)
  return { ...DEFAULTS[type], ...decoded } as unknown as Change
}

/** Values of fields that a request may omit. */
const DEFAULTS: Readonly<Partial<Record<ScenarioChange['type'], object>>> = {
  add_battery: { balanceOf: 'facility', chargeHours: [], dischargeHours: [] },
  market_price: { factor: 1_000_000n, marginTryPerKwh: 0n },
}

function checkFields(change: ScenarioChange, index: number): void {
  const { required, optional = [] } = FIELDS[change.type]
  for (const field of required) if (change[field] === undefined) throw refuse([index, field], 'is required')
  const known = new Set<string>(['type', ...required, ...optional])
  const other = Object.entries(change).find(([name, value]) => value !== undefined && !known.has(name))
  if (other) throw refuse([index, other[0]], `is not a field of ${change.type}`)
  if (change.type === 'add_facility' && !change.production && !change.consumption)
    throw refuse([index, 'consumption'], 'is required, or production')
}

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
/** Fields whose names in the core differ. */
const NAMES: Readonly<Record<string, string>> = { power_kw: 'powerKwh' }

/** The fields of a change as the core names and types them, without the terms of a facility. */
function readFields(change: ScenarioChange, index: number): Record<string, unknown> {
  const isOfFacility = change.type === 'add_facility' || change.type === 'change_facility'
  const skipped = new Set<string>(['type', 'name', ...(isOfFacility ? ['role', ...TERMS] : [])])
  const entries = Object.entries(change).filter(([name, value]) => value !== undefined && !skipped.has(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [NAMES[name] ?? camel(name), readField(name, value, index)]),
  )
}

const RATIOS = new Set(['factor', 'efficiency', 'share'])

function readField(name: string, value: unknown, index: number): unknown {
  if (name === 'profile' || name === 'production' || name === 'consumption')
    return decodeProfile(value as ScenarioProfile, [index, name])
  if (name === 'month') return parsePeriod(value as string) ?? value
  if (name === 'from' || name === 'to') return parseLocalDate(value as string) ?? value
  if (name === 'schedule_kwh')
    return (value as readonly (string | number)[]).map((one) => parseKwh(decimalText(one)))
  const text = decimalText(value as string | number)
  if (RATIOS.has(name)) return parsePrice(text) as bigint
  if (name.endsWith('_try_per_kwh')) return parsePrice(text) as TryPerKwh
  if (name.endsWith('_kwh') || name === 'power_kw') return parseKwh(text) as Kwh
  return value
}

function decodeProfile(profile: ScenarioProfile, path: Path): Profile {
  const { kind, facility_id, factor, power_kw, yield_kwh_per_kw, values_kwh } = profile
  switch (kind) {
    case 'facility':
      if (facility_id === undefined) throw refuse([...path, 'facility_id'], 'is required')
      return { kind, facilityId: facility_id, factor: parsePrice(decimalText(factor ?? 1)) as bigint }
    case 'national_solar':
      if (power_kw === undefined) throw refuse([...path, 'power_kw'], 'is required')
      if (yield_kwh_per_kw === undefined) throw refuse([...path, 'yield_kwh_per_kw'], 'is required')
      return {
        kind,
        powerW: parseKwh(decimalText(power_kw)) as bigint,
        yieldKwhPerKw: BigInt(yield_kwh_per_kw),
      }
    case 'hours':
      if (values_kwh === undefined) throw refuse([...path, 'values_kwh'], 'is required')
      return { kind, valuesKwh: values_kwh.map((value) => parseKwh(decimalText(value))) }
  }
}

const MEMBER_FIELDS = { source_type: 'sourceType', abone_grubu: 'aboneGrubu' } as const

function termsOf(change: ScenarioChange, index: number): Partial<MemberInput> {
  const names = ['role', ...TERMS] as const
  const given = names.filter((name) => change[name] !== undefined)
  if (given.length === 0) throw refuse([index, 'role'], 'is required, or another field of the facility')
  return Object.fromEntries(
    given.map((name) => [(MEMBER_FIELDS as Record<string, string>)[name] ?? camel(name), change[name]]),
  )
}

const facilityTerms = (
  change: ScenarioChange,
): Omit<MemberInput, 'role' | 'validFrom' | 'validTo' | 'facilityId'> => ({
  ...(change.name !== undefined && { facilityName: change.name }),
  aboneGrubu: change.abone_grubu ?? null,
  tariffSupplyType: change.tariff_supply_type ?? null,
  isMultiTime: change.is_multi_time ?? false,
  voltageLevel: change.voltage_level ?? null,
  producerTariffGroup: change.producer_tariff_group ?? null,
  sourceType: change.source_type ?? (change.production ? 'solar' : null),
  gridOperatorId: null,
  hasStorage: false,
})

function checkShare(change: ScenarioChange, field: 'share' | 'efficiency', index: number): void {
  if (parsePrice(decimalText(change[field] ?? 0)) > 1_000_000n) throw refuse([index, field], 'is at most 1')
}

function checkBattery(change: ScenarioChange, index: number): void {
  checkShare(change, 'efficiency', index)
  if (change.rule === 'schedule' && change.schedule_kwh === undefined)
    throw refuse([index, 'schedule_kwh'], 'is required for schedule')
  if (change.rule === 'time_of_price') {
    for (const field of ['charge_hours', 'discharge_hours'] as const)
      if (change[field] === undefined) throw refuse([index, field], 'is required for time_of_price')
  }
}

function checkTransfer(change: ScenarioChange, index: number): void {
  if (parseKwh(decimalText(change.amount_kwh ?? 0)) <= 0n) throw refuse([index, 'amount_kwh'], 'is above 0')
}

/** The ids of facilities that must exist, each with its path in the request. */
export function facilityRefs(
  changes: readonly ScenarioChange[],
): { readonly id: string; readonly field: string }[] {
  /** The position of the change that adds a facility: only later changes may name it. */
  const added = new Map(
    changes.flatMap(({ type, facility_id }, index) =>
      type === 'add_facility' && facility_id ? [[facility_id.toLowerCase(), index] as const] : [],
    ),
  )
  const named = changes.flatMap((change, index) =>
    [
      ...(change.type === 'add_facility' ? [] : [['facility_id', change.facility_id]]),
      ['source_facility_id', change.source_facility_id],
      ['target_facility_id', change.target_facility_id],
      ...(['profile', 'production', 'consumption'] as const).map((name) => [
        `${name}.facility_id`,
        change[name]?.facility_id,
      ]),
    ].map(([field, id]) => ({ id: id?.toLowerCase(), index, field: `changes.${index}.${field}` })),
  )
  return named.flatMap(({ id, index, field }) =>
    id === undefined || (added.get(id) ?? index) < index ? [] : [{ id, field }],
  )
}
