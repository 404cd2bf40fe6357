import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  makeAssignment,
  makeFacts,
  makeMember,
  makePrices,
} from '../../../test/support/netting/netting-input.ts'
import { formatTry, type Kwh, type Try, total, wh, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS, periodStart } from '../../kernel/time.ts'
import { compareNetting, type Side } from './comparison.ts'
import { computePeriod } from './period.ts'
import type { AboneGrubu, AmountType, PeriodInput } from './types.ts'

const PERIOD = '2026-06-01'
const START = periodStart(PERIOD)
const prices = (['sanayi', 'mesken'] as const).flatMap((abone) =>
  makePrices([
    { abone, purpose: 'mahsuplasma_related_tariff', price: '2.985253', segment: 'tek' },
    { abone, purpose: 'mahsuplasma_lowest_related_tariff', price: '2.500000', segment: 'tek' },
    { abone, purpose: 'customer_bill_active_energy', price: '4.000000', segment: 'tek' },
  ]),
)
const fee = makePrices([{ abone: 'other', purpose: 'system_usage', price: '0.656008', step: 2 }])

interface Pair {
  readonly produced: readonly number[]
  readonly consumed: readonly number[]
  readonly limitKwh?: number
  readonly aboneGrubu?: AboneGrubu
}

/** One producer and one consumer, hourly kWh from the start of the month. */
const pair = (
  { produced, consumed, limitKwh, aboneGrubu = 'sanayi' }: Pair,
  own: Partial<PeriodInput> = {},
) => ({
  groupId: 'group',
  groupName: 'Group',
  billingPeriod: PERIOD,
  window: { from: START, to: START + produced.length * HOUR_MS },
  eligibilityStatus: 'valid' as const,
  members: [makeMember('plant', { role: 'production' }), makeMember('works', { aboneGrubu })],
  assignments: [makeAssignment('plant', 'main_production'), makeAssignment('works', 'main_consumption')],
  facts: produced.flatMap((kwh, index) => [
    ...makeFacts('plant', START + index * HOUR_MS, { production: wh(BigInt(kwh) * 1000n) }),
    ...makeFacts('works', START + index * HOUR_MS, { consumption: wh(BigInt(consumed[index] ?? 0) * 1000n) }),
  ]),
  accounts:
    limitKwh === undefined
      ? []
      : [
          {
            accountId: 'a',
            facilityId: 'works',
            year: 2026,
            openingBalanceKwh: wh(BigInt(limitKwh) * 1000n),
          },
        ],
  prices: [...prices, ...fee],
  stepStates: [],
  ...own,
})

const lira = (value: Try | null) => (value === null ? null : formatTry(value))
const sidesOf = (input: PeriodInput) => {
  const { hourly, monthly } = compareNetting(input)
  return { hourly, monthly }
}
const amounts = (side: Side) =>
  Object.fromEntries(
    Object.entries(side.amounts)
      .filter(([, { energyKwh }]) => energyKwh > 0n)
      .map(([type, { amountTry }]) => [type, lira(amountTry)]),
  )

test('a month after others that were netted by month begins with their balances', () => {
  const input = pair({ produced: [30], consumed: [10], limitKwh: 100 })
  const { hourly, monthly } = compareNetting(input, new Map([['a', wh(15_000n)]]))
  expect(hourly.energy).toMatchObject({ matchedKwh: 10_000n, bedelliKwh: 20_000n, skbKwh: 0n })
  expect(monthly.energy).toMatchObject({ matchedKwh: 10_000n, bedelliKwh: 5_000n, skbKwh: 15_000n })
})

test('homes on the last-resort tariff have monthly amounts only', () => {
  const input = pair({ produced: [30], consumed: [10], aboneGrubu: 'mesken' })
  const members = input.members.map((member) => ({ ...member, tariffSupplyType: 'sktt' as const }))
  for (const { amounts: compared } of Object.values(sidesOf({ ...input, members }))) {
    expect(compared.sktt_matched_consumption.energyKwh).toBe(0n)
    expect(compared.mesken_monthly_amount.energyKwh).toBe(10_000n)
  }
})

test('monthly netting offsets one hour against another, hourly netting does not', () => {
  const compared = compareNetting(pair({ produced: [10, 0], consumed: [0, 10], limitKwh: 100 }))
  expect(compared).toMatchObject({ scenario: 'standard_hourly', nettedBy: 'hour', pricesChange: false })
  expect(compared.hourly.energy).toMatchObject({ matchedKwh: 0n, bedelliKwh: 10_000n, netImportKwh: 10_000n })
  expect(compared.monthly.energy).toMatchObject({ matchedKwh: 10_000n, bedelliKwh: 0n, netImportKwh: 0n })
  expect(compared.hourly.energy.limitUsedKwh).toBe(compared.monthly.energy.limitUsedKwh)
  expect(amounts(compared.hourly)).toEqual({ producer_payment_for_bedelli_surplus: '25.000000' })
  expect(amounts(compared.monthly)).toEqual({
    supplier_payment_for_matched_consumption: '29.852530',
    estimated_savings: '40.000000',
  })
  expect(lira(compared.hourly.totalTry)).toBe('25.000000')
  expect(lira(compared.monthly.totalTry)).toBe('40.000000')
})

test('the limit applies to both sides: energy beyond it is charged the fee', () => {
  const compared = compareNetting(pair({ produced: [10, 0], consumed: [0, 4], limitKwh: 6 }))
  expect(compared.hourly.energy).toMatchObject({ bedelliKwh: 6_000n, skbKwh: 4_000n })
  expect(compared.monthly.energy).toMatchObject({ matchedKwh: 4_000n, bedelliKwh: 2_000n, skbKwh: 4_000n })
  expect(lira(compared.hourly.totalTry)).toBe('12.375968')
  expect(lira(compared.monthly.totalTry)).toBe('18.375968')
})

test('the usage of other groups in between is excluded on both sides', () => {
  const takenElsewhere = [{ accountId: 'a', hour: START + HOUR_MS, takenKwh: wh(5_000n) }]
  const input = pair({ produced: [2, 10], consumed: [0, 4], limitKwh: 12 }, { takenElsewhere })
  const compared = compareNetting(input)
  expect(compared.hourly.energy).toMatchObject({ matchedKwh: 4_000n, bedelliKwh: 3_000n, skbKwh: 5_000n })
  expect(compared.monthly.energy).toMatchObject({ matchedKwh: 4_000n, bedelliKwh: 3_000n, skbKwh: 5_000n })
  expect(computePeriod(input).hours.map((hour) => [hour.limitBeforeKwh, hour.limitAfterKwh])).toEqual([
    [12_000n, 10_000n],
    [5_000n, 0n],
  ])
})

test('homes are compared in reverse, without a limit on either side', () => {
  const input = pair({ produced: [10, 0], consumed: [1, 6], aboneGrubu: 'mesken' })
  const compared = compareNetting(input)
  expect(compared).toMatchObject({ scenario: 'mesken_monthly', nettedBy: 'month' })
  expect(compared.hourly.energy).toMatchObject({ matchedKwh: 1_000n, bedelliKwh: 9_000n, skbKwh: 0n })
  expect(compared.monthly.energy).toMatchObject({ matchedKwh: 7_000n, bedelliKwh: 3_000n, skbKwh: 0n })
  expect(amounts(compared.monthly)).toMatchObject({ mesken_monthly_amount: '20.896771' })
  expect(amounts(compared.hourly)).toMatchObject({ mesken_monthly_amount: '2.985253' })
})

test('a blocked group nets nothing on either side', () => {
  const input = pair(
    { produced: [10, 0], consumed: [0, 10], limitKwh: 100 },
    { eligibilityStatus: 'blocked' },
  )
  const compared = compareNetting(input)
  expect(compared.hourly).toEqual(compared.monthly)
  expect(lira(compared.hourly.totalTry)).toBe('0.000000')
  expect(compared.warnings.map((warning) => warning.code)).toEqual(['GROUP_BLOCKED_BEDELSIZ'])
})

test('a missing price makes its side unknown, and not the other', () => {
  const input = pair({ produced: [10, 0], consumed: [0, 4], limitKwh: 4 }, { prices })
  const spared = pair({ produced: [4, 0], consumed: [4, 0], limitKwh: 4 }, { prices })
  expect(compareNetting(input).hourly.totalTry).toBeNull()
  expect(compareNetting(input).warnings.map(({ code }) => code)).toContain(
    'SKB_PRICE_UNRESOLVED_QUANTITY_ONLY',
  )
  expect(lira(compareNetting(spared).hourly.totalTry)).toBe('16.000000')
  const noPrices = compareNetting({ ...spared, prices: [] })
  expect(noPrices.monthly.amounts.estimated_savings).toEqual({ energyKwh: 4_000n, amountTry: null })
  expect(noPrices.monthly.amounts.system_usage_fee_for_skb).toEqual({ energyKwh: 0n, amountTry: 0n })
})

test('a price change within the period is reported', () => {
  const later = makePrices(
    [{ abone: 'sanayi', purpose: 'mahsuplasma_lowest_related_tariff', price: '3.000000', segment: 'tek' }],
    { id: 'later', setId: 'later', approvedAt: 1, validFrom: '2026-06-02' },
  )
  const hours = Array.from({ length: 25 }, () => 1)
  const input = pair({ produced: hours, consumed: [], limitKwh: 100 }, { prices: [...prices, ...later] })
  expect(compareNetting(input)).toMatchObject({ pricesChange: true, priceDate: '2026-06-01' })
})

const known = (kwh: Kwh | null): Kwh => kwh ?? ZERO_KWH

describe('comparison over random hours', () => {
  const kwh = fc.array(fc.nat(20), { minLength: 6, maxLength: 6 })
  const grubu = fc.constantFrom<AboneGrubu>('sanayi', 'mesken')
  const anyPair = fc.record({ produced: kwh, consumed: kwh, limitKwh: fc.nat(60), aboneGrubu: grubu })

  test('equals the engine on the side by which the group is netted', () => {
    fc.assert(
      fc.property(anyPair, (spec) => {
        const input = pair(spec)
        const { nettedBy, hourly, monthly } = compareNetting(input)
        const { energy, amounts: compared } = nettedBy === 'hour' ? hourly : monthly
        const { summary } = computePeriod(input)
        const { limitUsedKwh: _, ...kwhs } = energy
        expect(summary).toMatchObject(kwhs)
        for (const [type, sum] of Object.entries(summary.amountsTry)) {
          expect(compared[type as AmountType].amountTry, type).toBe(sum ?? 0n)
        }
      }),
    )
  })

  test('never matches less by month, and each side accounts for all energy', () => {
    fc.assert(
      fc.property(anyPair, (spec) => {
        const { hourly, monthly } = compareNetting(pair(spec))
        expect(known(monthly.energy.matchedKwh) >= known(hourly.energy.matchedKwh)).toBe(true)
        for (const { energy } of [hourly, monthly]) {
          expect(energy.productionKwh).toBe(hourly.energy.productionKwh)
          expect(energy.consumptionKwh).toBe(hourly.energy.consumptionKwh)
          const parts = [energy.bedelliKwh, energy.skbKwh, energy.bedelsizKwh].map(known)
          expect(energy.surplusKwh).toBe(total(parts))
        }
      }),
    )
  })
})
