import type { Kwh } from '../../../kernel/decimal.ts'
import { wh } from '../../../kernel/decimal.ts'
import { type BillingPeriod, DAY_MS, localYear, periodStart } from '../../../kernel/time.ts'
import type { NettedSlice } from '../match.ts'
import { netPeriod } from '../period.ts'
import type { PeriodInput } from '../types.ts'
import { refuseGroup } from './covered-groups.ts'
import { kwhNumber, type PriceContext, surplusPrices } from './hour-prices.ts'
import { OPTIMISATION_FAULTS, OptimisationFault } from './messages.ts'

/** Days of one part of a month in the model. */
const PART_DAYS = 7

/** What the accounts of a group are used for in a part of a month; matching does not depend on the limit. */
export interface Part {
  readonly month: BillingPeriod
  /** By facility with an account. */
  readonly matched: Map<string, MatchedOf>
  /** Surplus that the limit can pay. */
  surplus: number
  /** Of it what the base pays. */
  paid: number
  /** Highest value of a kWh that is paid in place of over the limit, and the lowest; undefined without surplus. */
  gain: { readonly highest: number; readonly lowest: number } | undefined
}

interface MatchedOf {
  /** The first hour in which the facility is a consumer of the group. */
  readonly firstHour: number
  kwh: number
}

export interface Account {
  readonly facilityId: string
  /** By month: the balance of the base at its start, and after it. */
  readonly months: Map<BillingPeriod, { readonly opening: number; readonly closing: number }>
}

export interface TransferFacts {
  readonly months: readonly BillingPeriod[]
  readonly parts: readonly Part[]
  /** In the order of the facilities. */
  readonly accounts: readonly Account[]
}

/** What the base used the accounts for. Throws OptimisationFault for a base of two years. */
export function readTransferFacts(inputs: readonly PeriodInput[]): TransferFacts {
  const years = new Set(inputs.map(({ billingPeriod }) => localYear(periodStart(billingPeriod))))
  if (years.size > 1) throw new OptimisationFault('to', OPTIMISATION_FAULTS.OPTIMISATION_ONE_YEAR())
  const parts = new Map<string, Part>()
  const accounts = new Map<string, Account>()
  for (const input of inputs.toSorted((a, b) => a.window.from - b.window.from)) {
    refuseGroup(input)
    const { groupId, billingPeriod: month } = input
    const { netted, pricing } = netPeriod(input)
    for (const slice of netted) {
      const week = Math.floor((slice.slice.hour - periodStart(month)) / (PART_DAYS * DAY_MS))
      const key = `${month} ${week} ${groupId}`
      const part: Part = parts.get(key) ?? { month, matched: new Map(), surplus: 0, paid: 0, gain: undefined }
      parts.set(key, part)
      addSlice(part, { groupId, pricing }, slice)
    }
    const usage = netted.flatMap((slice) => slice.usage)
    addBalances(accounts, input, usage)
  }
  return {
    months: [...new Set(inputs.map(({ billingPeriod }) => billingPeriod))].toSorted(),
    parts: [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part),
    accounts: [...accounts.values()].toSorted((a, b) => (a.facilityId < b.facilityId ? -1 : 1)),
  }
}

function addSlice(part: Part, context: PriceContext, slice: NettedSlice): void {
  for (const { party, matchedKwh } of slice.consumers) {
    if (party.accountId === null) continue
    const { facilityId } = party.member
    const known = part.matched.get(facilityId) ?? { firstHour: slice.slice.hour, kwh: 0 }
    part.matched.set(facilityId, known)
    known.kwh += kwhNumber(matchedKwh)
  }
  const payable = wh(slice.bedelliKwh + slice.skbKwh)
  if (payable === 0n) return
  const { paid, fee, feeMax } = surplusPrices(context, slice)
  part.surplus += kwhNumber(payable)
  part.paid += kwhNumber(slice.bedelliKwh)
  const { highest, lowest } = part.gain ?? { highest: paid + feeMax, lowest: paid + fee }
  part.gain = { highest: Math.max(highest, paid + feeMax), lowest: Math.min(lowest, paid + fee) }
}

function addBalances(
  accounts: Map<string, Account>,
  { accounts: listed, billingPeriod }: PeriodInput,
  usage: readonly { readonly accountId: string; readonly matchedKwh: Kwh; readonly paidSurplusKwh: Kwh }[],
): void {
  for (const { accountId, facilityId, openingBalanceKwh } of listed) {
    const account = accounts.get(facilityId) ?? { facilityId, months: new Map() }
    accounts.set(facilityId, account)
    const used = usage
      .filter((row) => row.accountId === accountId)
      .reduce((sum, row) => sum + row.matchedKwh + row.paidSurplusKwh, 0n)
    const known = account.months.get(billingPeriod)
    const own = kwhNumber(openingBalanceKwh)
    // What the account gets from outside between two windows counts from the start of the month on.
    const opening = known ? known.opening + Math.max(0, own - known.closing) : own
    account.months.set(billingPeriod, { opening, closing: kwhNumber(wh(openingBalanceKwh - used)) })
  }
}
