import type { Kwh } from '../../../kernel/decimal.ts'
import { DAY_MS, HOUR_MS, TURKEY_OFFSET_MS } from '../../../kernel/time.ts'
import type { NettedSlice } from '../match.ts'
import { netPeriod } from '../period.ts'
import type { PeriodInput } from '../types.ts'
import { type PartyKey, stayingKey } from './assignment-rules.ts'
import { billPrice, highestPaidPrice, kwhNumber, type PriceContext, surplusFees } from './hour-prices.ts'

/** An hour, or hours of one kind whose energies are summed. */
export interface HourSum {
  readonly production: Map<PartyKey, number>
  readonly consumption: Map<PartyKey, number>
  /** The highest price of the bill. */
  readonly price: Map<PartyKey, number>
  /** The highest price of paid surplus, and the lowest fee over the limit. */
  paid: number
  fee: number
  /** Production may be free although the group has a consumer: unknown consumption, or export of a battery. */
  mayBeFree: boolean
}

export interface AssignmentHours {
  readonly sums: readonly HourSum[]
  /** The least that the consumption costs at the prices of the bills. */
  readonly consumptionTry: number
  /** What the accounts of a party have over the months. */
  readonly limits: ReadonlyMap<PartyKey, number>
  /** Parties that consume in every hour. */
  readonly consumers: ReadonlySet<PartyKey>
}

interface ReadOptions {
  /** Facilities that an assignment places. */
  readonly assigned: ReadonlySet<string>
  /**
   * The hours of a month with the same hour of the day, on working days or not, are summed: more can be matched in sums
   * than hour by hour, so the model stays a relaxation.
   */
  readonly isSummed: boolean
}

interface Reading {
  readonly sums: Map<string, HourSum>
  readonly limits: Map<PartyKey, number>
  readonly closings: Map<string, bigint>
  /** By party: hours with consumption, known or not. */
  readonly hours: Map<PartyKey, number>
  consumptionTry: number
}

/** The energies of all parties over the hours of the groups. */
export function readHours(
  inputs: readonly PeriodInput[],
  { assigned, isSummed }: ReadOptions,
): AssignmentHours {
  const reading: Reading = {
    ...{ sums: new Map(), limits: new Map(), closings: new Map(), hours: new Map() },
    consumptionTry: 0,
  }
  const all = new Set<number>()
  for (const input of inputs.toSorted((a, b) => a.window.from - b.window.from)) {
    const { groupId, billingPeriod } = input
    const keyOf = (facilityId: string) =>
      assigned.has(facilityId) ? facilityId : stayingKey(facilityId, groupId)
    const { netted, pricing } = netPeriod(input)
    const usage = netted.flatMap((slice) => slice.usage)
    addLimits(reading, input, { keyOf, usage })
    for (const slice of netted) {
      const { hour } = slice.slice
      all.add(hour)
      const sum = sumAt(reading.sums, isSummed ? kindOf(hour, billingPeriod) : String(hour))
      addSlice(reading, sum, { context: { groupId, pricing }, slice, keyOf })
    }
  }
  const { sums, consumptionTry, limits, hours } = reading
  const consumers = [...hours].filter(([, count]) => count === all.size).map(([key]) => key)
  return { sums: [...sums.values()], consumptionTry, limits, consumers: new Set(consumers) }
}

function sumAt(sums: Map<string, HourSum>, key: string): HourSum {
  const known = sums.get(key)
  if (known) return known
  const sum: HourSum = {
    ...{ production: new Map(), consumption: new Map(), price: new Map() },
    ...{ paid: 0, fee: Number.POSITIVE_INFINITY, mayBeFree: false },
  }
  sums.set(key, sum)
  return sum
}

/** Saturday is day 2 of the week of the first day of 1970, a Thursday. */
function kindOf(hour: number, month: string): string {
  const local = hour + TURKEY_OFFSET_MS
  const weekday = Math.floor(local / DAY_MS) % 7
  return `${month} ${Math.floor(local / HOUR_MS) % 24} ${weekday === 2 || weekday === 3}`
}

type KeyOf = (facilityId: string) => PartyKey

interface SliceOf {
  readonly context: PriceContext
  readonly slice: NettedSlice
  readonly keyOf: KeyOf
}

function addSlice(reading: Reading, sum: HourSum, { context, slice, keyOf }: SliceOf): void {
  for (const { party, productionKwh } of slice.producers) {
    put(sum.production, keyOf(party.member.facilityId), kwhNumber(productionKwh))
    if (party.storageExportKwh > 0n) sum.mayBeFree = true
  }
  for (const share of slice.consumers) {
    const key = keyOf(share.party.member.facilityId)
    put(reading.hours, key, 1)
    if (share.party.consumptionKwh === null) sum.mayBeFree = true
    if (share.consumptionKwh === 0n) continue
    const price = billPrice(context, slice, { share, moreKwh: 0n as Kwh, isStepOpen: false })
    put(sum.consumption, key, kwhNumber(share.consumptionKwh))
    sum.price.set(key, Math.max(sum.price.get(key) ?? 0, price))
    reading.consumptionTry += price * kwhNumber(share.consumptionKwh)
  }
  sum.paid = Math.max(sum.paid, highestPaidPrice(context, slice))
  if (slice.productionKwh > 0n) sum.fee = Math.min(sum.fee, surplusFees(context, slice).fee)
}

const put = (sums: Map<string, number>, key: string, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

interface LimitsOf {
  readonly keyOf: KeyOf
  readonly usage: readonly {
    readonly accountId: string
    readonly matchedKwh: Kwh
    readonly paidSurplusKwh: Kwh
  }[]
}

/** The opening balance of the first window of an account, and what it gets from outside between two windows. */
function addLimits(
  { limits, closings }: Reading,
  { accounts }: PeriodInput,
  { keyOf, usage }: LimitsOf,
): void {
  for (const { accountId, facilityId, openingBalanceKwh } of accounts) {
    const key = keyOf(facilityId)
    const own = `${accountId} ${key}`
    const known = closings.get(own)
    const gained = known === undefined ? openingBalanceKwh : openingBalanceKwh - known
    if (gained > 0n) put(limits, key, kwhNumber(gained as Kwh))
    const used = usage
      .filter((row) => row.accountId === accountId)
      .reduce((sum, row) => sum + row.matchedKwh + row.paidSurplusKwh, 0n)
    closings.set(own, openingBalanceKwh - used)
  }
}
