import { add, type Kwh, negate, subtract, type Try, total, ZERO_KWH } from '../../kernel/decimal.ts'
import type { LocalDate } from '../../kernel/time.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { priceSlice } from './amounts/amounts.ts'
import { firstPriceDate } from './amounts/price-choice.ts'
import { openPricing, type Pricing } from './amounts/pricing.ts'
import { figuresOf, sumOfKnown } from './figures.ts'
import { isMonthlyInForce } from './in-force.ts'
import type { NettedSlice } from './match.ts'
import { isConsumer, scenarioOf } from './members.ts'
import { monthSlice } from './monthly.ts'
import { hourRule, netWholeMonth } from './netting-rule.ts'
import { accountsOf, netEach } from './period.ts'
import { RunWarnings } from './run-warnings.ts'
import { sliceHours } from './slices.ts'
import type { AmountRow, AmountType, Figures, PeriodInput, Scenario } from './types.ts'
import { virtualMetersOf } from './virtual-meters.ts'

/**
 * The meaning of an amount for the owner, who is producer and consumer at once. The market's payment to the
 * supplier for matched energy never reaches the owner; matched energy counts once, as an avoided cost. The
 * lost revenue of free energy is not money either.
 */
export type CountsAs = 'revenue' | 'cost' | 'avoided_cost' | 'not_counted'
export const COUNTS_AS: Readonly<Record<AmountType, CountsAs>> = {
  producer_payment_for_bedelli_surplus: 'revenue',
  system_usage_fee_for_skb: 'cost',
  estimated_savings: 'avoided_cost',
  supplier_payment_for_matched_consumption: 'not_counted',
  sktt_matched_consumption: 'not_counted',
  mesken_monthly_amount: 'not_counted',
  estimated_loss_or_risk: 'not_counted',
}

/** Sums of the known quantities; null where none is known. */
export interface ComparedEnergy extends Omit<Figures, 'matchedOverLimitKwh'> {
  readonly limitUsedKwh: Kwh
}

/** The energy that a type of amount prices, and its lira: null where a part of the energy has no price. */
export interface ComparedAmount {
  readonly energyKwh: Kwh
  readonly amountTry: Try | null
}

export interface Side {
  readonly energy: ComparedEnergy
  readonly amounts: Readonly<Record<AmountType, ComparedAmount>>
  /** Revenue and avoided cost less cost; null where one of them is. */
  readonly totalTry: Try | null
  /** The limit used, by account. */
  readonly usedByAccount: ReadonlyMap<string, Kwh>
}

export interface Comparison {
  readonly scenario: Scenario
  /** Which side is the one by which the group is netted. */
  readonly nettedBy: 'hour' | 'month'
  /** Which side the law prescribed in the period. */
  readonly sideInForce: 'hour' | 'month'
  /** The date whose prices the month has. */
  readonly priceDate: LocalDate
  /** Within the period, the paid surplus of the hours has more than one price. */
  readonly pricesChange: boolean
  readonly hourly: Side
  readonly monthly: Side
  readonly warnings: readonly Warning[]
}

/**
 * Nets the same facts hour by hour and as one month, with the same prices and the same limit. The side that
 * applies to the group equals the result of `computePeriod` for the input. The window begins with the period.
 *
 * The month uses the single-time prices of one date, since its energy has no hour. Its storage export is the
 * sum of the hours, except for homes, whose month has none.
 *
 * `monthOpenings` are the balances of the month where they are not those of the hours: after earlier months that
 * were netted by month.
 */
export function compareNetting(input: PeriodInput, monthOpenings?: ReadonlyMap<string, Kwh>): Comparison {
  const scenario = scenarioOf(input)
  const isResidential = scenario === 'mesken_monthly'
  const accounts = accountsOf(input)
  const { slices } = sliceHours(
    input,
    new Map(accounts.map(({ facilityId, accountId }) => [facilityId, accountId])),
  )
  const openings = new Map(accounts.map((account) => [account.accountId, account.openingBalanceKwh]))
  const byHour = openPricing(input, { isResidential, isMonthly: false })
  const byMonth = openPricing(input, { isResidential, isMonthly: true })
  const groups = new Set(input.members.filter(isConsumer).flatMap((member) => member.aboneGrubu ?? []))
  const priceDate = firstPriceDate(byMonth.book, input.billingPeriod, groups)

  const hours = [...netEach(slices, openings, hourRule(scenario), input.takenElsewhere)].map(
    ({ netted }) => netted,
  )
  const whole = monthSlice(slices, input, priceDate)
  const month = netWholeMonth({ scenario, month: whole, input }, monthOpenings ?? openings)
  const hourly = priceSide(hours, byHour)
  const monthly = priceSide([month], byMonth)
  addRunWarnings(hours, scenario, byHour)
  addRunWarnings([month], scenario, byMonth)
  return {
    scenario,
    nettedBy: isResidential ? 'month' : 'hour',
    sideInForce: isMonthlyInForce(scenario, input.billingPeriod) ? 'month' : 'hour',
    priceDate,
    pricesChange: pricesOf(hourly.rows, 'producer_payment_for_bedelli_surplus').size > 1,
    hourly: hourly.side,
    monthly: monthly.side,
    warnings: mergeWarnings(byHour, byMonth),
  }
}

function addRunWarnings(netted: readonly NettedSlice[], scenario: Scenario, pricing: Pricing): void {
  const warnings = new RunWarnings(scenario, pricing)
  for (const slice of netted) warnings.add(slice)
  warnings.addTo(pricing.warnings)
}

function priceSide(netted: readonly NettedSlice[], pricing: Pricing): { side: Side; rows: AmountRow[] } {
  const rows = netted.flatMap((slice) => priceSlice(pricing, slice, virtualMetersOf(slice)))
  return { side: sideOf(netted, rows, pricing), rows }
}

/** The figures of priced slices; `rows` are all of their amounts. */
export function sideOf(netted: readonly NettedSlice[], rows: readonly AmountRow[], pricing: Pricing): Side {
  const energy = sumEnergy(netted)
  const amounts = sumAmounts(rows, energyByType(netted, pricing))
  const usedByAccount = useByAccount(netted)
  return { energy, amounts, totalTry: ownersTotal(amounts), usedByAccount }
}

function useByAccount(netted: readonly NettedSlice[]): Map<string, Kwh> {
  const used = new Map<string, Kwh>()
  for (const { usage } of netted) {
    for (const { accountId, matchedKwh, paidSurplusKwh } of usage) {
      used.set(accountId, add(used.get(accountId) ?? ZERO_KWH, add(matchedKwh, paidSurplusKwh)))
    }
  }
  return used
}

function sumEnergy(netted: readonly NettedSlice[]): ComparedEnergy {
  const figures = netted.map(figuresOf)
  const sum = (field: keyof Figures): Kwh | null => sumOfKnown(figures.map((figure) => figure[field]))
  return {
    productionKwh: sum('productionKwh'),
    consumptionKwh: sum('consumptionKwh'),
    matchedKwh: sum('matchedKwh'),
    netImportKwh: sum('netImportKwh'),
    surplusKwh: sum('surplusKwh'),
    bedelliKwh: sum('bedelliKwh'),
    skbKwh: sum('skbKwh'),
    bedelsizKwh: sum('bedelsizKwh'),
    limitUsedKwh: total(
      netted.map(({ usage }) => total(usage.map((row) => add(row.matchedKwh, row.paidSurplusKwh)))),
    ),
  }
}

/** The energy that each type of amount would price if every price were known. */
function energyByType(netted: readonly NettedSlice[], { isResidential }: Pricing): Record<AmountType, Kwh> {
  const sum = (pick: (slice: NettedSlice) => Kwh): Kwh => total(netted.map(pick))
  const matchedKwh = sum((slice) => slice.matchedKwh)
  const isSktt = ({ party }: NettedSlice['consumers'][number]) => party.member.tariffSupplyType === 'sktt'
  const lastResort = netted.flatMap(({ consumers }) => consumers.filter(isSktt).map((s) => s.matchedKwh))
  const skttKwh = isResidential ? ZERO_KWH : total(lastResort)
  return {
    supplier_payment_for_matched_consumption: isResidential ? ZERO_KWH : subtract(matchedKwh, skttKwh),
    sktt_matched_consumption: skttKwh,
    mesken_monthly_amount: isResidential ? matchedKwh : ZERO_KWH,
    estimated_savings: matchedKwh,
    producer_payment_for_bedelli_surplus: sum((slice) => slice.bedelliKwh),
    system_usage_fee_for_skb: sum((slice) => slice.skbKwh),
    estimated_loss_or_risk: sum((slice) => slice.bedelsizKwh),
  }
}

function sumAmounts(rows: readonly AmountRow[], energies: Record<AmountType, Kwh>): Side['amounts'] {
  const compareType = (type: AmountType): ComparedAmount => {
    const priced = rows.filter((row) => row.amountType === type && row.amountTry !== null)
    const isWhole = total(priced.map((row) => row.quantityKwh)) === energies[type]
    const amountTry = isWhole ? total(priced.flatMap((row) => row.amountTry ?? [])) : null
    return { energyKwh: energies[type], amountTry: amountTry as Try | null }
  }
  const types = Object.keys(COUNTS_AS) as AmountType[]
  return Object.fromEntries(types.map((type) => [type, compareType(type)])) as Record<
    AmountType,
    ComparedAmount
  >
}

function ownersTotal(amounts: Side['amounts']): Try | null {
  const parts = (Object.keys(COUNTS_AS) as AmountType[])
    .filter((type) => COUNTS_AS[type] !== 'not_counted')
    .map((type) => {
      const { amountTry } = amounts[type]
      return amountTry !== null && COUNTS_AS[type] === 'cost' ? negate(amountTry) : amountTry
    })
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? total(known) : null
}

const pricesOf = (rows: readonly AmountRow[], type: AmountType): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => (row.amountType === type ? (row.tariffPriceId ?? []) : [])))

function mergeWarnings(...sides: readonly Pricing[]): Warning[] {
  const all = sides.flatMap((pricing) => pricing.warnings.list())
  return [...new Map(all.map((warning) => [`${warning.code}|${warning.subject}`, warning])).values()]
}
