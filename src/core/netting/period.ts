import assert from 'node:assert/strict'
import { add, type Kwh, larger, subtract, total, ZERO_KWH } from '../../kernel/decimal.ts'
import { HOUR_MS, localYear, periodRange, periodStart } from '../../kernel/time.ts'
import { priceSlice } from './amounts/amounts.ts'
import { firstPriceDate, monthPriceDate } from './amounts/price-choice.ts'
import { openPricing, type Pricing } from './amounts/pricing.ts'
import { figuresOf } from './figures.ts'
import { hashInput } from './input-hash.ts'
import { UsageSums } from './ledger.ts'
import type { NettedSlice } from './match.ts'
import { isConsumer, memberHours, scenarioOf } from './members.ts'
import { informationalRow, MonthSums } from './monthly.ts'
import { hourRule, type NettingRule, netWholeMonth } from './netting-rule.ts'
import { RunWarnings } from './run-warnings.ts'
import { type Slice, slicesOf, type ValuesInput, withValues } from './slices.ts'
import { SummarySums } from './summary.ts'
import { sortedBy } from './text-order.ts'
import type {
  AccountInput,
  AmountRow,
  HourRow,
  PeriodInput,
  PeriodResult,
  Scenario,
  TakenElsewhere,
  UsageRow,
} from './types.ts'
import { UnknownValues } from './unknown-values.ts'
import { type VirtualMeter, virtualMetersOf } from './virtual-meters.ts'
import { openWarnings } from './warning-list.ts'

/** The interval in which a group is netted; without it, that of the method: the month for homes, else the hour. */
export type NettingInterval = 'hour' | 'month'

/** The rows of one hour; where the month is netted, those of an hour without amounts, or of the month. */
export interface PeriodPart {
  readonly netted?: NettedSlice
  readonly hours: readonly HourRow[]
  readonly meters: readonly VirtualMeter[]
  readonly amounts: readonly AmountRow[]
  readonly usage: readonly UsageRow[]
}

/** The result of a window without its rows. */
export type PeriodTotals = Omit<PeriodResult, keyof RowLists>
type RowLists = Pick<PeriodResult, 'hours' | 'virtualMeters' | 'amounts' | 'usage'>

/** A calculated window with what its rows were made of. */
export interface PeriodRun {
  readonly result: PeriodResult
  /** The hours, or the one month. */
  readonly netted: readonly NettedSlice[]
  readonly meters: readonly (readonly VirtualMeter[])[]
  readonly pricing: Pricing
}

/**
 * Calculates one group over the window of one billing period. The same input gives the same result, whatever the order
 * of its lists. Calculating [a, b) and then [b, c) with the balances and the step states of the first gives the rows of
 * [a, c).
 */
export const computePeriod = (input: PeriodInput): PeriodResult => runPeriod(input).result

/** A window that is netted and not priced yet. */
export interface NettedPeriod {
  readonly openings: ReadonlyMap<string, Kwh>
  /** The hours, or the one month. */
  readonly netted: readonly NettedSlice[]
  readonly hours: readonly HourRow[]
  readonly pricing: Pricing
}

/** Nets a window. `interval` as for `runPeriod`. */
export function netPeriod(input: PeriodInput, interval?: NettingInterval): NettedPeriod {
  const period = openPeriod(withValues(input), interval)
  const netted: NettedSlice[] = []
  const hours: HourRow[] = []
  for (const part of netParts(period)) {
    if (part.netted) netted.push(part.netted)
    if (part.row) hours.push(part.row())
  }
  return { openings: period.openings, netted, hours, pricing: period.pricing }
}

/**
 * As `computePeriod`, with the netted slices. `interval` replaces that of the method, for scenarios; netting by month
 * needs a window that begins with its period.
 */
export function runPeriod(input: PeriodInput, interval?: NettingInterval): PeriodRun {
  const period = openPeriod(withValues(input), interval)
  const netted: NettedSlice[] = []
  const meters: (readonly VirtualMeter[])[] = []
  const hours: HourRow[] = []
  const amounts: AmountRow[] = []
  const usage: UsageRow[] = []
  const parts = runParts(period)
  let next = parts.next()
  for (; !next.done; next = parts.next()) {
    const part = next.value
    hours.push(...part.hours)
    if (!part.netted) continue
    netted.push(part.netted)
    meters.push(part.meters)
    for (const row of part.amounts) amounts.push(row)
    for (const row of part.usage) usage.push(row)
  }
  const virtualMeters = meters.flat().map((meter) => meter.row)
  const result = { ...next.value, hours, virtualMeters, amounts, usage }
  return { result, netted, meters, pricing: period.pricing }
}

/** A window that is ready to be netted, once. */
export interface OpenPeriod {
  readonly input: ValuesInput
  readonly scenario: Scenario
  readonly isResidential: boolean
  readonly isMonthly: boolean
  readonly accounts: readonly AccountInput[]
  readonly openings: ReadonlyMap<string, Kwh>
  readonly pricing: Pricing
}

/** Prepares the calculation of a window. `interval` as for `runPeriod`. */
export function openPeriod(input: ValuesInput, interval?: NettingInterval): OpenPeriod {
  assertWindow(input)
  const scenario = scenarioOf(input)
  const accounts = accountsOf(input)
  const openings = new Map(accounts.map((account) => [account.accountId, account.openingBalanceKwh]))
  const isResidential = scenario === 'mesken_monthly'
  const isMonthly = interval ? interval === 'month' : isResidential
  const pricing = openPricing(input, { isResidential, isMonthly })
  return { input, scenario, isResidential, isMonthly, accounts, openings, pricing }
}

/**
 * Calculates the window hour by hour: each part is complete when it is yielded and not kept, so that the memory does
 * not grow with the number of hours. Returns the totals.
 */
export function* runParts(period: OpenPeriod): Generator<PeriodPart, PeriodTotals> {
  const { input, scenario, isMonthly, openings, pricing } = period
  const warnings = new RunWarnings(scenario, pricing)
  const unknown = new UnknownValues()
  const usageSums = new UsageSums(openings)
  const summary = new SummarySums()
  let month: NettedSlice | undefined
  for (const { slice, row: makeRow, netted } of netParts(period)) {
    if (slice) unknown.add(slice)
    const row = makeRow?.()
    if (row) summary.addHour(row)
    const hours = row ? [row] : []
    if (!netted) {
      yield { hours, meters: [], amounts: [], usage: [] }
      continue
    }
    const meters = virtualMetersOf(netted)
    const amounts = priceSlice(pricing, netted, meters)
    warnings.add(netted)
    summary.addAmounts(amounts)
    usageSums.add(netted.usage)
    if (isMonthly) month = netted
    yield { netted, hours, meters, amounts, usage: netted.usage }
  }
  const ownWarnings = openWarnings()
  warnings.addTo(ownWarnings)
  unknown.warn(input, ownWarnings)
  const { billingPeriod, window, members } = input
  const hoursExpected = memberHours(members, periodRange(billingPeriod))
  return {
    scenario,
    window,
    inputHash: hashOf(period),
    usageByAccount: usageSums.list(),
    summary: summary.summary({ hoursExpected, ...(month && { month }) }),
    warnings: [...ownWarnings.list(), ...pricing.warnings.list()],
  }
}

const hashOf = ({ input, scenario, isResidential, accounts, pricing }: OpenPeriod): string =>
  hashInput({
    input,
    scenario,
    accounts: isResidential ? [] : accounts,
    values: input.values,
    lookups: pricing.book.lookups(),
  })

function assertWindow({ window, billingPeriod }: ValuesInput): void {
  const period = periodRange(billingPeriod)
  assert(window.from < window.to, 'a window has an hour')
  assert(window.from % HOUR_MS === 0 && window.to % HOUR_MS === 0, 'a window lies on hour boundaries')
  assert(window.from >= period.from && window.to <= period.to, 'a window lies inside its period')
}

/** The consumers' accounts of the period's year, in the order of their ids. */
export function accountsOf({
  accounts,
  members,
  billingPeriod,
}: Pick<PeriodInput, 'accounts' | 'members' | 'billingPeriod'>): AccountInput[] {
  const year = localYear(periodStart(billingPeriod))
  const consumers = new Set(members.filter(isConsumer).map((member) => member.facilityId))
  const wanted = accounts.filter((account) => account.year === year && consumers.has(account.facilityId))
  return sortedBy(wanted, (account) => account.accountId)
}

export interface NettedPart {
  /** The hour before it was netted; absent for the month, whose hours came before. */
  readonly slice?: Slice
  /** Makes the row of the hour, until the next part is requested. */
  readonly row?: () => HourRow
  /** What has amounts; absent in the hours of a month that is netted as a whole. */
  readonly netted?: NettedSlice
}

/** Nets a window hour by hour, without amounts. */
export function netParts(period: OpenPeriod): Iterable<NettedPart> {
  const { input, scenario, isMonthly, accounts, openings } = period
  const byFacility = new Map(accounts.map(({ facilityId, accountId }) => [facilityId, accountId]))
  const slices = slicesOf(input, byFacility)
  return isMonthly
    ? netMonthParts(period, slices)
    : netEach(slices, openings, hourRule(scenario), input.takenElsewhere)
}

function* netMonthParts(
  { input, scenario, openings, pricing }: OpenPeriod,
  slices: Iterable<Slice>,
): Generator<NettedPart> {
  const { billingPeriod, window, members } = input
  assert(
    window.from === periodStart(billingPeriod),
    'a window that is netted by month begins with its period',
  )
  const sums = new MonthSums()
  for (const slice of slices) {
    sums.add(slice)
    yield { slice, row: () => informationalRow(slice) }
  }
  const groups = new Set(members.filter(isConsumer).flatMap((member) => member.aboneGrubu ?? []))
  const date =
    scenario === 'mesken_monthly'
      ? monthPriceDate(pricing.book, billingPeriod)
      : firstPriceDate(pricing.book, billingPeriod, groups)
  yield { netted: netWholeMonth({ scenario, month: sums.slice(input, date), input }, openings) }
}

/**
 * Nets the hours in time order. Each hour opens with the closing balances of the previous one, less the
 * energy taken by other groups in between.
 */
export function* netEach(
  slices: Iterable<Slice>,
  openings: ReadonlyMap<string, Kwh>,
  net: NettingRule,
  takenElsewhere: readonly TakenElsewhere[] = [],
): Generator<NettedHour> {
  const balances = new Map(openings)
  const lower = (accountId: string, amountKwh: Kwh): void => {
    balances.set(accountId, subtract(balances.get(accountId) ?? ZERO_KWH, amountKwh))
  }
  for (const slice of slices) {
    for (const taken of takenElsewhere) if (taken.hour === slice.hour) lower(taken.accountId, taken.takenKwh)
    const netted = net(slice, balances)
    yield { slice, netted, row: () => hourRow(netted, balances) }
    for (const used of netted.usage) lower(used.accountId, usedOf(used))
  }
}

export interface NettedHour {
  readonly slice: Slice
  readonly netted: NettedSlice
  /** Makes the row, until the next hour is requested. */
  readonly row: () => HourRow
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
