import { add, type Kwh, subtract, type Try, total, ZERO_KWH } from '../../../kernel/decimal.ts'
import type { BillingPeriod } from '../../../kernel/time.ts'
import { alloc } from '../alloc.ts'
import { type Side, sideOf } from '../comparison.ts'
import type { ConsumerShare, NettedSlice, ProducerShare } from '../match.ts'
import type { PeriodRun } from '../period.ts'
import type { AmountRow, HourRow, PeriodInput, PeriodResult } from '../types.ts'
import type { VirtualMeter } from '../virtual-meters.ts'
import { amountOf, type BillCache, type BillOf } from './bills.ts'
import type { MemberFigures } from './types.ts'

/** One run of the base or of a scenario: the rows of the engine, and sums that compare the two. */
export interface RunFigures {
  readonly groupId: string
  readonly billingPeriod: BillingPeriod
  readonly result: PeriodResult
  readonly side: Side
  /** The cost of the energy that is still bought; null where a part of it has no price. */
  readonly purchaseTry: Try | null
  /** The same by hour; an hour without a purchase has no entry. Netting by month has the first hour alone. */
  readonly purchaseByHour: ReadonlyMap<number, Try | null>
  readonly members: readonly MemberFigures[]
}

export function figuresOfRun(
  input: PeriodInput,
  { result, netted, meters, pricing }: PeriodRun,
  bills: BillCache,
): RunFigures {
  const purchaseByHour = new Map<number, Try | null>()
  const billOf = bills.open(input, pricing)
  const members = memberFigures(netted, meters, { result, billOf, purchaseByHour })
  return {
    groupId: input.groupId,
    billingPeriod: input.billingPeriod,
    result,
    side: sideOf(netted, result.amounts, pricing),
    purchaseTry: sumTry(members.map((member) => member.purchaseTry)),
    purchaseByHour,
    members,
  }
}

/** Revenue less fees and less the cost of what is bought; null where one of them is. */
export function balanceOf({ side, purchaseTry }: Pick<RunFigures, 'side' | 'purchaseTry'>): Try | null {
  const revenue = side.amounts.producer_payment_for_bedelli_surplus.amountTry
  const fee = side.amounts.system_usage_fee_for_skb.amountTry
  return balanceOfParts({ revenue, fee, purchase: purchaseTry })
}

type BalanceParts = Readonly<Record<'revenue' | 'fee' | 'purchase', Try | null>>

export const balanceOfParts = ({ revenue, fee, purchase }: BalanceParts): Try | null =>
  revenue === null || fee === null || purchase === null ? null : subtract(subtract(revenue, fee), purchase)

/** Null where a part is. */
export function sumTry(parts: readonly (Try | null)[]): Try | null {
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? total(known) : null
}

type Sums = { -readonly [K in keyof MemberFigures]: MemberFigures[K] }

const emptySums = (facilityId: string): Sums => ({
  facilityId,
  producedKwh: null,
  matchedProductionKwh: ZERO_KWH,
  paidKwh: ZERO_KWH,
  overLimitKwh: ZERO_KWH,
  freeKwh: ZERO_KWH,
  consumedKwh: null,
  matchedConsumptionKwh: ZERO_KWH,
  boughtKwh: ZERO_KWH,
  revenueTry: 0n as Try,
  feeTry: 0n as Try,
  savingsTry: 0n as Try,
  purchaseTry: 0n as Try,
})

const plus = (a: Kwh | null, b: Kwh | null): Kwh | null => (a === null ? b : b === null ? a : add(a, b))
const plusTry = (a: Try | null, b: Try | null): Try | null => (a === null || b === null ? null : add(a, b))

interface Priced {
  readonly result: PeriodResult
  readonly billOf: BillOf
  readonly purchaseByHour: Map<number, Try | null>
}

function memberFigures(
  netted: readonly NettedSlice[],
  meters: readonly (readonly VirtualMeter[])[],
  { result, billOf, purchaseByHour }: Priced,
): MemberFigures[] {
  const sums = new Map<string, Sums>()
  const sumsOf = (facilityId: string): Sums => {
    const known = sums.get(facilityId) ?? emptySums(facilityId)
    sums.set(facilityId, known)
    return known
  }
  const rows = rowsByKey(result.amounts)
  netted.forEach((slice, index) => {
    for (const share of slice.producers) addProducer(sumsOf(share.party.member.facilityId), share)
    for (const share of slice.consumers) addConsumer(sumsOf(share.party.member.facilityId), share)
    for (const share of slice.consumers) {
      addMoney(sumsOf(share.party.member.facilityId), share, { slice, rows, billOf, purchaseByHour })
    }
    for (const meter of meters[index] ?? []) shareMeter(meter, rows, sumsOf)
  })
  return [...sums.values()].sort((a, b) => (a.facilityId < b.facilityId ? -1 : 1))
}

function addProducer(sums: Sums, share: ProducerShare): void {
  sums.producedKwh = plus(sums.producedKwh, share.party.productionKwh)
  sums.matchedProductionKwh = add(sums.matchedProductionKwh, share.matchedKwh)
  sums.paidKwh = add(sums.paidKwh, share.bedelliKwh)
  sums.overLimitKwh = add(sums.overLimitKwh, share.skbKwh)
  sums.freeKwh = add(sums.freeKwh, share.bedelsizKwh)
}

function addConsumer(sums: Sums, { party, consumptionKwh, matchedKwh }: ConsumerShare): void {
  sums.consumedKwh = plus(sums.consumedKwh, party.consumptionKwh)
  sums.matchedConsumptionKwh = add(sums.matchedConsumptionKwh, matchedKwh)
  sums.boughtKwh = add(sums.boughtKwh, subtract(consumptionKwh, matchedKwh))
}

type Rows = ReadonlyMap<string, readonly AmountRow[]>

const savingKey = (hour: number, facilityId: string): string => `${hour} ${facilityId}`
const meterKey = (row: Pick<AmountRow, 'hour' | 'amountType' | 'gridOperatorId' | 'sourceKind'>): string =>
  `${row.hour} ${row.amountType} ${row.gridOperatorId} ${row.sourceKind}`

function rowsByKey(amounts: readonly AmountRow[]): Rows {
  const rows = new Map<string, AmountRow[]>()
  for (const row of amounts) {
    const isSaving = row.amountType === 'estimated_savings'
    if (!isSaving && row.facilityId !== null) continue
    const key = isSaving ? savingKey(row.hour, row.facilityId ?? '') : meterKey(row)
    const known = rows.get(key)
    if (known) known.push(row)
    else rows.set(key, [row])
  }
  return rows
}

interface MoneyOf extends Pick<Priced, 'billOf' | 'purchaseByHour'> {
  readonly slice: NettedSlice
  readonly rows: Rows
}

function addMoney(sums: Sums, share: ConsumerShare, { slice, rows, billOf, purchaseByHour }: MoneyOf): void {
  if (share.consumptionKwh === 0n) return
  const { facilityId } = share.party.member
  const saved = rows.get(savingKey(slice.slice.hour, facilityId)) ?? []
  const savings = amountOf(saved, share.matchedKwh)
  sums.savingsTry = plusTry(sums.savingsTry, savings)
  if (share.consumptionKwh === share.matchedKwh) return
  const value = billOf(slice, share)
  const bought = value === null || savings === null ? null : subtract(value, savings)
  sums.purchaseTry = plusTry(sums.purchaseTry, bought)
  const { hour } = slice.slice
  const before = purchaseByHour.get(hour)
  purchaseByHour.set(hour, before === undefined ? bought : plusTry(before, bought))
}

/** Shares the amount of a virtual meter among its producers by their energy in it, exact to the last digit. */
function shareMeter(
  { row, producers }: VirtualMeter,
  rows: Rows,
  sumsOf: (facilityId: string) => Sums,
): void {
  const type = row.virtualMeterType
  if (type === 'bedelsiz') return
  const amountType = type === 'bedelli' ? 'producer_payment_for_bedelli_surplus' : 'system_usage_fee_for_skb'
  const energyField = type === 'bedelli' ? 'bedelliKwh' : 'skbKwh'
  const moneyField = type === 'bedelli' ? 'revenueTry' : 'feeTry'
  const amount = rows.get(meterKey({ ...row, amountType }))?.[0]?.amountTry ?? null
  const weights = producers.map((producer) => producer[energyField])
  const parts = amount === null ? undefined : alloc(amount as bigint as Kwh, weights)
  producers.forEach(({ party }, index) => {
    if (weights[index] === 0n) return
    const sums = sumsOf(party.member.facilityId)
    const part = parts?.[index]
    sums[moneyField] = plusTry(sums[moneyField], part === undefined ? null : (part as bigint as Try))
  })
}

/** The sums of a member over several runs. */
export function sumMembers(lists: readonly (readonly MemberFigures[])[]): MemberFigures[] {
  const sums = new Map<string, Sums>()
  for (const member of lists.flat()) {
    const known = sums.get(member.facilityId)
    if (!known) {
      sums.set(member.facilityId, { ...member })
      continue
    }
    for (const field of KWH_FIELDS) known[field] = add(known[field], member[field])
    for (const field of OPTIONAL_KWH_FIELDS) known[field] = plus(known[field], member[field])
    for (const field of TRY_FIELDS) known[field] = plusTry(known[field], member[field])
  }
  return [...sums.values()].sort((a, b) => (a.facilityId < b.facilityId ? -1 : 1))
}

const KWH_FIELDS = [
  'matchedProductionKwh',
  'paidKwh',
  'overLimitKwh',
  'freeKwh',
  'matchedConsumptionKwh',
  'boughtKwh',
] as const
const OPTIONAL_KWH_FIELDS = ['producedKwh', 'consumedKwh'] as const
const TRY_FIELDS = ['revenueTry', 'feeTry', 'savingsTry', 'purchaseTry'] as const

/** The first hour in which energy was over the limit; undefined while the limit is enough. */
export const firstOverLimitHour = (hours: readonly HourRow[]): number | undefined =>
  hours.find((row) => (row.skbKwh ?? 0n) > 0n)?.hour
