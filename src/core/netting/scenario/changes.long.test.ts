import { describe, expect, test } from 'vitest'
import { prices } from '../../../../test/support/netting/netting-groups.ts'
import { makeAssignment, makeFacts, makeMember } from '../../../../test/support/netting/netting-input.ts'
import { type Kwh, type Try, type TryPerKwh, total, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS, periodRange } from '../../../kernel/time.ts'
import { compareNetting } from '../comparison.ts'
import type { MemberInput, PeriodInput } from '../types.ts'
import { computeBase, computeScenario } from './compute.ts'
import { ScenarioFault } from './messages.ts'
import type { BatteryTotals, Change, ScenarioBase } from './types.ts'

const MONTH = '2026-06-01'
const { from: START, to: END } = periodRange(MONTH)
const HOURS = (END - START) / HOUR_MS
const MILLION = 1_000_000n

/** Sun from 8 to 16, 10 kWh in an hour. */
const sun = (index: number): Kwh => (index % 24 >= 8 && index % 24 < 16 ? wh(10_000n) : ZERO_KWH)
const constant = () => wh(4_000n)

interface Own {
  readonly role: MemberInput['role']
  readonly production?: (index: number) => Kwh
  readonly consumption?: (index: number) => Kwh
  readonly exported?: (index: number) => Kwh
  readonly imported?: (index: number) => Kwh
  readonly opening?: Kwh
}

function groupOf(groupId: string, facilities: Readonly<Record<string, Own>>): PeriodInput {
  const hours = Array.from({ length: HOURS }, (_, index) => index)
  return {
    groupId,
    groupName: groupId,
    billingPeriod: MONTH,
    window: { from: START, to: END },
    eligibilityStatus: 'valid',
    members: Object.entries(facilities).map(([id, own]) => makeMember(id, { role: own.role })),
    assignments: Object.entries(facilities).flatMap(([id, own]) => [
      ...(own.production ? [makeAssignment(id, 'main_production')] : []),
      ...(own.consumption ? [makeAssignment(id, 'main_consumption')] : []),
      ...(own.imported ? [makeAssignment(id, 'pcc_import_export')] : []),
    ]),
    facts: Object.entries(facilities).flatMap(([id, own]) =>
      hours.flatMap((index) =>
        makeFacts(id, START + index * HOUR_MS, {
          ...(own.production && { production: own.production(index) }),
          ...(own.consumption && { consumption: own.consumption(index) }),
          ...(own.imported && { import: own.imported(index), export: own.exported?.(index) ?? ZERO_KWH }),
        }),
      ),
    ),
    accounts: Object.entries(facilities).flatMap(([id, { opening }]) =>
      opening === undefined
        ? []
        : [{ accountId: `account ${id}`, facilityId: id, year: 2026, openingBalanceKwh: opening }],
    ),
    prices,
    stepStates: [],
  }
}

const first = () =>
  groupOf('A', {
    plant: { role: 'production', production: sun },
    works: { role: 'consumption', consumption: constant, opening: wh(10_000_000n) },
  })
const second = () =>
  groupOf('B', { shop: { role: 'consumption', consumption: constant, opening: wh(900_000n) } })

/** Each hour of a day like the plants of the country: as `sun`. */
const solarShape = Array.from({ length: 8_784 }, (_, index) => Number(sun(index)))

function scenarioOf(
  inputs: readonly PeriodInput[],
  changes: readonly Change[],
  own: Partial<ScenarioBase> = {},
) {
  const base = { from: MONTH, to: MONTH, inputs, others: [], solarShape, marketPrices: new Map(), ...own }
  const computed = computeBase(base)
  const { runs, batteries } = computeScenario(computed, changes)
  const run = (groupId: string) => {
    const found = runs.find((candidate) => candidate.groupId === groupId)
    if (!found) throw new Error(`no run of ${groupId}`)
    return found
  }
  const member = (facilityId: string) =>
    runs.flatMap(({ members }) => members).filter((candidate) => candidate.facilityId === facilityId)
  return { runs, run, member, batteries, base: computed }
}

const faultOf = (inputs: readonly PeriodInput[], changes: readonly Change[]): string => {
  try {
    scenarioOf(inputs, changes)
    return 'none'
  } catch (error) {
    if (error instanceof ScenarioFault) return `${error.changeIndex} ${error.field} ${error.content.code}`
    throw error
  }
}

const DAY = 24n
const MONTH_DAYS = 30n

describe('changes of energy', () => {
  test('a plant with the shape of the national series has its yield', () => {
    const profile = { kind: 'national_solar', powerW: 2_000n, yieldKwhPerKw: 1_464n } as const
    const change = { type: 'add_plant', facilityId: 'works', profile } as const
    const { member } = scenarioOf([first()], [change])
    // 1,464 kWh in 366 equal days: 4 kWh a day and kW, in 8 hours.
    expect(member('works')[0]?.producedKwh).toBe(2n * 4_000n * MONTH_DAYS)
    expect(member('works')[0]?.consumedKwh).toBe(4_000n * DAY * MONTH_DAYS)
  })

  test('a plant behind a boundary meter first reduces the import, and the consumption stays', () => {
    const house = groupOf('A', {
      house: {
        role: 'mixed',
        production: () => ZERO_KWH,
        imported: constant,
        exported: () => ZERO_KWH,
        opening: wh(1_000_000n),
      },
    })
    const profile = {
      kind: 'hours',
      valuesKwh: Array.from({ length: 24 }, (_, index) => sun(index)),
    } as const
    const { run, member } = scenarioOf([house], [{ type: 'add_plant', facilityId: 'house', profile }])
    expect(member('house')[0]?.consumedKwh).toBe(4_000n * DAY * MONTH_DAYS)
    expect(run('A').result.summary.matchedKwh).toBe(4_000n * 8n * MONTH_DAYS)
    expect(run('A').result.summary.surplusKwh).toBe(6_000n * 8n * MONTH_DAYS)
  })

  test('a plant is removed with the factor 0', () => {
    const { run } = scenarioOf([first()], [{ type: 'scale_plant', facilityId: 'plant', factor: 0n }])
    expect(run('A').result.summary.productionKwh).toBe(0n)
    expect(run('A').result.summary.netImportKwh).toBe(4_000n * DAY * MONTH_DAYS)
  })

  test('shifted load keeps the sum of every day to the Wh', () => {
    const change = { type: 'shift_load', facilityId: 'works', share: 333_333n } as const
    const { run, member } = scenarioOf([first()], [{ ...change, fromHours: [20, 21], toHours: [9, 10, 11] }])
    expect(member('works')[0]?.consumedKwh).toBe(4_000n * DAY * MONTH_DAYS)
    // floor(4,000 x 0.333333) = 1,333 in each of two hours, all of it matched.
    expect(run('A').result.summary.matchedKwh).toBe((4_000n * 8n + 2n * 1_333n) * MONTH_DAYS)
  })

  test('a charging site is a facility of its own, with its limit', () => {
    const consumption = { kind: 'hours', valuesKwh: Array.from({ length: 168 }, () => wh(1_000n)) } as const
    const { facilityId: _id, role: _role, validFrom: _from, validTo: _to, ...terms } = makeMember('site')
    const change = { type: 'add_facility', facilityId: 'site', groupId: 'A', terms, consumption } as const
    const { run, member } = scenarioOf(
      [first()],
      [{ ...change, limitKwh: wh(5_000_000n), from: '2026-06-16' }],
    )
    expect(member('site')[0]?.consumedKwh).toBe(1_000n * DAY * 15n)
    expect(run('A').result.usageByAccount.map(({ accountId }) => accountId)).toEqual([
      'account works',
      'scenario site 2026',
    ])
  })

  test.each(['facility', 'group'] as const)(
    'a battery for the surplus of the %s loses only its loss',
    (balanceOf) => {
      const house = groupOf('A', {
        house: {
          role: 'mixed',
          production: sun,
          imported: (index) => (sun(index) > 0n ? ZERO_KWH : wh(4_000n)),
          exported: (index) => (sun(index) > 0n ? wh(6_000n) : ZERO_KWH),
          opening: wh(9_000_000n),
        },
      })
      const battery = { capacityKwh: wh(20_001n), powerKwh: wh(3_333n), efficiency: 913_370n } as const
      const rule = { rule: 'self_consumption', balanceOf, chargeHours: [], dischargeHours: [] } as const
      const change = { type: 'add_battery', facilityId: 'house', ...battery, ...rule } as const
      const { batteries, member, run } = scenarioOf([house], [change])
      const totals = batteries[0] as BatteryTotals
      expect(totals.chargedKwh).toBe(totals.dischargedKwh + totals.lossKwh + totals.leftKwh)
      expect(totals.dischargedKwh > 500_000n).toBe(true)
      expect(member('house')[0]?.consumedKwh).toBe(
        4_000n * DAY * MONTH_DAYS + totals.chargedKwh - totals.dischargedKwh,
      )
      expect(run('A').result.summary.bedelsizKwh).toBe(0n)
    },
  )

  test('a battery by time of price moves consumption into cheap hours', () => {
    const battery = { capacityKwh: wh(6_000n), powerKwh: wh(3_000n), efficiency: MILLION } as const
    const rule = {
      rule: 'time_of_price',
      balanceOf: 'facility',
      chargeHours: [0, 1],
      dischargeHours: [18, 19],
    } as const
    const change = { type: 'add_battery', facilityId: 'works', ...battery, ...rule } as const
    const { run, batteries } = scenarioOf([first()], [change])
    const bought = (hour: number) => run('A').result.hours[hour]?.netImportKwh
    expect([bought(0), bought(1), bought(2), bought(18), bought(19)]).toEqual([
      7_000n,
      7_000n,
      4_000n,
      1_000n,
      1_000n,
    ])
    expect(batteries[0]?.lossKwh).toBe(0n)
  })
})

describe('changes of members', () => {
  test('a facility that moves takes its readings and what is left of its limit', () => {
    const group = groupOf('A', {
      plant: { role: 'production', production: sun },
      works: { role: 'consumption', consumption: constant, opening: wh(700_000n) },
    })
    const move = {
      type: 'move_facility',
      facilityId: 'works',
      fromGroupId: 'A',
      groupId: 'B',
      from: '2026-06-11',
    } as const
    const plantMoves = { ...move, facilityId: 'plant', from: '2026-06-21' } as const
    const { run } = scenarioOf([group, second()], [move, plantMoves])
    const [usedA, usedB] = ['A', 'B'].map((id) =>
      run(id as string).result.usageByAccount.find(({ accountId }) => accountId === 'account works'),
    )
    // Ten days in A: 10 kWh in each of 8 hours use 800 kWh, more than the 700.
    expect(usedA?.closingBalanceKwh).toBe(0n)
    expect(usedB?.openingBalanceKwh).toBe(0n)
    // From the 21st on B has both consumers and the plant.
    expect(run('B').result.summary.matchedKwh).toBe(8_000n * 8n * 10n)
    expect(run('A').result.hours.length).toBe(20 * 24)
  })

  test('a facility of the tenant joins with its facts and its account', () => {
    const input = first()
    const pool = second()
    const { role: _role, validFrom: _from, validTo: _to, ...terms } = pool.members[0] as MemberInput
    const accounts = [{ accountId: 'account shop', year: 2026, balanceKwh: wh(5_000n) }]
    const other = { terms, facts: pool.facts, assignments: pool.assignments, accounts }
    const change = { type: 'join_group', facilityId: 'shop', groupId: 'A', role: 'consumption' } as const
    const { run } = scenarioOf([input], [change], { others: [other] })
    expect(run('A').result.summary.matchedKwh).toBe(8_000n * 8n * MONTH_DAYS)
    expect(run('A').result.usageByAccount[0]).toMatchObject({
      openingBalanceKwh: 5_000n,
      closingBalanceKwh: 0n,
    })
  })

  test('a facility leaves, and changes its terms on a day', () => {
    const leave = { type: 'leave_group', facilityId: 'works', groupId: 'A', from: '2026-06-16' } as const
    expect(scenarioOf([first()], [leave]).run('A').result.summary.matchedKwh).toBe(4_000n * 8n * 15n)
    const terms = { tariffSupplyType: 'sktt' } as const
    const change = { type: 'change_facility', facilityId: 'works', from: '2026-06-16', terms } as const
    const { amountsTry } = scenarioOf([first()], [change]).run('A').result.summary
    const half = scenarioOf([first()], [leave]).run('A').result.summary
    expect(amountsTry.supplier_payment_for_matched_consumption).toBe(
      half.amountsTry.supplier_payment_for_matched_consumption,
    )
  })

  test('homes alone are netted by month, also in a month of several runs', () => {
    const whole = first()
    const middle = START + 10 * 24 * HOUR_MS
    const parts = [
      { ...whole, window: { from: START, to: middle } },
      { ...whole, window: { from: middle, to: END } },
    ].map((input) => ({
      ...input,
      facts: whole.facts.filter(({ hour }) => hour >= input.window.from && hour < input.window.to),
    }))
    const change = { type: 'change_facility', facilityId: 'works', terms: { aboneGrubu: 'mesken' } } as const
    const merged = scenarioOf(parts, [change]).runs
    expect(merged.length).toBe(1)
    expect(merged[0]?.result.scenario).toBe('mesken_monthly')
    expect(merged[0]?.result.summary).toEqual(scenarioOf([whole], [change]).runs[0]?.result.summary)
  })
})

describe('changes of limits, prices and the interval', () => {
  test('a transfer moves limit and refuses more than is left', () => {
    const change = {
      type: 'transfer_limit',
      sourceFacilityId: 'works',
      targetFacilityId: 'shop',
      month: MONTH,
    } as const
    const { run } = scenarioOf([first(), second()], [{ ...change, amountKwh: wh(9_000_000n) }])
    expect(run('A').result.usageByAccount[0]?.openingBalanceKwh).toBe(1_000_000n)
    expect(run('B').result.usageByAccount[0]?.openingBalanceKwh).toBe(9_900_000n)
    expect(faultOf([first(), second()], [{ ...change, amountKwh: wh(10_000_001n) }])).toBe(
      '0 amount_kwh SCENARIO_TRANSFER_TOO_HIGH',
    )
  })

  test('a scaled and a set price change the amounts alone', () => {
    const scale = {
      type: 'scale_price',
      purpose: 'mahsuplasma_lowest_related_tariff',
      factor: 1_500_000n,
    } as const
    const { run, base } = scenarioOf([first()], [scale])
    const [before] = [...base.runs.values()]
    const paid = run('A').result.amounts.filter(
      (row) => row.amountType === 'producer_payment_for_bedelli_surplus',
    )
    expect(new Set(paid.map((row) => row.unitPriceTryPerKwh))).toEqual(new Set([4_364_531n]))
    expect(run('A').result.hours).toEqual(before?.result.hours)
    const set = {
      type: 'set_price',
      purpose: 'customer_bill_active_energy',
      priceTryPerKwh: 3_000_000n as TryPerKwh,
    } as const
    const savings = scenarioOf([first()], [{ ...set, aboneGrubu: 'sanayi' }]).run('A')
    expect(savings.side.amounts.estimated_savings.amountTry).toBe(4n * 8n * MONTH_DAYS * 3_000_000n)
  })

  test('a market price is that of the hour, for matched and for bought energy', () => {
    const marketPrices = new Map(
      Array.from({ length: HOURS }, (_, index) => [
        START + index * HOUR_MS,
        (BigInt(index % 24) * MILLION) as TryPerKwh,
      ]),
    )
    const change = {
      type: 'market_price',
      facilityId: 'works',
      factor: MILLION,
      marginTryPerKwh: 100_000n as TryPerKwh,
    } as const
    const { run } = scenarioOf([first()], [change], { marketPrices })
    const hours = Array.from({ length: 24 }, (_, hour) => hour)
    const cost = (list: number[]): Try =>
      total(list.map((hour) => (4n * (BigInt(hour) * MILLION + 100_000n)) as Try))
    const [sunny, dark] = [hours.filter((h) => sun(h) > 0n), hours.filter((h) => sun(h) === 0n)]
    expect(run('A').side.amounts.estimated_savings.amountTry).toBe(cost(sunny) * MONTH_DAYS)
    expect(run('A').purchaseTry).toBe(cost(dark) * MONTH_DAYS)
  })

  test('netting by month is that of the comparison', () => {
    const change = { type: 'netting_interval', groupId: 'A', interval: 'month' } as const
    const { run } = scenarioOf([first()], [change])
    expect(run('A').side).toEqual(compareNetting(first()).monthly)
  })

  test('the parts of the members sum to the amounts of the group', () => {
    const { run } = scenarioOf([first()], [{ type: 'scale_load', facilityId: 'works', factor: 1_234_567n }])
    const { members, side } = run('A')
    const sum = (field: 'revenueTry' | 'feeTry' | 'savingsTry') =>
      total(members.map((one) => one[field] ?? (0n as Try)))
    expect(sum('revenueTry')).toBe(side.amounts.producer_payment_for_bedelli_surplus.amountTry)
    expect(sum('feeTry')).toBe(side.amounts.system_usage_fee_for_skb.amountTry)
    expect(sum('savingsTry')).toBe(side.amounts.estimated_savings.amountTry)
  })
})

describe('a change that cannot be applied names itself and its field', () => {
  const profile = { kind: 'hours', valuesKwh: [wh(1n)] } as const
  const cases: readonly (readonly [string, Change])[] = [
    ['0 facility_id SCENARIO_FACILITY_UNKNOWN', { type: 'add_plant', facilityId: 'none', profile }],
    ['0 profile.values_kwh SCENARIO_PROFILE_LENGTH', { type: 'add_plant', facilityId: 'works', profile }],
    ['0 facility_id SCENARIO_NO_PRODUCTION_METER', { type: 'scale_plant', facilityId: 'works', factor: 1n }],
    [
      '0 facility_id SCENARIO_FACILITY_ALREADY_MEMBER',
      { type: 'join_group', facilityId: 'works', groupId: 'B', role: 'mixed' },
    ],
    [
      '0 facility_id SCENARIO_FACILITY_NOT_MEMBER',
      { type: 'leave_group', facilityId: 'works', groupId: 'B' },
    ],
    ['0 group_id SCENARIO_GROUP_NOT_IN_BASE', { type: 'netting_interval', groupId: 'C', interval: 'hour' }],
    ['0 purpose SCENARIO_PRICE_NOT_FOUND', { type: 'scale_price', purpose: 'other', factor: 1n }],
    [
      '0 from SCENARIO_DAYS_OUTSIDE',
      { type: 'leave_group', facilityId: 'works', groupId: 'A', from: '2027-01-01' },
    ],
  ]
  test.each(cases)('%s', (expected, change) => {
    expect(faultOf([first(), second()], [change])).toBe(expected)
  })
})
