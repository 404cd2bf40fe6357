import fc from 'fast-check'
import { stepStatesBefore } from '../../../src/core/netting/steps.ts'
import type { FactInput, MeasurementRole, MemberInput, PeriodInput } from '../../../src/core/netting/types.ts'
import { wh } from '../../../src/kernel/decimal.ts'
import { HOUR_MS, hoursOf, periodStart } from '../../../src/kernel/time.ts'
import { makeAssignment, makeFacts, makeMember, makePrices } from './netting-input.ts'

const PERIOD = '2026-06-01'
export const START = periodStart(PERIOD)
/** Windows lie in the first three days, so that memberships can begin and end inside them. */
const HOURS = 60

const kwh = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 80_000n }) },
  { weight: 2, arbitrary: fc.constant(0n) },
)
const maybeKwh = fc.option(kwh.map(wh), { freq: 12 })

const METERS: Record<MemberInput['role'], readonly (readonly MeasurementRole[])[]> = {
  production: [
    ['main_production'],
    ['pcc_import_export'],
    ['main_production', 'pcc_import_export', 'battery'],
  ],
  consumption: [['main_consumption'], ['pcc_import_export']],
  mixed: [
    ['main_production', 'pcc_import_export'],
    ['main_production', 'main_consumption'],
  ],
}

const facility = fc.record({
  role: fc.constantFrom<MemberInput['role']>('production', 'consumption', 'mixed'),
  meters: fc.nat(2),
  validFrom: fc.constantFrom<string[]>('2020-01-01', '2026-06-02'),
  validTo: fc.constantFrom<(string | null)[]>(null, null, '2026-06-03'),
  aboneGrubu: fc.constantFrom<MemberInput['aboneGrubu'][]>('sanayi', 'ticarethane', 'mesken', null),
  tariffSupplyType: fc.constantFrom<MemberInput['tariffSupplyType'][]>('regulated', 'sktt', null),
  isMultiTime: fc.boolean(),
  producerTariffGroup: fc.constantFrom<MemberInput['producerTariffGroup'][]>(null, 'lisanssiz_uretici_1'),
  sourceType: fc.constantFrom<MemberInput['sourceType'][]>('solar', 'hybrid', null),
  gridOperatorId: fc.constantFrom<(string | null)[]>(null, 'op1', 'op2'),
  hasStorage: fc.boolean(),
  opening: fc.option(fc.bigInt({ min: -20_000n, max: 900_000n }).map(wh), { freq: 4 }),
  values: fc.array(
    fc.record({
      production: maybeKwh,
      consumption: maybeKwh,
      import: maybeKwh,
      export: maybeKwh,
      battery: fc.option(fc.bigInt({ min: -9_000n, max: 9_000n }).map(wh), { freq: 3 }),
    }),
    { minLength: 7, maxLength: 7 },
  ),
})
type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never
export type Facility = Drawn<typeof facility>

export const prices = makePrices([
  { abone: 'sanayi', purpose: 'mahsuplasma_related_tariff', price: '2.985253', segment: 'tek' },
  { abone: 'ticarethane', purpose: 'mahsuplasma_related_tariff', price: '2.873087', segment: 'tek', step: 1 },
  { abone: 'ticarethane', purpose: 'mahsuplasma_related_tariff', price: '3.454688', segment: 'tek', step: 2 },
  { abone: 'mesken', purpose: 'mahsuplasma_related_tariff', price: '0.494065', segment: 'tek', step: 1 },
  { abone: 'mesken', purpose: 'mahsuplasma_related_tariff', price: '1.895808', segment: 'tek', step: 2 },
  { abone: 'sanayi', purpose: 'customer_bill_active_energy', price: '5.157441', segment: 'puant' },
  { abone: 'sanayi', purpose: 'mahsuplasma_lowest_related_tariff', price: '2.909687', segment: 'tek' },
  { abone: 'sanayi', purpose: 'distribution', price: '1.829503' },
  { abone: 'other', purpose: 'system_usage', price: '2.081065', step: 1, class: 'lisanssiz_uretici_1' },
  { abone: 'other', purpose: 'system_usage', price: '0.656008', step: 2, class: 'lisanssiz_uretici_2' },
])

/** All facts from the start of the period; the facts of a window are selected from them. */
const factsOf = (facilities: readonly Facility[]): FactInput[] =>
  facilities.flatMap((own, index) =>
    hoursOf({ from: START, to: START + HOURS * HOUR_MS }).flatMap((hour, hourIndex) =>
      makeFacts(`f${index}`, hour, own.values[hourIndex % own.values.length] ?? {}),
    ),
  )

export function inputOf(facilities: readonly Facility[], window: { from: number; to: number }): PeriodInput {
  const members = facilities.map((own, index) => {
    const { meters: _meters, opening: _opening, values: _values, ...member } = own
    return makeMember(`f${index}`, member)
  })
  const assignments = facilities.flatMap((own, index) => {
    const choices = METERS[own.role]
    const roles = choices[own.meters % choices.length] ?? []
    return roles.map((role) => makeAssignment(`f${index}`, role))
  })
  const facts = factsOf(facilities)
  const past = { billingPeriod: PERIOD, members, assignments, facts, until: window.from }
  return {
    groupId: 'group',
    groupName: 'Group',
    billingPeriod: PERIOD,
    window,
    eligibilityStatus: 'not_checked',
    members,
    assignments,
    facts,
    accounts: facilities.flatMap((own, index) =>
      own.opening === null
        ? []
        : [{ accountId: `a${index}`, facilityId: `f${index}`, year: 2026, openingBalanceKwh: own.opening }],
    ),
    prices,
    stepStates: stepStatesBefore(past),
  }
}

/** One to six facilities and a window in the first days of June 2026. */
export const group = fc.record({
  facilities: fc.array(facility, { minLength: 1, maxLength: 6 }),
  from: fc.nat(20),
  length: fc.integer({ min: 2, max: 30 }),
})
export type Group = Drawn<typeof group>

export const windowOf = ({ from, length }: Group) => ({
  from: START + from * HOUR_MS,
  to: START + (from + length) * HOUR_MS,
})

/** A residential window begins with its period. */
export const isResidential = ({ facilities }: Group): boolean => {
  const consumers = facilities.filter((own) => own.role !== 'production')
  return consumers.length > 0 && consumers.every((own) => own.aboneGrubu === 'mesken')
}
