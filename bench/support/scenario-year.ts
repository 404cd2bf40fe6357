import { runPeriod } from '../../src/core/netting/period.ts'
import type { ScenarioBase } from '../../src/core/netting/scenario/types.ts'
import type { AccountInput, FactInput, PeriodInput } from '../../src/core/netting/types.ts'
import { wh } from '../../src/kernel/decimal.ts'
import { addMonths, hoursOf, periodRange } from '../../src/kernel/time.ts'
import {
  makeAssignment,
  makeFacts,
  makeMember,
  makePrices,
} from '../../test/support/netting/netting-input.ts'

const YEAR = 2026
/** Four plants and six consumers. */
const PLANTS = 4
const FACILITIES = 10
const OPENING_KWH = 1_200_000n

/** Wh of a plant in an hour of a day. */
const sun = (hour: number, facility: number): bigint =>
  BigInt(
    Math.round(
      Math.max(0, 400_000 * Math.sin(((hour % 24) - 6) * (Math.PI / 12))) *
        (1 + ((hour * 7 + facility) % 11) / 20),
    ),
  )
const load = (hour: number, facility: number): bigint =>
  BigInt(60_000 + (((hour % 24) * 13 + facility * 29 + Math.floor(hour / 24) * 5) % 90) * 1_000)

const PRICES = makePrices(
  [
    { abone: 'sanayi', purpose: 'mahsuplasma_related_tariff', price: '2.985253', segment: 'tek' },
    { abone: 'sanayi', purpose: 'mahsuplasma_lowest_related_tariff', price: '2.909687', segment: 'tek' },
    { abone: 'sanayi', purpose: 'customer_bill_active_energy', price: '4.157441', segment: 'tek' },
    { abone: 'other', purpose: 'system_usage', price: '0.656008', class: 'lisanssiz_uretici_2' },
  ],
  { billingPeriod: `${YEAR}-01-01`, validFrom: `${YEAR}-01-01` },
)

const ids = Array.from({ length: FACILITIES }, (_one, index) => `f${index}`)
const isPlant = (index: number): boolean => index < PLANTS

function monthInput(billingPeriod: string, accounts: readonly AccountInput[]): PeriodInput {
  const window = periodRange(billingPeriod)
  const facts = ids.flatMap((id, index) =>
    hoursOf(window).flatMap((hour): FactInput[] => {
      const number = Math.round(hour / 3_600_000) + 3
      return makeFacts(
        id,
        hour,
        isPlant(index) ? { production: wh(sun(number, index)) } : { consumption: wh(load(number, index)) },
      )
    }),
  )
  return {
    groupId: 'group',
    groupName: 'Group',
    billingPeriod,
    window,
    eligibilityStatus: 'valid',
    members: ids.map((id, index) => makeMember(id, { role: isPlant(index) ? 'production' : 'consumption' })),
    assignments: ids.map((id, index) =>
      makeAssignment(id, isPlant(index) ? 'main_production' : 'main_consumption'),
    ),
    facts,
    accounts,
    prices: PRICES,
    stepStates: [],
  }
}

/** A year of a group of ten facilities by the hour, each month with the balances that the one before leaves. */
export function makeScenarioYear(months = 12): ScenarioBase {
  const inputs: PeriodInput[] = []
  let accounts: readonly AccountInput[] = ids
    .filter((_id, index) => !isPlant(index))
    .map((facilityId) => ({
      accountId: `a-${facilityId}`,
      facilityId,
      year: YEAR,
      openingBalanceKwh: wh(OPENING_KWH * 1_000n),
    }))
  for (let month = 0; month < months; month += 1) {
    const input = monthInput(addMonths(`${YEAR}-01-01`, month), accounts)
    inputs.push(input)
    const { usageByAccount } = runPeriod(input).result
    const closing = new Map(usageByAccount.map((one) => [one.accountId, one.closingBalanceKwh]))
    accounts = accounts.map((one) => ({
      ...one,
      openingBalanceKwh: closing.get(one.accountId) ?? one.openingBalanceKwh,
    }))
  }
  return {
    from: `${YEAR}-01-01`,
    to: addMonths(`${YEAR}-01-01`, months - 1),
    inputs,
    others: [],
    solarShape: [],
    marketPrices: new Map(),
  }
}

/** The first plant of the year with other sizes, in millionths. */
export const yearPlan = {
  changes: [{ type: 'scale_plant', facilityId: 'f0', factor: 1_000_000n }] as const,
  changeIndex: 0,
}

/** Sizes that differ from each other and from the base, up to some hundred times the plant. */
export const sizesFrom = (first: number, count: number): bigint[] =>
  Array.from({ length: count }, (_one, index) => 1_050_000n + BigInt(first + index) * 50_000n)
