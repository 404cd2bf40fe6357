import { createHash } from 'node:crypto'
import { ENGINE_VERSION } from '../../../core/netting/input-hash.ts'
import { unpackInput } from '../../../core/netting/input-pack.ts'
import { sumSides } from '../../../core/netting/readings-only.ts'
import { computeBase, computeScenario } from '../../../core/netting/scenario/compute.ts'
import {
  balanceOf,
  firstOverLimitHour,
  type RunFigures,
  sumMembers,
  sumTry,
} from '../../../core/netting/scenario/figures.ts'
import type {
  BatteryTotals,
  Change,
  MemberFigures,
  OtherFacility,
} from '../../../core/netting/scenario/types.ts'
import type { HourRow } from '../../../core/netting/types.ts'
import {
  add,
  formatKwh,
  formatTry,
  type Kwh,
  subtract,
  type Try,
  type TryPerKwh,
} from '../../../kernel/decimal.ts'
import { type BillingPeriod, iso } from '../../../kernel/time.ts'

/** Everything that the computation of a scenario needs, as data that can be sent to a thread. */
export interface ScenarioWork {
  readonly from: BillingPeriod
  readonly to: BillingPeriod
  /** Packed inputs of runs. */
  readonly inputs: readonly string[]
  readonly others: readonly OtherFacility[]
  readonly solarShape: readonly number[]
  readonly marketPrices: readonly (readonly [hour: number, price: TryPerKwh])[]
  readonly changes: readonly Change[]
}

type KwhText = string | null
type TryText = string | null

/** The figures of a group and month, or sums of them: wire names, decimal texts. */
export interface Figures {
  readonly production_kwh: KwhText
  readonly consumption_kwh: KwhText
  readonly matched_kwh: KwhText
  readonly surplus_kwh: KwhText
  readonly net_import_kwh: KwhText
  readonly bedelli_kwh: KwhText
  readonly skb_kwh: KwhText
  readonly bedelsiz_kwh: KwhText
  readonly limit_used_kwh: string
  readonly revenue_try: TryText
  readonly fee_try: TryText
  readonly savings_try: TryText
  readonly purchase_try: TryText
  readonly balance_try: TryText
}
export interface MonthFigures extends Figures {
  /** What is left of all accounts at the end. */
  readonly limit_closing_kwh: KwhText
  readonly first_over_limit_hour: string | null
}

export interface MemberText {
  readonly facility_id: string
  readonly production_kwh: KwhText
  readonly matched_production_kwh: string
  readonly bedelli_kwh: string
  readonly skb_kwh: string
  readonly bedelsiz_kwh: string
  readonly consumption_kwh: KwhText
  readonly matched_consumption_kwh: string
  readonly net_import_kwh: string
  readonly revenue_try: TryText
  readonly fee_try: TryText
  readonly savings_try: TryText
  readonly purchase_try: TryText
}

export interface HourText {
  readonly hour: string
  readonly production_kwh: KwhText
  readonly consumption_kwh: KwhText
  readonly matched_kwh: KwhText
  readonly net_import_kwh: KwhText
  readonly bedelli_kwh: KwhText
  readonly skb_kwh: KwhText
  readonly bedelsiz_kwh: KwhText
  readonly limit_after_kwh: KwhText
  readonly balance_try: TryText
}

export interface Both<T> {
  readonly base: T | null
  readonly scenario: T | null
}

export interface ComputedMonth {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly base: MonthFigures
  readonly scenario: MonthFigures
  readonly members: readonly ({ readonly facility_id: string } & Both<MemberText>)[]
  readonly hours: readonly ({ readonly hour: string } & Both<HourText>)[]
}

export interface BatteryText {
  readonly change: number
  readonly facility_id: string
  readonly charged_kwh: string
  readonly discharged_kwh: string
  readonly loss_kwh: string
  readonly left_kwh: string
}

export interface ScenarioOutcome {
  readonly months: readonly ComputedMonth[]
  readonly batteries: readonly BatteryText[]
  readonly inputHash: string
}

/** Computes a scenario; `onMonth` is called after each month. Throws ScenarioFault. */
export function computeWork(work: ScenarioWork, onMonth?: () => void): ScenarioOutcome {
  const { from, to, others, solarShape, changes } = work
  const inputs = work.inputs.map(unpackInput)
  const base = { from, to, inputs, others, solarShape, marketPrices: new Map(work.marketPrices) }
  const computed = computeBase(base)
  const result = computeScenario(computed, changes, onMonth)
  const baseRuns = [...computed.runs.values()]
  const keys = [...new Set(inputs.map(({ groupId, billingPeriod }) => `${billingPeriod} ${groupId}`))].sort()
  return {
    months: keys.map((key) => {
      const isOwn = (run: RunFigures) => `${run.billingPeriod} ${run.groupId}` === key
      return monthOf(key, baseRuns.filter(isOwn), result.runs.filter(isOwn))
    }),
    batteries: result.batteries.map(batteryText),
    inputHash: hashWork(baseRuns, changes),
  }
}

function hashWork(runs: readonly RunFigures[], changes: readonly Change[]): string {
  const hash = createHash('sha256').update(`${ENGINE_VERSION}\n`)
  for (const line of runs.map((run) => `${run.groupId} ${run.result.inputHash}`).sort())
    hash.update(`${line}\n`)
  const text = JSON.stringify(changes, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
  return hash.update(text).digest('hex')
}

function monthOf(key: string, base: readonly RunFigures[], scenario: readonly RunFigures[]): ComputedMonth {
  const [billingPeriod = '', groupId = ''] = key.split(' ')
  return {
    groupId,
    billingPeriod,
    base: figuresText(base),
    scenario: figuresText(scenario),
    members: pair(membersText(base), membersText(scenario), 'facility_id'),
    hours: pair(base.flatMap(hoursText), scenario.flatMap(hoursText), 'hour'),
  }
}

/** The rows of both sides under one key, in its order. */
function pair<K extends string, T extends Readonly<Record<K, string>>>(
  base: readonly T[],
  scenario: readonly T[],
  key: K,
): (Record<K, string> & Both<T>)[] {
  const [byBase, byScenario] = [base, scenario].map((rows) => new Map(rows.map((row) => [row[key], row])))
  const values = [...new Set([...base, ...scenario].map((row) => row[key]))].sort()
  return values.map((value) => ({
    ...({ [key]: value } as unknown as Record<K, string>),
    base: byBase?.get(value) ?? null,
    scenario: byScenario?.get(value) ?? null,
  }))
}

const kwhText = (value: Kwh | null): KwhText => (value === null ? null : formatKwh(value))
const tryText = (value: Try | null): TryText => (value === null ? null : formatTry(value))

function figuresText(runs: readonly RunFigures[]): MonthFigures {
  const side = sumSides(runs.map((run) => run.side))
  const last = runs.at(-1)
  const closing = last?.result.usageByAccount.map((usage) => usage.closingBalanceKwh) ?? []
  const over = runs.flatMap((run) => firstOverLimitHour(run.result.hours) ?? [])[0]
  const amount = (
    type: 'producer_payment_for_bedelli_surplus' | 'system_usage_fee_for_skb' | 'estimated_savings',
  ) => tryText(side?.amounts[type].amountTry ?? null)
  return {
    production_kwh: kwhText(side?.energy.productionKwh ?? null),
    consumption_kwh: kwhText(side?.energy.consumptionKwh ?? null),
    matched_kwh: kwhText(side?.energy.matchedKwh ?? null),
    surplus_kwh: kwhText(side?.energy.surplusKwh ?? null),
    net_import_kwh: kwhText(side?.energy.netImportKwh ?? null),
    bedelli_kwh: kwhText(side?.energy.bedelliKwh ?? null),
    skb_kwh: kwhText(side?.energy.skbKwh ?? null),
    bedelsiz_kwh: kwhText(side?.energy.bedelsizKwh ?? null),
    limit_used_kwh: formatKwh(side?.energy.limitUsedKwh ?? (0n as Kwh)),
    revenue_try: amount('producer_payment_for_bedelli_surplus'),
    fee_try: amount('system_usage_fee_for_skb'),
    savings_try: amount('estimated_savings'),
    purchase_try: tryText(sumTry(runs.map((run) => run.purchaseTry))),
    balance_try: tryText(sumTry(runs.map(balanceOf))),
    limit_closing_kwh: closing.length === 0 ? null : formatKwh(closing.reduce((sum, one) => add(sum, one))),
    first_over_limit_hour: over === undefined ? null : iso(over),
  }
}

const membersText = (runs: readonly RunFigures[]): MemberText[] =>
  sumMembers(runs.map((run) => run.members)).map((member: MemberFigures) => ({
    facility_id: member.facilityId,
    production_kwh: kwhText(member.producedKwh),
    matched_production_kwh: formatKwh(member.matchedProductionKwh),
    bedelli_kwh: formatKwh(member.paidKwh),
    skb_kwh: formatKwh(member.overLimitKwh),
    bedelsiz_kwh: formatKwh(member.freeKwh),
    consumption_kwh: kwhText(member.consumedKwh),
    matched_consumption_kwh: formatKwh(member.matchedConsumptionKwh),
    net_import_kwh: formatKwh(member.boughtKwh),
    revenue_try: tryText(member.revenueTry),
    fee_try: tryText(member.feeTry),
    savings_try: tryText(member.savingsTry),
    purchase_try: tryText(member.purchaseTry),
  }))

function hoursText(run: RunFigures): HourText[] {
  const money = moneyByHour(run)
  return run.result.hours.map((row: HourRow) => ({
    hour: iso(row.hour),
    production_kwh: kwhText(row.productionKwh),
    consumption_kwh: kwhText(row.consumptionKwh),
    matched_kwh: kwhText(row.matchedKwh),
    net_import_kwh: kwhText(row.netImportKwh),
    bedelli_kwh: kwhText(row.bedelliKwh),
    skb_kwh: kwhText(row.skbKwh),
    bedelsiz_kwh: kwhText(row.bedelsizKwh),
    limit_after_kwh: kwhText(row.limitAfterKwh),
    balance_try: row.meskenInformational ? null : tryText(money(row.hour)),
  }))
}

/** The owner's balance of an hour; netting by month has none by hour. */
function moneyByHour({ result, purchaseByHour }: RunFigures): (hour: number) => Try | null {
  const sums = new Map<number, Try | null>()
  for (const { hour, amountType, amountTry } of result.amounts) {
    const sign = SIGNS[amountType]
    if (sign === undefined) continue
    const known = sums.get(hour)
    const part = amountTry === null ? null : ((sign * amountTry) as Try)
    sums.set(hour, known === null || part === null ? null : add(known ?? (0n as Try), part))
  }
  return (hour) => {
    const [earned, bought] = [sums.get(hour), purchaseByHour.get(hour)]
    if (earned === null || bought === null) return null
    return subtract(earned ?? (0n as Try), bought ?? (0n as Try))
  }
}
const SIGNS: Readonly<Partial<Record<string, bigint>>> = {
  producer_payment_for_bedelli_surplus: 1n,
  system_usage_fee_for_skb: -1n,
}

const batteryText = (battery: BatteryTotals): BatteryText => ({
  change: battery.changeIndex,
  facility_id: battery.facilityId,
  charged_kwh: formatKwh(battery.chargedKwh),
  discharged_kwh: formatKwh(battery.dischargedKwh),
  loss_kwh: formatKwh(battery.lossKwh),
  left_kwh: formatKwh(battery.leftKwh),
})
