import assert from 'node:assert/strict'
import { at } from '../../kernel/checked.ts'
import { add, type Kwh, larger, subtract, total, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS, localYear, periodRange, periodStart } from '../../kernel/time.ts'
import { priceSlice } from './amounts/amounts.ts'
import { firstPriceDate, monthPriceDate } from './amounts/price-choice.ts'
import { facilityIn, groupIn, openPricing, type Pricing } from './amounts/pricing.ts'
import { figuresOf } from './figures.ts'
import { hashInput } from './input-hash.ts'
import { sumUsage } from './ledger.ts'
import type { NettedSlice } from './match.ts'
import { isConsumer, memberHours, scenarioOf } from './members.ts'
import { WARNING_TEXTS } from './messages.ts'
import { warningsOfMonth } from './month-warnings.ts'
import { informationalRow } from './monthly.ts'
import { hourRule, netWholeMonth } from './netting-rule.ts'
import { type Slice, type SliceSet, sliceHours } from './slices.ts'
import { summarise } from './summary.ts'
import { sortedBy } from './text-order.ts'
import type {
  AccountInput,
  HourRow,
  PeriodInput,
  PeriodResult,
  Scenario,
  TakenElsewhere,
  UsageRow,
} from './types.ts'
import { warnOfUnknownValues } from './unknown-values.ts'
import { type VirtualMeter, virtualMetersOf } from './virtual-meters.ts'

/** The interval in which a group is netted; without it, that of the method: the month for homes, else the hour. */
export type NettingInterval = 'hour' | 'month'

/** A calculated window with what its rows were made of. */
export interface PeriodRun {
  readonly result: PeriodResult
  /** The hours, or the one month. */
  readonly netted: readonly NettedSlice[]
  readonly meters: readonly (readonly VirtualMeter[])[]
  readonly pricing: Pricing
}

/**
 * Calculates one group over the window of one billing period: the only entry point of the engine. The same
 * input gives the same result, whatever the order of its lists. Calculating [a, b) and then [b, c) with the
 * balances and the step states of the first gives the rows of [a, c).
 */
export const computePeriod = (input: PeriodInput): PeriodResult => runPeriod(input).result

/** A window that is netted and not priced yet. */
export interface NettedPeriod {
  readonly scenario: Scenario
  readonly isResidential: boolean
  readonly isMonthly: boolean
  readonly slices: readonly Slice[]
  readonly values: SliceSet['values']
  readonly accounts: readonly AccountInput[]
  readonly openings: ReadonlyMap<string, Kwh>
  /** The hours, or the one month. */
  readonly netted: readonly NettedSlice[]
  readonly hours: readonly HourRow[]
  readonly pricing: Pricing
}

/** Nets a window. `interval` as for `runPeriod`. */
export function netPeriod(input: PeriodInput, interval?: NettingInterval): NettedPeriod {
  assertWindow(input)
  const scenario = scenarioOf(input)
  const accounts = accountsOf(input)
  const { slices, values } = sliceHours(
    input,
    new Map(accounts.map(({ facilityId, accountId }) => [facilityId, accountId])),
  )
  const openings = new Map(accounts.map((account) => [account.accountId, account.openingBalanceKwh]))
  const isResidential = scenario === 'mesken_monthly'
  const isMonthly = interval ? interval === 'month' : isResidential
  const pricing = openPricing(input, { isResidential, isMonthly })
  const run = netScenario({ scenario, isMonthly, slices, openings, input, pricing })
  return { scenario, isResidential, isMonthly, slices, values, accounts, openings, ...run, pricing }
}

/**
 * As `computePeriod`, with the netted slices. `interval` replaces that of the method, for scenarios; netting by month
 * needs a window that begins with its period.
 */
export function runPeriod(input: PeriodInput, interval?: NettingInterval): PeriodRun {
  const period = netPeriod(input, interval)
  const { scenario, isResidential, isMonthly, slices, values, accounts, openings, pricing } = period
  warnOf(period.netted, scenario, pricing)
  warnOfUnknownValues(slices, input, pricing.warnings)

  const meters = period.netted.map(virtualMetersOf)
  const amounts = period.netted.flatMap((netted, index) => priceSlice(pricing, netted, at(meters, index)))
  const usage = period.netted.flatMap((netted) => netted.usage)
  const month = isMonthly ? period.netted[0] : undefined
  const { billingPeriod, window } = input
  const lookups = pricing.book.lookups()
  const counted = isResidential ? [] : accounts
  const result: PeriodResult = {
    scenario,
    window,
    inputHash: hashInput({ input, scenario, accounts: counted, values, lookups }),
    hours: period.hours,
    virtualMeters: meters.flat().map((meter) => meter.row),
    amounts,
    usage,
    usageByAccount: sumUsage(openings, usage),
    summary: summarise({
      hoursExpected: memberHours(input.members, periodRange(billingPeriod)),
      hours: period.hours,
      amounts,
      ...(month && { month }),
    }),
    warnings: pricing.warnings.list(),
  }
  return { result, netted: period.netted, meters, pricing }
}

function assertWindow({ window, billingPeriod }: PeriodInput): void {
  const period = periodRange(billingPeriod)
  assert(window.from < window.to, 'a window has an hour')
  assert(window.from % HOUR_MS === 0 && window.to % HOUR_MS === 0, 'a window lies on hour boundaries')
  assert(window.from >= period.from && window.to <= period.to, 'a window lies inside its period')
}

/** The consumers' accounts of the period's year, in the order of their ids. */
export function accountsOf({ accounts, members, billingPeriod }: PeriodInput): AccountInput[] {
  const year = localYear(periodStart(billingPeriod))
  const consumers = new Set(members.filter(isConsumer).map((member) => member.facilityId))
  const wanted = accounts.filter((account) => account.year === year && consumers.has(account.facilityId))
  return sortedBy(wanted, (account) => account.accountId)
}

interface ScenarioRun {
  readonly scenario: Scenario
  readonly isMonthly: boolean
  readonly slices: readonly Slice[]
  readonly openings: ReadonlyMap<string, Kwh>
  readonly input: PeriodInput
  readonly pricing: Pricing
}

interface Netted {
  /** The slices to price: the hours, or the one month. */
  readonly netted: readonly NettedSlice[]
  readonly hours: readonly HourRow[]
}

function netScenario({ scenario, isMonthly, slices, openings, input, pricing }: ScenarioRun): Netted {
  if (!isMonthly) return netHours(slices, openings, hourRule(scenario), input.takenElsewhere)
  const { billingPeriod, window, members } = input
  assert(
    window.from === periodStart(billingPeriod),
    'a window that is netted by month begins with its period',
  )
  const groups = new Set(members.filter(isConsumer).flatMap((member) => member.aboneGrubu ?? []))
  const date =
    scenario === 'mesken_monthly'
      ? monthPriceDate(pricing.book, billingPeriod)
      : firstPriceDate(pricing.book, billingPeriod, groups)
  const month = netWholeMonth({ scenario, slices, input, date }, openings)
  return { netted: [month], hours: slices.map(informationalRow) }
}

/**
 * Nets the hours in time order. Each hour opens with the closing balances of the previous one, less the
 * energy taken by other groups in between.
 */
export function netHours(
  slices: readonly Slice[],
  openings: ReadonlyMap<string, Kwh>,
  net: (slice: Slice, balances: ReadonlyMap<string, Kwh>) => NettedSlice,
  takenElsewhere: readonly TakenElsewhere[] = [],
): Netted {
  const balances = new Map(openings)
  const lower = (accountId: string, amountKwh: Kwh): void => {
    balances.set(accountId, subtract(balances.get(accountId) ?? ZERO_KWH, amountKwh))
  }
  const netted: NettedSlice[] = []
  const hours: HourRow[] = []
  for (const slice of slices) {
    for (const taken of takenElsewhere) if (taken.hour === slice.hour) lower(taken.accountId, taken.takenKwh)
    const result = net(slice, balances)
    netted.push(result)
    hours.push(hourRow(result, balances))
    for (const row of result.usage) lower(row.accountId, usedOf(row))
  }
  return { netted, hours }
}

const usedOf = (row: UsageRow): Kwh => add(row.matchedKwh, row.paidSurplusKwh)

/** `balances` are those before the hour. An account below zero has no limit left and counts as zero. */
function hourRow(netted: NettedSlice, balances: ReadonlyMap<string, Kwh>): HourRow {
  const { slice } = netted
  const before = slice.consumers.flatMap(({ accountId }) =>
    accountId === null ? [] : [larger(balances.get(accountId) ?? ZERO_KWH, ZERO_KWH)],
  )
  const limitBeforeKwh = before.length === 0 ? null : total(before)
  const limitUsedKwh = limitBeforeKwh === null ? null : total(netted.usage.map(usedOf))
  return {
    hour: slice.hour,
    ...figuresOf(netted),
    limitBeforeKwh,
    limitUsedKwh,
    limitAfterKwh:
      limitBeforeKwh === null || limitUsedKwh === null ? null : subtract(limitBeforeKwh, limitUsedKwh),
    meskenInformational: false,
    dataQuality: slice.dataQuality,
  }
}

/** Adds the warnings of the run itself; the amounts add their own. */
export function warnOf(netted: readonly NettedSlice[], scenario: Scenario, pricing: Pricing): void {
  for (const { code, subject, message } of warningsOfMonth({ ...pricing, scenario }))
    pricing.warnings.add(code, subject, () => message)
  if (scenario === 'standard_hourly') warnOfStorage(netted, pricing)
  const without = netted
    .filter((hour) => hour.skbKwh > 0n)
    .flatMap((hour) => hour.slice.consumers.filter((consumer) => consumer.accountId === null))
    .map(({ member }) => member.facilityName ?? member.facilityId)
  if (without.length === 0) return
  const facilities = [...new Set(without)]
  pricing.warnings.add('LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB', pricing.groupId, () =>
    WARNING_TEXTS.LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB({ ...groupIn(pricing), facilities }),
  )
}

function warnOfStorage(netted: readonly NettedSlice[], pricing: Pricing): void {
  for (const producer of netted.flatMap(({ slice }) => slice.producers)) {
    const { member, isDischargeUnknown, storageExportKwh } = producer
    if (!isDischargeUnknown) continue
    const isFree = storageExportKwh > 0n
    const text = isFree ? WARNING_TEXTS.STORAGE_EXPORT_FREE : WARNING_TEXTS.STORAGE_EXPORT_AS_PRODUCTION
    pricing.warnings.add('STORAGE_DISCHARGE_UNKNOWN', member.facilityId, () =>
      text(facilityIn(pricing, member)),
    )
  }
}
