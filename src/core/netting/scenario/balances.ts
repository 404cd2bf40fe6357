import { type Kwh, subtract, total, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { localYear, periodStart, type Range } from '../../../kernel/time.ts'
import { activeStarts, isConsumer } from '../members.ts'
import type { AccountInput, MemberInput, PeriodInput, TakenElsewhere, UsageRow } from '../types.ts'
import type { ChangedInputs } from './apply.ts'

interface Columns {
  readonly hours: number[]
  /** Sums up to each hour, not including it; one more than hours. */
  readonly sums: bigint[]
}

/** The usage of a run by account; its rows need not be kept. */
export class UsageColumns {
  readonly byAccount = new Map<string, Columns>()

  /** Adds a row; those of an account come in the order of their hours. */
  add({ accountId, hour, matchedKwh, paidSurplusKwh }: UsageRow): void {
    let known = this.byAccount.get(accountId)
    if (!known) {
      known = { hours: [], sums: [0n] }
      this.byAccount.set(accountId, known)
    }
    known.hours.push(hour)
    known.sums.push((known.sums.at(-1) ?? 0n) + matchedKwh + paidSurplusKwh)
  }
}

export function usageColumns(rows: readonly UsageRow[]): UsageColumns {
  const columns = new UsageColumns()
  for (const row of rows) columns.add(row)
  return columns
}

interface Entry extends Readonly<Columns> {
  /** The run. */
  readonly key: string
  readonly groupId: string
}

/** The usage of accounts by runs, summed over any hours. */
export class UsageIndex {
  private readonly entries = new Map<string, Entry[]>()

  /** Replaces the usage of a run. */
  put(key: string, groupId: string, { byAccount }: UsageColumns): void {
    for (const [accountId, list] of this.entries) {
      const kept = list.filter((entry) => entry.key !== key)
      if (kept.length !== list.length) this.entries.set(accountId, kept)
    }
    for (const [accountId, columns] of byAccount) {
      const list = this.entries.get(accountId) ?? []
      list.push({ key, groupId, ...columns })
      this.entries.set(accountId, list)
    }
  }

  /** The usage in [from, to), without that of one group. */
  sum(accountId: string, { from, to }: Range, exceptGroupId?: string): Kwh {
    let sum = 0n
    for (const { groupId, hours, sums } of this.entries.get(accountId) ?? []) {
      if (groupId !== exceptGroupId)
        sum += (sums[countBefore(hours, to)] ?? 0n) - (sums[countBefore(hours, from)] ?? 0n)
    }
    return wh(sum)
  }
}

function countBefore(hours: readonly number[], instant: number): number {
  let [low, high] = [0, hours.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hours[middle] ?? 0) < instant) low = middle + 1
    else high = middle
  }
  return low
}

export interface BalanceSource {
  readonly baseInputs: readonly PeriodInput[]
  readonly baseUsage: UsageIndex
  readonly changed: Pick<ChangedInputs, 'otherAccounts' | 'limitSteps'>
  /** The usage of the scenario so far. */
  readonly usage: UsageIndex
}

interface Known {
  readonly accountId: string
  readonly facilityId: string
  readonly year: number
  readonly groupId: string
  readonly at: number
  readonly balanceKwh: Kwh
}

type Account = Omit<AccountInput, 'openingBalanceKwh'>

/** An instant in a group's month; `untilStep` counts only the first limit steps. */
interface BalanceAt {
  readonly groupId: string
  readonly at: number
  readonly monthStart: number
  readonly untilStep?: number
}

export interface Balances {
  /** The balance before an instant. */
  balance(account: Account, at: BalanceAt): Kwh
  /** The account of a facility in a year, as any input knows it. */
  accountOf(facilityId: string, year: number): Account | undefined
  /** The accounts of an input, and the energy that other groups take between two stays of their facilities. */
  open(input: PeriodInput): Pick<PeriodInput, 'accounts' | 'takenElsewhere'>
}

/**
 * The balances of a scenario: those that the base has stored, less what the scenario has used more than the base until
 * then, plus the changed limits. So whatever the base knows (adjustments, transfers, other groups) stays in force, and
 * without a change every balance is the stored one.
 */
export function makeBalances(source: BalanceSource): Balances {
  const { baseInputs, baseUsage, changed, usage } = source
  const known = baseInputs.flatMap((input) =>
    input.accounts.flatMap(({ accountId, facilityId, year, openingBalanceKwh }): Known[] => {
      const at = activeStarts(facilityId, input.members, input.window)[0]
      const own = { accountId, facilityId, year, groupId: input.groupId, balanceKwh: openingBalanceKwh }
      return at === undefined ? [] : [{ ...own, at }]
    }),
  )
  const byAccount = new Map<string, Known[]>()
  for (const one of known) byAccount.set(one.accountId, [...(byAccount.get(one.accountId) ?? []), one])

  /** What the base has, or would have, at an instant. */
  function baseBalance(accountId: string, groupId: string, at: number): Kwh {
    const list = byAccount.get(accountId) ?? []
    const same = list.find((one) => one.at === at && one.groupId === groupId)
    if (same) return same.balanceKwh
    const before = list.filter((one) => one.at <= at).sort((a, b) => b.at - a.at)[0]
    if (before) return subtract(before.balanceKwh, baseUsage.sum(accountId, { from: before.at, to: at }))
    const after = [...list].sort((a, b) => a.at - b.at)[0]
    if (after) return wh(after.balanceKwh + baseUsage.sum(accountId, { from: at, to: after.at }))
    return changed.otherAccounts.find((one) => one.accountId === accountId)?.balanceKwh ?? ZERO_KWH
  }
  const moreUsed = (accountId: string, range: Range, exceptGroupId?: string): Kwh =>
    subtract(usage.sum(accountId, range, exceptGroupId), baseUsage.sum(accountId, range, exceptGroupId))
  const limitAdded = (
    to: { facilityId: string; year: number; monthStart: number },
    untilStep: number,
  ): Kwh => {
    const steps = changed.limitSteps.slice(0, untilStep).filter(({ facilityId, month }) => {
      const start = periodStart(month)
      return facilityId === to.facilityId && localYear(start) === to.year && start <= to.monthStart
    })
    return total(steps.map((step) => step.amountKwh))
  }

  const balance: Balances['balance'] = (
    { accountId, facilityId, year },
    { groupId, at, monthStart, untilStep },
  ) => {
    const used = moreUsed(accountId, { from: 0, to: at })
    const added = limitAdded({ facilityId, year, monthStart }, untilStep ?? changed.limitSteps.length)
    return wh(baseBalance(accountId, groupId, at) - used + added)
  }
  const accountOf: Balances['accountOf'] = (facilityId, year) => {
    const isOwn = ownTest(facilityId, year)
    return known.find(isOwn) ?? changed.otherAccounts.find(isOwn)
  }
  return {
    balance,
    accountOf,
    open: (input) => openAccounts(source, { balance, accountOf, moreUsed }, input),
  }
}

const ownTest =
  (facilityId: string, year: number) =>
  (one: { readonly facilityId: string; readonly year: number }): boolean =>
    one.facilityId === facilityId && one.year === year

interface Tools extends Pick<Balances, 'balance' | 'accountOf'> {
  readonly moreUsed: (accountId: string, range: Range, exceptGroupId?: string) => Kwh
}

function openAccounts(
  { baseInputs, changed, usage }: BalanceSource,
  { balance, accountOf, moreUsed }: Tools,
  input: PeriodInput,
): Pick<PeriodInput, 'accounts' | 'takenElsewhere'> {
  const year = localYear(periodStart(input.billingPeriod))
  const sameHours = baseInputs.filter(
    (one) =>
      one.groupId === input.groupId && one.window.from < input.window.to && input.window.from < one.window.to,
  )
  const inBase = new Set(consumersOf(sameHours.flatMap(({ members }) => members)))
  const ofBase = sameHours.flatMap(({ accounts }) => accounts)
  // An account that no hour of the window uses stays as it is stored.
  const accounts = new Map(ofBase.map((account) => [account.accountId, account]))
  const takenElsewhere: TakenElsewhere[] = []
  for (const facilityId of consumersOf(input.members)) {
    const starts = activeStarts(facilityId, input.members, input.window)
    const isOwn = ownTest(facilityId, year)
    const account = inBase.has(facilityId)
      ? (ofBase.find(isOwn) ?? changed.otherAccounts.find(isOwn))
      : accountOf(facilityId, year)
    const first = starts[0]
    if (first === undefined || !account) continue
    const { accountId } = account
    const at = { groupId: input.groupId, at: first, monthStart: periodStart(input.billingPeriod) }
    accounts.set(accountId, { accountId, facilityId, year, openingBalanceKwh: balance(account, at) })
    for (const [index, from] of starts.entries()) {
      const hour = starts[index + 1]
      if (hour === undefined) break
      const stored = sameHours
        .flatMap((one) => one.takenElsewhere ?? [])
        .find((one) => one.accountId === accountId && one.hour === hour)
      const range = { from, to: hour }
      const takenKwh = stored
        ? wh(stored.takenKwh + moreUsed(accountId, range, input.groupId))
        : usage.sum(accountId, range, input.groupId)
      if (takenKwh !== 0n) takenElsewhere.push({ accountId, hour, takenKwh })
    }
  }
  return { accounts: [...accounts.values()], ...(takenElsewhere.length > 0 && { takenElsewhere }) }
}

const consumersOf = (members: readonly MemberInput[]): ReadonlySet<string> =>
  new Set(members.filter(isConsumer).map((member) => member.facilityId))
