import { add, type Kwh, subtract, type Try, total, wh, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS, hoursOf, type LocalDate, localDate, localYear, periodStart } from '../../kernel/time.ts'
import { COUNTS_AS, type ComparedAmount, type Comparison, compareNetting, type Side } from './comparison.ts'
import { sumOfKnown } from './figures.ts'
import { netSlice } from './match.ts'
import { isConsumer } from './members.ts'
import { netEach } from './period.ts'
import { sliceHours } from './slices.ts'
import type { AccountInput, AmountType, MeasurementRole, MemberRole, PeriodInput } from './types.ts'

/**
 * Netting of facilities by their readings alone: what it would give if they were a group, before there are
 * memberships, accounts and an eligibility. The input has the facilities as members for the whole time.
 *
 * Hours in which a facility lacks a value are left out: a missing consumption would otherwise appear as surplus.
 */

/** The limit of a consumer for a year; null: not known, so nothing bounds the paid surplus. */
export interface ReadingsLimit {
  readonly facilityId: string
  readonly year: number
  readonly limitKwh: Kwh | null
}

/** More than any facility can use: stands for a limit that is not known. */
const UNLIMITED = wh(10n ** 15n)

/** What a facility is by its meters; undefined without a main meter. */
export function roleOfMeters(roles: ReadonlySet<MeasurementRole>): MemberRole | undefined {
  const produces = roles.has('main_production')
  const consumes = roles.has('main_consumption') || roles.has('osb_eb_consumption')
  if (roles.has('pcc_import_export') || (produces && consumes)) return 'mixed'
  if (produces) return 'production'
  return consumes ? 'consumption' : undefined
}

/** The input with the facts of complete hours alone, and the number of these hours. */
export interface CompleteHours {
  readonly input: PeriodInput
  readonly hours: readonly number[]
  readonly hoursExpected: number
}

/** Leaves out the facts of every hour in which a facility lacks its production or consumption. */
function withCompleteHours(input: PeriodInput): CompleteHours {
  const { slices } = sliceHours({ ...input, stepStates: [] }, new Map())
  const hours = slices
    .filter(
      ({ producers, consumers }) =>
        producers.every(({ productionKwh }) => productionKwh !== null) &&
        consumers.every(({ consumptionKwh }) => consumptionKwh !== null),
    )
    .map(({ hour }) => hour)
  const known = new Set(hours)
  return {
    input: { ...input, facts: input.facts.filter(({ hour }) => known.has(hour)) },
    hours,
    hoursExpected: hoursOf(input.window).length,
  }
}

/** The consumption of each facility over the hours in which it is known, and their number. */
export function knownConsumption(input: PeriodInput): Map<string, { kwh: Kwh; hours: number }> {
  const sums = new Map<string, { kwh: Kwh; hours: number }>()
  for (const { consumers } of sliceHours({ ...input, stepStates: [] }, new Map()).slices) {
    for (const { member, consumptionKwh } of consumers) {
      if (consumptionKwh === null) continue
      const { kwh, hours } = sums.get(member.facilityId) ?? { kwh: ZERO_KWH, hours: 0 }
      sums.set(member.facilityId, { kwh: add(kwh, consumptionKwh), hours: hours + 1 })
    }
  }
  return sums
}

const accountIdOf = (facilityId: string, year: number): string => `${facilityId} ${year}`

/** The balances of one side, from month to month; each year begins with its limit. */
function openBalances(limits: readonly ReadingsLimit[]) {
  const balances = new Map(
    limits.map(({ facilityId, year, limitKwh }) => [accountIdOf(facilityId, year), limitKwh ?? UNLIMITED]),
  )
  return {
    balances: balances as ReadonlyMap<string, Kwh>,
    use(used: ReadonlyMap<string, Kwh>): void {
      for (const [id, kwh] of used) balances.set(id, subtract(balances.get(id) ?? ZERO_KWH, kwh))
    },
  }
}

function accountsOf(
  { members, billingPeriod }: PeriodInput,
  balances: ReadonlyMap<string, Kwh>,
): AccountInput[] {
  const year = localYear(periodStart(billingPeriod))
  return members.filter(isConsumer).flatMap(({ facilityId }) => {
    const accountId = accountIdOf(facilityId, year)
    const openingBalanceKwh = balances.get(accountId)
    return openingBalanceKwh === undefined ? [] : [{ accountId, facilityId, year, openingBalanceKwh }]
  })
}

export interface ReadingsMonth {
  readonly billingPeriod: string
  readonly hoursExpected: number
  readonly hoursCompared: number
  /** Undefined without a complete hour. */
  readonly compared: Comparison | undefined
}

/**
 * Returns a function that compares one month after the other, in time order. Each side uses the limits by itself,
 * so that the month of netting by month begins with what that netting has left.
 */
export function compareReadings(limits: readonly ReadingsLimit[]): (input: PeriodInput) => ReadingsMonth {
  const byHour = openBalances(limits)
  const byMonth = openBalances(limits)
  return (given) => {
    const { input, hours, hoursExpected } = withCompleteHours(given)
    const counts = { billingPeriod: input.billingPeriod, hoursExpected, hoursCompared: hours.length }
    if (hours.length === 0) return { ...counts, compared: undefined }
    const accounts = accountsOf(input, byHour.balances)
    const compared = compareNetting({ ...input, accounts }, byMonth.balances)
    byHour.use(compared.hourly.usedByAccount)
    byMonth.use(compared.monthly.usedByAccount)
    return { ...counts, compared }
  }
}

/** The sum of one side over months; undefined without a compared month. */
export function sumSides(sides: readonly Side[]): Side | undefined {
  const [first] = sides
  if (!first) return undefined
  const fields = Object.keys(first.energy) as (keyof Side['energy'])[]
  const energy = Object.fromEntries(
    fields.map((field) => [field, sumOfKnown(sides.map((side) => side.energy[field]))]),
  ) as unknown as Side['energy']
  const amounts = Object.fromEntries(
    (Object.keys(COUNTS_AS) as AmountType[]).map((type) => [
      type,
      sumAmounts(sides.map((s) => s.amounts[type])),
    ]),
  ) as Record<AmountType, ComparedAmount>
  return {
    energy,
    amounts,
    totalTry: sumTry(sides.map(({ totalTry }) => totalTry)),
    usedByAccount: new Map(),
  }
}

const sumAmounts = (amounts: readonly ComparedAmount[]): ComparedAmount => ({
  energyKwh: total(amounts.map(({ energyKwh }) => energyKwh)),
  amountTry: sumTry(amounts.map(({ amountTry }) => amountTry)),
})

/** Null where a part has no price. */
function sumTry(parts: readonly (Try | null)[]): Try | null {
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? total(known) : null
}

export interface ReadingsUsage {
  readonly usedByDay: ReadonlyMap<LocalDate, Kwh>
  /** The start of every complete hour, ascending. */
  readonly hours: readonly number[]
}

/** Returns a function that gives the use of the limits in one month after the other, netted by hour. */
export function useLimits(limits: readonly ReadingsLimit[]): (input: PeriodInput) => ReadingsUsage {
  const byHour = openBalances(limits)
  return (given) => {
    const { input, hours } = withCompleteHours(given)
    const accounts = accountsOf(input, byHour.balances)
    const accountOf = new Map(accounts.map(({ facilityId, accountId }) => [facilityId, accountId]))
    const { slices } = sliceHours({ ...input, accounts, stepStates: [] }, accountOf)
    const openings = new Map(accounts.map((account) => [account.accountId, account.openingBalanceKwh]))
    const usedByDay = new Map<LocalDate, Kwh>()
    const used = new Map<string, Kwh>()
    for (const { netted } of netEach(slices, openings, netSlice)) {
      for (const { accountId, hour, matchedKwh, paidSurplusKwh } of netted.usage) {
        const kwh = add(matchedKwh, paidSurplusKwh)
        const day = localDate(hour)
        usedByDay.set(day, add(usedByDay.get(day) ?? ZERO_KWH, kwh))
        used.set(accountId, add(used.get(accountId) ?? ZERO_KWH, kwh))
      }
    }
    byHour.use(used)
    return { usedByDay, hours }
  }
}

/** Consecutive hours as ranges. */
export function rangesOf(hours: readonly number[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  for (const hour of hours) {
    const last = ranges.at(-1)
    if (last?.to === hour) last.to = hour + HOUR_MS
    else ranges.push({ from: hour, to: hour + HOUR_MS })
  }
  return ranges
}
